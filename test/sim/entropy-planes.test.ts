/**
 * MRC entropies in networks of several planes: each plane has its share of every rotation, even after entropies of one
 * plane fail.
 */
import { describe, expect, it } from 'vitest';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FaultSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';

const MTU = 1024;
const ACTIVE = 16;
const RESERVE = 32;

function scenario(planes: number, faults: readonly FaultSpec[] = []): ScenarioSpec {
  return {
    name: 'shares of planes',
    topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 1, planes, rateGbps: 25 },
    algorithms: { only: { preset: 'none' } },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 2000 * MTU }] },
    hosts: {
      transport: 'mrc',
      pathSelection: 'entropy-states',
      entropies: ACTIVE,
      entropyStates: { reserve: RESERVE, inferredLoss: 'assumed-bad' },
      retransmitTimeoutUs: 50,
    },
    switches: { pfc: false, ecn: false },
    faults,
    record: { capture: Array.from({ length: planes }, (_, plane) => `nic0:p${plane}.leaf0`) },
  };
}

interface Sent {
  readonly plane: number;
  /** Number of the entropy, counted from the first one of the flow. */
  readonly number: number;
}

/** Data packets with their planes, in the order in which they leave the adapter. */
function sentBy(spec: ScenarioSpec): { readonly sent: readonly Sent[]; readonly result: SimResult } {
  const records: PacketRecord[] = [];
  const result = runScenarioSync(spec, { onPackets: (some) => void records.push(...some) });
  const data = records.filter(({ kind }) => kind === 'data').sort((a, b) => a.timePs - b.timePs);
  const first = Math.min(...data.map(({ sourcePort }) => sourcePort!));
  const planeOf = (port: number): number => Number(/^p(\d+)\./.exec(result.ports[port]!.peer)![1]);
  return {
    sent: data.map(({ port, sourcePort }) => ({ plane: planeOf(port!), number: sourcePort! - first })),
    result,
  };
}

/** The largest difference between the packet counts of two planes at any time. */
function largestDifference(sent: readonly Sent[], planes: number): number {
  const counts = Array.from({ length: planes }, () => 0);
  return sent.reduce((largest, { plane }) => {
    counts[plane]! += 1;
    return Math.max(largest, Math.max(...counts) - Math.min(...counts));
  }, 0);
}

const numbersOf = (sent: readonly Sent[]): Set<number> => new Set(sent.map(({ number }) => number));

describe.each([2, 4])('Over %i planes', (planes) => {
  it('each plane carries as many packets as the others, within its number of entropies', () => {
    const { sent } = sentBy(scenario(planes));
    expect(sent).toHaveLength(2000);
    expect(largestDifference(sent, planes)).toBeLessThanOrEqual(ACTIVE / planes);
  });

  it('an entropy belongs to the plane of its number, as does its replacement', () => {
    const { sent, result } = sentBy(scenario(planes, [
      { kind: 'loss', between: ['p1.leaf0', 'p1.spine0'], share: 1, of: 'data' },
    ]));
    expect(result.totals.drops.loss).toBeGreaterThan(0);
    const planeOf = new Map(sent.map(({ number, plane }) => [number % planes, plane]));
    for (const { number, plane } of sent) expect(planeOf.get(number % planes)).toBe(plane);
    const [early, late] = [numbersOf(sent.slice(0, ACTIVE)), numbersOf(sent.slice(-4 * ACTIVE))];
    const gone = [...early].filter((number) => !late.has(number));
    const joined = [...late].filter((number) => !early.has(number));
    expect(gone.length).toBeGreaterThan(0);
    expect(joined).toHaveLength(gone.length);
    for (const number of [...gone, ...joined]) expect(planeOf.get(number % planes)).toBe(1);
    expect(largestDifference(sent, planes)).toBeLessThanOrEqual(ACTIVE / planes);
  });
});

describe('A plane with fewer usable entropies than the others', () => {
  const FRAME_BYTES = MTU + 106;

  /** Half of the paths of one plane lose all data, and no entropy replaces theirs. @returns bytes that wait at a port of the adapter, and shares. */
  function seenWith(portRoomBytes: number): { readonly waited: number; readonly shares: readonly number[] } {
    const spec = scenario(2, [{ kind: 'loss', between: ['p1.leaf0', 'p1.spine0'], share: 1, of: 'data' }]);
    const { sent, result } = sentBy({
      ...spec,
      hosts: { ...spec.hosts, entropyStates: { reserve: 0, inferredLoss: 'assumed-bad', portRoomBytes } },
    });
    const late = sent.slice(sent.length / 2);
    const adapter = result.ports.filter(({ node, peer }) => node === 'nic0' && peer.startsWith('p'));
    return {
      waited: Math.max(...adapter.map(({ maxQueueBytes }) => maxQueueBytes)),
      shares: [0, 1].map((plane) => late.filter((one) => one.plane === plane).length / late.length),
    };
  }

  it('carries the same load, as the adapter sends no more over the other planes', () => {
    const { waited, shares } = seenWith(8192);
    expect(waited).toBeLessThan(8192 + 2 * FRAME_BYTES);
    for (const share of shares) expect(share).toBeCloseTo(0.5, 2);
  });

  it.each([2, 4])('lets one more packet wait once the limit is a byte above %i packets', (packets) => {
    const waitedWith = (bytes: number): number => seenWith(packets * FRAME_BYTES + bytes).waited;
    // With one more byte, another packet may wait.
    expect([waitedWith(-1), waitedWith(1)]).toEqual([waitedWith(0), waitedWith(0) + FRAME_BYTES]);
  });

  it('carries less load if port queues are ignored, and packets wait in the adapter', () => {
    const { waited, shares } = seenWith(0);
    // Two thirds of the packets at twice the rate of a port: a quarter of them waits at the end.
    expect(waited).toBeGreaterThan(300 * FRAME_BYTES);
    expect(shares[1]).toBeLessThan(0.45);
  });
});
