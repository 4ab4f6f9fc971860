/** Paths, windows, thresholds and memory in a result, and the origin of Fast CNPs in records, checked against packets. */
import { describe, expect, it } from 'vitest';
import type { FlowResult, PacketRecord, PortResult, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

const LEAF_SPINE: ScenarioSpec = {
  name: 'leaf-spine',
  topology: { kind: 'leaf-spine', leaves: 3, spines: 2, hostsPerLeaf: 4, rateGbps: 100 },
  workload: [
    { kind: 'permutation', sizeBytes: 60_000 },
    { kind: 'incast', senders: 6, sizeBytes: 300_000 },
  ],
  switches: { fastCnp: { enabled: true } },
  durationUs: 20_000,
};

interface Captured {
  readonly result: SimResult;
  readonly records: readonly PacketRecord[];
}

/** Runs with all ports captured: a first, short run gives their names. */
function captureAll(spec: ScenarioSpec): Captured {
  const capture = runScenarioSync({ ...spec, durationUs: 1 }).ports.map(({ name }) => name);
  const records: PacketRecord[] = [];
  const result = runScenarioSync({ ...spec, record: { capture } }, {
    onPackets: (some) => {
      records.push(...some);
    },
  });
  return { result, records };
}

function incast(more: Partial<ScenarioSpec>): SimResult {
  return runScenarioSync({
    name: 'incast',
    topology: { kind: 'star', hosts: 9 },
    workload: { kind: 'incast', senders: 8, sizeBytes: 500_000 },
    ...more,
  });
}

const portNamed = ({ ports }: SimResult, name: string): PortResult => ports.find((port) => port.name === name)!;
const isSwitch = ({ node }: PortResult): boolean => !node.startsWith('h');

describe('A result has', () => {
  const { result, records } = captureAll(LEAF_SPINE);

  it('the egress ports of each flow, and its data uses no others', () => {
    const ofFlow = ({ index }: FlowResult) =>
      new Set(
        records.filter(({ flow, kind }) => flow === index && kind === 'data').map(({ port }) =>
          result.ports[port].name
        ),
      );
    expect(result.flows.some(({ path = [] }) => path.length === 4)).toBe(true);
    expect(result.flows.map(({ path }) => new Set(path))).toEqual(result.flows.map(ofFlow));
    for (const { from, to, path = [] } of result.flows) {
      expect([path[0], path.at(-1)]).toEqual([expect.stringMatching(`^${from}:`), expect.stringMatching(`:${to}$`)]);
    }
  });

  it('the switch that sent each Fast CNP in the records of all ports', () => {
    const fast = records.filter(({ kind }) => kind === 'fast-cnp');
    const arriving = fast.filter(({ port }) => result.ports[port].peer.startsWith('h'));
    const nodes = [...new Set(result.ports.map(({ node }) => node))];
    const made = (node: string) =>
      result.ports.filter((port) => port.node === node).reduce((sum, { fastCnps }) => sum + fastCnps, 0);
    expect(fast.length).toBeGreaterThan(arriving.length);
    for (const [index, node] of nodes.entries()) {
      expect([
        node,
        arriving.filter(({ origin }) => origin === index).length,
      ]).toEqual([node, made(node)]);
    }
    expect(records.every(({ kind, origin }) => (origin === undefined) === (kind !== 'fast-cnp'))).toBe(true);
  });

  it('the thresholds of ports that mark, and of no others', () => {
    for (const port of result.ports) {
      expect([port.kminBytes, port.kmaxBytes]).toEqual(isSwitch(port) ? [100_000, 400_000] : [undefined, undefined]);
    }
    const off = incast({ switches: { ecn: { enabled: false } } });
    expect(off.ports.every(({ kminBytes }) => kminBytes === undefined)).toBe(true);
  });

  it('the windows of flows', () => {
    expect(new Set(result.flows.map(({ windowBytes }) => windowBytes))).toEqual(new Set([0]));
    const windowed = incast({ algorithms: { hpcc: { preset: 'hpcc-sigcomm19' } } });
    for (const { windowBytes = 0 } of windowed.flows) expect(windowBytes).toBeGreaterThan(10_000);
    // Nothing beyond the windows and a packet each can wait.
    expect(windowed.summary.maxQueueBytes).toBeLessThanOrEqual(
      windowed.flows.reduce((sum, { windowBytes = 0 }) => sum + windowBytes + 1200, 0),
    );
  });

  it('the margin of incoming frames to the pause threshold: positive without a pause, none with a pause', () => {
    const calm = portNamed(incast({}), 's0:h0');
    expect(calm.pausesSent).toBe(0);
    expect(calm.maxIngressBytes).toBeGreaterThan(0);
    expect(calm.maxIngressBytes).toBeLessThan(calm.minPauseThresholdBytes!);
    const tight = portNamed(incast({ switches: { bufferBytes: 1_500_000 } }), 's0:h0');
    expect(tight.pausesSent).toBeGreaterThan(0);
    expect(tight.maxIngressBytes! + 1200).toBeGreaterThanOrEqual(tight.minPauseThresholdBytes!);
    const off = portNamed(incast({ switches: { pfc: false } }), 's0:h0');
    expect([off.minPauseThresholdBytes, portNamed(incast({}), 'h0:s0').maxIngressBytes]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
