/** Fields of MRC that wrap, in the frames of a capture: PSNs after 2^24 packets, offsets of 16 bits, timestamps after 2^16 ticks of 128 ns. */
import { describe, expect, it } from 'vitest';
import type { Packet } from '../../src/packet/dissect.js';
import type { PacketRecord } from '../../src/sim/result.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { type MrcBth, type MrcCcState, type Neth, Seth, Tseth } from '../../src/wire/index.js';
import { readPackets } from '../support/mrc-captures.js';
import { captured, hop, MTU, run, SACK, scenario } from './support/mrc-star.js';

const PSNS = 2 ** 24;
const PACKETS = 12;
/** Packets 5 and 8 are lost at first, and 11 is beyond the range until 5 has arrived. */
const GAPPED = run({
  flows: [['h0', PACKETS]],
  faults: [5, 8].map((packet) => ({ kind: 'drop', flow: 0, firstByte: packet * MTU, arrival: 1 })),
  hosts: { mrc: { sackBytes: 0, reorderUs: 0, receiverRangePackets: 6 } },
  capture: ['h0:s0', 'h3:s0'],
});

/** The same, as if `before` packets had been sent and had arrived before. */
function shifted(before: number): { readonly spec: ScenarioSpec; readonly records: readonly PacketRecord[] } {
  const flow = { from: 'h0', to: 'h3', sizeBytes: (before + PACKETS) * MTU };
  return {
    spec: { ...GAPPED.spec, workload: { kind: 'flows', flows: [flow] } },
    records: GAPPED.records.map((record) => ({
      ...record,
      sequence: record.sequence + before * MTU,
      mrc: { ...record.mrc!, cause: record.mrc!.cause + before, mapFirst: record.mrc!.mapFirst + before },
    })),
  };
}

interface Headers {
  readonly 'mrc-bth'?: MrcBth;
  readonly 'mrc-cc-state'?: MrcCcState;
  readonly neth?: Neth;
  readonly seth?: Seth;
  readonly tseth?: Tseth;
}

/** Headers of a packet by their kinds. */
function headersOf({ layers }: Packet): Headers {
  return Object.fromEntries(layers.map(({ kind, value }) => [kind, value]));
}

/** All PSNs that a packet names, less `before`. */
function psnsOf(packet: Packet, before: number): readonly (number | undefined)[][] {
  const { 'mrc-bth': bth, neth, seth } = headersOf(packet);
  const map = seth === undefined ? undefined : Seth.readSackMap(seth);
  return [
    [bth?.psn],
    [neth?.nackPsn],
    [map?.causePsn, map?.basePsn],
    [...map?.received ?? []],
    [...map?.missing ?? []],
  ].map((all) => all.map((psn) => psn === undefined ? undefined : (psn - before + PSNS) % PSNS));
}

describe('PSNs of data, SACKs and NACKs', () => {
  it('wrap at 2^24, whichever packets are missing', async () => {
    const first = (await readPackets(GAPPED.spec, GAPPED.records)).map((packet) => psnsOf(packet, 0));
    // Cause, base of the map, received and missing: 5 and 8 are lost, the highest within the range is 10. 11 is rejected.
    expect(first).toContainEqual([[4], [undefined], [10, 5], [6, 7, 9, 10], [5, 8]]);
    expect(first).toContainEqual([[11], [11], [undefined, undefined], [], []]);
    for (const before of [-11, -8, -5, -1, 0].map((shift) => PSNS + shift)) {
      const { spec, records } = shifted(before);
      const all = await readPackets(spec, records);
      expect(all.map((packet) => psnsOf(packet, before)), `after ${before}`).toEqual(first);
    }
  }, 60_000);
});

describe('Offsets in a SACK', () => {
  const sack = GAPPED.records.findLast(({ kind }) => kind === 'ack')!;
  const offsetsOf = async (cause: number, mapFirst: number): Promise<unknown> => {
    const { spec } = shifted(PSNS);
    const record = { ...sack, sequence: PSNS * MTU, mrc: { ...sack.mrc!, cause, mapFirst } };
    const [packet] = await readPackets(spec, [record]);
    const { ackPsnOffset, sackOffset } = headersOf(packet!).seth!;
    return [ackPsnOffset, sackOffset];
  };

  it('keep their low 16 bits for a duplicate 2^23 packets behind, and for a bitmap far ahead', async () => {
    // From the last packet that has arrived in order on, PSNS - 1.
    expect(await offsetsOf(PSNS - 1 - 2 ** 15, PSNS - 1 + 2 ** 15 - 1)).toEqual([-(2 ** 15), 2 ** 15 - 1]);
    expect(await offsetsOf(PSNS - 2 - 2 ** 15, PSNS - 1 + 2 ** 15)).toEqual([2 ** 15 - 1, -(2 ** 15)]);
    expect(await offsetsOf(PSNS - 1 - 2 ** 23 + 5, PSNS)).toEqual([5, 1]);
  });
});

describe('Timestamps', () => {
  const TICK_PS = Tseth.TICK_NS * 1000;

  it('wrap after 8.39 ms, also between a packet and its SACK, without an effect on the round trip', async () => {
    const base = scenario({ flows: [], hosts: { mrc: { sackBytes: 0 } }, capture: ['h0:s0', 's0:h0'] });
    const startUs = 2 ** 16 * TICK_PS / 1e6 - 6;
    const { spec, records } = captured({
      ...base,
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h3', sizeBytes: 30 * MTU, startUs }] },
    });
    const packets = await readPackets(spec, records);
    const ticks = packets.flatMap((packet) => headersOf(packet).tseth?.timestamp ?? []);
    expect(ticks.some((one) => one > 0xfff0) && ticks.some((one) => one < 0x10)).toBe(true);
    const tripsPs = records.flatMap(({ kind, timePs }, i) => {
      const state = headersOf(packets[i]!)['mrc-cc-state'];
      if (kind !== 'ack' || state === undefined) return [];
      const now = Math.floor((timePs + hop(SACK)) / TICK_PS) % 2 ** 16;
      return [Tseth.ticksBetween(state.timestamp, now) * TICK_PS];
    });
    expect(tripsPs).toHaveLength(30);
    const exactPs = 2 * (hop(MTU + 106) + hop(SACK));
    for (const tripPs of tripsPs) expect(Math.abs(tripPs - exactPs)).toBeLessThanOrEqual(TICK_PS);
  });
});
