/**
 * Transport settings: rejects those that a fidelity would ignore or that contradict each other, and replaces
 * `reordering`, which selects a transport by its receiver, by `transport`, so that other code reads only that.
 */
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { Fidelity, HostOverrideSpec, ScenarioSpec, WorkloadSpec, Reordering,
  Transport } from '../../scenario/spec.js';

/** Path of a setting, its value, and the fidelities that have it; default: only `standard`. */
type Given = readonly [where: string, got: unknown, fidelities?: readonly Fidelity[]];

const STANDARD: readonly Fidelity[] = ['standard'];
const WITH_LOSSES: readonly Fidelity[] = ['standard', 'reference-lossy'];

/** Receivers of MRC announce ranges in 8 bits, in units of 128 packets (`hosts.mrc.dynamicRange`). */
const UNIT_PACKETS = 128;
const MAX_PACKETS = 255 * UNIT_PACKETS;
const TRANSPORT_OF: Readonly<Record<Reordering, Transport>> = {
  none: 'go-back-n',
  'selective-repeat': 'selective-repeat',
  tolerant: 'tolerant',
};

/** @throws RoceError `invalid-scenario`, naming the setting. */
export function requireTransports(spec: ScenarioSpec, fidelity: Fidelity): void {
  if (fidelity === 'standard') return;
  for (const [where, got, fidelities = STANDARD] of givenBy(spec)) {
    if (got === undefined || fidelities.includes(fidelity)) continue;
    const those = fidelities.length === 1 ? `fidelity ${fidelities[0]}` : `fidelities ${fidelities.join(' and ')}`;
    rejectScenario({ what: where, problem: `is a setting of ${those}, and the fidelity is ${fidelity}`, got, where });
  }
}

function givenBy({ hosts = {}, overrides = [], faults = [], workload }: ScenarioSpec): Given[] {
  const { transport, irn, idleRestartUs } = hosts;
  return [
    ['hosts.reordering', hosts.reordering],
    ['hosts.tolerant', hosts.tolerant],
    ['hosts.mrc', hosts.mrc],
    ['hosts.transport', transport, transport === 'go-back-n' || transport === 'irn' ? WITH_LOSSES : STANDARD],
    ['hosts.irn', irn, WITH_LOSSES],
    ['hosts.irn.fewPackets', irn?.fewPackets],
    ['hosts.idleRestartUs', idleRestartUs],
    ...ofHost(hosts, 'hosts'),
    ...overrides.flatMap(({ host = {} }, i): Given[] => {
      const where = `overrides[${i}].host`;
      return [[`${where}.reordering`, host.reordering], [`${where}.transport`, host.transport], ...ofHost(host, where)];
    }),
    ...faults.flatMap((fault, i): Given[] =>
      fault.kind === 'drop' ? [[`faults[${i}]`, fault, WITH_LOSSES], [`faults[${i}].of`, fault.of]] : []
    ),
    ...ofWorkloads(workload),
  ];
}

function ofHost({ timeout, retryCount, reorderingWindowPackets, lossReaction }: HostOverrideSpec,
  where: string): Given[] {
  return Object.entries({ timeout, retryCount, reorderingWindowPackets, lossReaction }).map(([key, got]) => [
    `${where}.${key}`,
    got,
  ]);
}

function ofWorkloads(workload: ScenarioSpec['workload']): Given[] {
  const isList = Array.isArray(workload);
  return ((isList ? workload : [workload]) as readonly WorkloadSpec[]).flatMap((one, i): Given[] => {
    const where = isList ? `workload[${i}]` : 'workload';
    const flows = one.kind === 'flows' ? one.flows : [];
    return [
      [`${where}.transport`, one.transport],
      [`${where}.connections`, one.connections === 'per-message' ? undefined : one.connections],
      ...flows.flatMap(({ transport, qp }, j): Given[] => [
        [`${where}.flows[${j}].transport`, transport],
        [`${where}.flows[${j}].qp`, qp],
      ]),
    ];
  });
}

/** The transport that host settings state, as `transport` or as `reordering`. */
export function statedTransport({ transport, reordering }: HostOverrideSpec): Transport | undefined {
  return transport ?? (reordering === undefined ? undefined : TRANSPORT_OF[reordering]);
}

/**
 * Replaces each `reordering` of a scenario by its transport. @throws RoceError `invalid-scenario` if both are set and disagree.
 */
export function withTransports(spec: ScenarioSpec): ScenarioSpec {
  const { hosts, overrides } = spec;
  return {
    ...spec,
    ...(hosts?.reordering === undefined ? {} : { hosts: withTransport(hosts, 'hosts') }),
    ...(overrides?.some(({ host }) => host?.reordering !== undefined) === true ?
      {
        overrides: overrides.map((one, i) =>
          one.host === undefined ? one : { ...one, host: withTransport(one.host, `overrides[${i}].host`) }
        ),
      } :
      {}),
  };
}

function withTransport<Host extends HostOverrideSpec>(host: Host, where: string): Host {
  const { transport, reordering } = host;
  if (reordering === undefined) return host;
  const allowed = TRANSPORT_OF[reordering];
  if (transport === undefined || transport === allowed) return { ...host, transport: allowed };
  return rejectScenario({
    what: `${where}.transport`,
    problem: `contradicts ${where}.reordering ${reordering}`,
    got: transport,
    allowed,
    where: `${where}.transport`,
    hint: 'Leave one of them out',
  });
}

/** The longest range that can be announced and is not longer than a number of packets, at least one unit. */
export function announceablePackets(packets: number): number {
  return Math.min(MAX_PACKETS, Math.max(UNIT_PACKETS, packets - packets % UNIT_PACKETS));
}

/** @throws RoceError `invalid-scenario` for a range that cannot be announced. */
export function requireUnits({ dynamicRange, receiverRangePackets: got }: {
  readonly dynamicRange: boolean;
  readonly receiverRangePackets: number | null;
}): void {
  if (!dynamicRange || got === null || got === announceablePackets(got)) return;
  rejectScenario({
    what: 'hosts.mrc.receiverRangePackets',
    problem: 'cannot be announced (hosts.mrc.dynamicRange)',
    got,
    allowed: `multiples of ${UNIT_PACKETS} up to ${MAX_PACKETS.toLocaleString('en')}`,
    where: 'hosts.mrc.receiverRangePackets',
  });
}
