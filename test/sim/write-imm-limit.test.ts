/** The limit on unacknowledged messages of a QP of MRC, `hosts.mrc.maxWriteImms` (max_wimm). */
import { describe, expect, it } from 'vitest';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { captured, hop, MTU, tx, DATA, SACK } from './support/mrc-star.js';

const MESSAGES = 6;
const DATA_PS = hop(DATA) + hop(DATA);
/** From the last bit of a data packet at its receiver to that of its SACK at the sender. */
const SACK_PS = hop(SACK) + hop(SACK);

/** Messages of one packet each, posted at once to one QP. */
function scenario(maxWriteImms: number, more: Partial<ScenarioSpec> = {}): ScenarioSpec {
  return {
    name: 'WRITEs with immediate',
    topology: { kind: 'star', hosts: 4, rateGbps: 100, delayNs: 1000 },
    workload: {
      kind: 'flows',
      flows: Array.from({ length: MESSAGES }, () => ({ from: 'h0', to: 'h3', sizeBytes: MTU })),
      connections: 'per-pair',
    },
    algorithms: { only: { preset: 'none' } },
    switches: { pfc: false, ecn: false },
    hosts: { transport: 'mrc', mtuBytes: MTU, retransmitTimeoutUs: 500, mrc: { maxWriteImms } },
    record: { capture: ['h0:s0'] },
    ...more,
  };
}

const completionsPs = (spec: ScenarioSpec): (number | null)[] =>
  captured(spec).result.flows.map(({ completionPs }) => completionPs);

describe('Without a limit on unacknowledged messages', () => {
  it('messages follow one another at the rate of the link', () => {
    const { records } = captured(scenario(0));
    const sentPs = records.filter(({ kind }) => kind === 'data').map(({ timePs }) => timePs);
    expect(sentPs).toEqual(Array.from({ length: MESSAGES }, (_, i) => i * tx(DATA)));
  });

  it('a limit of at least as many messages has no effect', () => {
    for (const limit of [MESSAGES, 65_535]) expect(completionsPs(scenario(limit))).toEqual(completionsPs(scenario(0)));
  });
});

it('With a limit of one, each message starts when the one before it is acknowledged', () => {
  const roundTripPs = DATA_PS + SACK_PS;
  expect(completionsPs(scenario(1))).toEqual(Array.from({ length: MESSAGES }, (_, i) => (i + 1) * roundTripPs));
});

it('With a limit of two, at most two messages are unacknowledged, and the second requests the SACK', () => {
  const { result, records } = captured(scenario(2));
  const data = records.filter(({ kind }) => kind === 'data');
  expect(data[1]!.mrc?.asks).toBe(true);
  const ends = result.flows.map(({ completionPs }) => completionPs!);
  for (const [i, { timePs }] of data.entries()) {
    const unacknowledged = ends.slice(0, i).filter((endPs) => endPs > timePs).length;
    expect(unacknowledged).toBeLessThan(2);
  }
});

it('A message that is retransmitted delays those after it', () => {
  const faults = [{ kind: 'drop' as const, flow: 0, firstByte: 0, arrival: 1 }];
  const [first, second, third, fourth] = completionsPs(scenario(2, { faults }));
  expect(first).toBe(second);
  // The third message is followed by another one, which requests the SACK of both.
  expect([third! - first!, fourth! - first!]).toEqual(Array(2).fill(tx(DATA) + DATA_PS + SACK_PS));
});

it('Flows with a QP each are not limited', () => {
  const flows = Array.from({ length: MESSAGES }, () => ({ from: 'h0', to: 'h3', sizeBytes: MTU }));
  const own = (limit: number): ScenarioSpec => scenario(limit, { workload: { kind: 'flows', flows } });
  expect(completionsPs(own(1))).toEqual(completionsPs(own(0)));
});

describe('Where packets are reordered', () => {
  /** Four paths between the hosts, which spraying uses one after the other; the first is the longest. */
  const overtaking = (maxWriteImms: number): ScenarioSpec => ({
    ...scenario(maxWriteImms),
    topology: {
      kind: 'edges',
      nodes: [
        ...['left', 'right', 'm0', 'm1', 'm2', 'm3'].map((name) => ({ name, kind: 'switch' as const })),
        ...['h0', 'h3'].map((name) => ({ name, kind: 'host' as const })),
      ],
      links: [
        { from: 'h0', to: 'left' },
        { from: 'h3', to: 'right' },
        ...[9000, 5000, 3000, 1000].flatMap((delayNs, i) => [
          { from: 'left', to: `m${i}`, delayNs },
          { from: 'right', to: `m${i}`, delayNs: 1000 },
        ]),
      ],
    },
    switches: { pfc: false, ecn: false, loadBalancing: 'round-robin' },
    record: { capture: ['right:h3'] },
  });

  it.each([0, 1, 3])('messages complete in the order in which they were posted, with a limit of %d', (limit) => {
    const { result, records } = captured(overtaking(limit));
    const ends = result.flows.map(({ completionPs }) => completionPs!);
    expect(ends).toEqual([...ends].sort((a, b) => a - b));
    const arrived = records.filter(({ kind }) => kind === 'data').map(({ sequence }) => sequence);
    const isReordered = arrived.some((sequence, at) => at > 0 && sequence < arrived[at - 1]!);
    expect(isReordered).toBe(limit !== 1);
  });
});
