/** MRC accepts the packets of a window in any order: every permutation of five packets, each of which takes a path with its own delay. */
import { describe, expect, it } from 'vitest';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { captured } from './support/mrc-star.js';

const MTU = 1024;
const PACKETS = 5;
const NOMINAL = MTU + 88;
const NUMBERS = Array.from({ length: PACKETS }, (_, number) => number);

function permutationsOf(some: readonly number[]): number[][] {
  if (some.length === 0) return [[]];
  return some.flatMap((first) => permutationsOf(some.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}

/** Five messages of one packet on one QP; path i has the delay of its rank. */
function scenario(ranks: readonly number[]): ScenarioSpec {
  const paths = ranks.map((_, i) => `m${i}`);
  return {
    name: 'a permutation',
    topology: {
      kind: 'edges',
      nodes: [
        ...['left', 'right', ...paths].map((name) => ({ name, kind: 'switch' as const })),
        { name: 'a', kind: 'host' },
        { name: 'b', kind: 'host' },
      ],
      links: [
        { from: 'a', to: 'left' },
        { from: 'b', to: 'right' },
        ...paths.flatMap((to, i) => [
          { from: 'left', to, delayNs: 1000 + 2000 * ranks[i]! },
          { from: 'right', to, delayNs: 1000 },
        ]),
      ],
    },
    workload: { kind: 'flows', flows: NUMBERS.map(() => ({ from: 'a', to: 'b', qp: 'one', sizeBytes: MTU })) },
    algorithms: { only: { preset: 'none' } },
    switches: { pfc: false, ecn: false, loadBalancing: 'round-robin' },
    hosts: { transport: 'mrc', mtuBytes: MTU, retransmitTimeoutUs: 500, mrc: { sackBytes: 0, reorderUs: 0 } },
    record: { capture: ['right:b', 'b:right'] },
  };
}

interface Run {
  readonly result: SimResult;
  /** Numbers of the packets in the order of their arrival. */
  readonly arrivals: readonly number[];
  readonly arrivedPs: readonly number[];
  readonly sacks: readonly PacketRecord[];
}

function run(ranks: readonly number[]): Run {
  const { result, records } = captured(scenario(ranks));
  const data = records.filter(({ kind }) => kind === 'data');
  return {
    result,
    arrivals: data.map(({ sequence }) => sequence / MTU),
    arrivedPs: data.map(({ timePs }) => timePs),
    sacks: records.filter(({ kind }) => kind === 'ack'),
  };
}

/** The first number that has not arrived. */
const expectedAfter = (arrived: readonly number[]): number =>
  NUMBERS.find((number) => !arrived.includes(number)) ?? PACKETS;

describe(`Every order of arrival of ${PACKETS} packets`, () => {
  const runs = permutationsOf(NUMBERS).map(run);

  it('occurs', () => {
    expect(new Set(runs.map(({ arrivals }) => arrivals.join()))).toHaveProperty('size', 120);
  });

  it('causes a SACK per packet with the first missing packet and those that have arrived', () => {
    for (const { arrivals, sacks } of runs) {
      const seen = sacks.map((
        { sequence, mrc },
      ) => [mrc!.cause, sequence / MTU, mrc!.mapFirst, mrc!.map, mrc!.received]);
      expect(seen).toEqual(arrivals.map((number, i) => {
        const arrived = arrivals.slice(0, i + 1);
        const expected = expectedAfter(arrived);
        const map = arrived.reduce((bits, one) => one > expected ? bits | 1n << BigInt(one - expected) : bits, 0n);
        return [number, expected, expected, map, Math.ceil((i + 1) * NOMINAL / 256)];
      }));
    }
  });

  it('completes each message once it and all before it have arrived, without a retransmission', () => {
    for (const { arrivals, arrivedPs, result } of runs) {
      const { totals, flows } = result;
      expect(totals).toMatchObject({ dataPackets: PACKETS, retransmittedPackets: 0, timeouts: 0 });
      const ends = flows.map(({ startPs, completionPs }) => startPs + completionPs!);
      const complete = NUMBERS.map((number) =>
        arrivals.findIndex((_, i) => expectedAfter(arrivals.slice(0, i + 1)) > number)
      );
      for (const number of NUMBERS) expect(ends[number]).toBeGreaterThan(arrivedPs[complete[number]!]!);
      expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    }
  });
});
