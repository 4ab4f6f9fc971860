/**
 * Received bytes in SACKs of MRC: nominal sizes of the packets that arrived whole, each once, in units of 256 bytes, rounded up, modulo 2^24.
 *
 * The nominal size of a packet is its UDP length + 40: 88 bytes around the payload.
 */
import { describe, expect, it } from 'vitest';
import { readPackets } from '../support/mrc-captures.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FaultSpec, MrcSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';

const MTU = 4096;
const HEADERS = 88;
const UNIT = 256;
const MOST_UNITS = 2 ** 24;
const units = (bytes: number): number => Math.ceil(bytes / UNIT) % MOST_UNITS;

function scenario(sizes: readonly number[], mrc: MrcSpec, changes: Partial<ScenarioSpec> = {}): ScenarioSpec {
  return {
    name: 'received bytes',
    topology: { kind: 'star', hosts: 4, rateGbps: 100, delayNs: 1000 },
    workload: { kind: 'flows', flows: sizes.map((sizeBytes, i) => ({ from: `h${i}`, to: 'h3', sizeBytes })) },
    algorithms: { only: { preset: 'none' } },
    switches: { pfc: false, ecn: false },
    hosts: { transport: 'mrc', mtuBytes: MTU, retransmitTimeoutUs: 100, mrc },
    record: { capture: ['s0:h3', 'h3:s0'] },
    ...changes,
  };
}

function run(spec: ScenarioSpec): { readonly records: readonly PacketRecord[]; readonly totals: SimResult['totals'] } {
  const records: PacketRecord[] = [];
  const { totals, summary } = runScenarioSync(spec, { onPackets: (some) => void records.push(...some) });
  expect(summary.flowsUnfinished).toBe(0);
  return { records, totals };
}

const sacksOf = (records: readonly PacketRecord[], flow = 0): PacketRecord[] =>
  records.filter((one) => one.kind === 'ack' && one.flow === flow);
const receivedOf = (sacks: readonly PacketRecord[]): (number | undefined)[] => sacks.map(({ mrc }) => mrc?.received);

/** From the packets on the last link: for each flow, the units after its packets have arrived once and untrimmed. */
function recount(records: readonly PacketRecord[], flow: number): Set<number> {
  const seen = new Set<number>();
  const known = new Set<number>();
  let bytes = 0;
  for (const { kind, flow: its, mrc, sequence, payloadBytes } of records) {
    if (kind !== 'data' || its !== flow || mrc?.trimmed !== undefined || seen.has(sequence)) continue;
    seen.add(sequence);
    bytes += payloadBytes + HEADERS;
    known.add(units(bytes));
  }
  return known;
}

describe('A SACK has the received bytes', () => {
  it('of all packets, rounded up once in total', () => {
    const { records } = run(scenario([2 * MTU + 1], { sackBytes: 0 }));
    // 4,184 and 8,368 bytes, and 89 more.
    expect(receivedOf(sacksOf(records))).toEqual([17, 33, 34]);
  });

  it('also in the frames of a capture', async () => {
    const spec = scenario([2 * MTU + 1], { sackBytes: 0 });
    const packets = await readPackets(spec, sacksOf(run(spec).records));
    const states = packets.map(({ layers }) => layers.find(({ kind }) => kind === 'mrc-cc-state')?.value);
    expect(states).toMatchObject([17, 33, 34].map((rcvdBytes256) => ({ rcvdBytes256 })));
  });

  it('of a duplicate packet only once', () => {
    // All SACKs of the first round are lost, so everything is retransmitted.
    const lost = [1, 2].map((packet): FaultSpec => ({
      kind: 'drop',
      flow: 0,
      of: 'ack',
      firstByte: packet * MTU,
      arrival: 1,
    }));
    const { records, totals } = run(scenario([2 * MTU], { sackBytes: 0 }, { faults: lost }));
    expect(totals.retransmittedPackets).toBe(2);
    expect(receivedOf(sacksOf(records))).toEqual([17, 33, 33, 33]);
  });

  it('of a trimmed packet once it has arrived in full', () => {
    const spec = scenario([40 * MTU, 40 * MTU, 40 * MTU], { sackBytes: 0 }, {
      switches: { pfc: false, ecn: false, trimming: { lastHopQueueBytes: 3 * MTU, trimmedQueueBytes: 200 } },
    });
    const { records, totals } = run(spec);
    expect(totals.trimmedPackets).toBeGreaterThan(0);
    expect(totals.trimmedDropped).toBeGreaterThan(0);
    for (const flow of [0, 1, 2]) {
      const known = recount(records, flow);
      const received = receivedOf(sacksOf(records, flow));
      expect(received.every((one) => known.has(one!))).toBe(true);
      expect(received.at(-1)).toBe(units(40 * (MTU + HEADERS)));
    }
  });
});

it('Received bytes wrap at 2^24 units', () => {
  const packets = Math.ceil(UNIT * MOST_UNITS / (MTU + HEADERS)) + 3;
  const spec = scenario([packets * MTU], { sackBytes: 2 ** 31 }, { record: { capture: ['h3:s0'] } });
  const received = receivedOf(sacksOf(run(spec).records)) as number[];
  expect(Math.max(...received)).toBeGreaterThan(0.99 * MOST_UNITS);
  expect(received.at(-1)).toBe(units(packets * (MTU + HEADERS)));
  expect(received.at(-1)).toBeLessThan(100);
}, 120_000);
