/** 1,024 hosts: transports and balancers over a permutation, with all links, with a slow one, and with one that fails. */
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FaultSpec, HostSpec, ScenarioSpec, SwitchSpec, WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_US } from '../../src/units.js';
import { table, tableRow } from '../../scripts/markdown-table.js';
import { shipped } from '../sweep.js';
import { withSlowLink } from './slow-link.js';

/** An uplink of the first edge switch. */
const LINK = ['edge0', 'agg0'] as const;
const HALF = 0.5;
/** Within the run, and longer than all of them. */
const DOWN: FaultSpec = { kind: 'link-down', between: LINK, fromUs: 50, toUs: 100_000 };

/** Longer than packets of a flow are apart by spraying: 110 packets are 37 µs. */
const LOSS_TIME_US = 60;

interface Way {
  readonly name: string;
  readonly switches: SwitchSpec;
  readonly hosts: HostSpec;
}

const WAYS: readonly Way[] = [
  { name: 'ecmp', switches: { loadBalancing: 'ecmp' }, hosts: {} },
  { name: 'flowlet, gap 0.2 µs', switches: { loadBalancing: 'flowlet', flowletGapUs: 0.2 }, hosts: {} },
  { name: 'random', switches: { loadBalancing: 'random' }, hosts: {} },
  { name: 'adaptive', switches: { loadBalancing: 'adaptive' }, hosts: {} },
  { name: 'reps', switches: { loadBalancing: 'ecmp' }, hosts: { pathSelection: 'reps' } },
];
const TRANSPORTS = ['go-back-n', 'selective-repeat', 'tolerant'] as const;

/** Rules that keep go-back-N's run short; others collapse as random does. */
const OF_GO_BACK_N = ['ecmp', 'random'];

interface Condition {
  readonly name: string;
  readonly transports: readonly (typeof TRANSPORTS)[number][];
  readonly change: (spec: ScenarioSpec) => ScenarioSpec;
}

/** Each of this number of hosts sends to all others, as much as in the permutation. */
const ALL_TO_ALL_HOSTS = 64;
const ALL_TO_ALL: WorkloadSpec = { kind: 'all-to-all', hosts: ALL_TO_ALL_HOSTS, sizeBytes: 32_000 };
const INCAST: WorkloadSpec = { kind: 'incast', senders: 16, to: 'h1000', sizeBytes: 200_000 };

const CONDITIONS: readonly Condition[] = [
  { name: 'all links', transports: TRANSPORTS, change: (spec) => spec },
  {
    name: 'one link at half rate',
    transports: ['tolerant'],
    change: (spec) => ({ ...spec, topology: withSlowLink(spec.topology, LINK, HALF) }),
  },
  { name: 'one link fails at 50 µs', transports: ['tolerant'], change: (spec) => ({ ...spec, faults: [DOWN] }) },
  {
    name: `the same, lossTimeUs ${LOSS_TIME_US}`,
    transports: ['tolerant'],
    change: (spec) => ({ ...spec, faults: [DOWN], hosts: { ...spec.hosts, tolerant: { lossTimeUs: LOSS_TIME_US } } }),
  },
  {
    name: 'all-to-all of 64 hosts',
    transports: TRANSPORTS,
    change: (spec) => ({ ...spec, workload: ALL_TO_ALL }),
  },
  {
    name: 'permutation, incast of 16',
    transports: ['selective-repeat', 'tolerant'],
    change: (spec) => ({ ...spec, workload: [spec.workload as WorkloadSpec, INCAST] }),
  },
];

const HEADS = [
  'network',
  'transport',
  'balancer',
  'completion, µs: p50',
  'all',
  'retransmitted',
  'lost',
  'timeouts',
  'depth, packets',
];

/** The table; some minutes. @param isWanted by the name of the network. */
export function thousandHosts(isWanted: (name: string) => boolean = () => true): string {
  const rows = CONDITIONS.filter(({ name }) => isWanted(name)).flatMap((condition) =>
    condition.transports.flatMap((transport) =>
      WAYS.filter(({ name }) => transport !== 'go-back-n' || OF_GO_BACK_N.includes(name))
        .map((way) => rowOf(condition, transport, way))
    )
  );
  return table(HEADS, rows, 3);
}

function rowOf({ name, change }: Condition, transport: (typeof TRANSPORTS)[number],
  { name: way, switches, hosts }: Way): string {
  const { hosts: { mtuBytes = 1024 } = {}, ...base } = shipped('fat-tree-k16-sprayed');
  const spec = change({
    ...base,
    switches: { ...base.switches, ...switches },
    hosts: { mtuBytes, transport, ...hosts },
    record: { flows: 0, ports: [] },
  });
  const { summary, totals } = runScenarioSync(spec);
  const us = (timePs: number | undefined): string => ((timePs ?? NaN) / PS_PER_US).toFixed(0);
  const { p50, max } = summary.completionPs ?? {};
  process.stderr.write(`${name} ${transport} ${way} ${us(max)}\n`);
  return tableRow([
    name,
    transport,
    way,
    us(p50),
    us(max),
    String(totals.retransmittedPackets),
    String(totals.packetsDropped),
    String(totals.timeouts),
    String(summary.reorderingDepthPackets ?? 0),
  ]);
}
