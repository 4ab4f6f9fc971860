/**
 * The range of an MRC receiver (O6), shorter than that of its sender: accepted packets, and the handling of packets
 * beyond.
 */
import { describe, expect, it } from 'vitest';
import type { SimResult } from '../../src/sim/result.js';
import type { FaultSpec, MrcSpec } from '../../src/sim/scenario/spec.js';
import { readPackets } from '../support/mrc-captures.js';
import { MTU, NACK, run, type Setting } from './support/mrc-star.js';

const RANGE = 4;
const SHORT: MrcSpec = { receiverRangePackets: RANGE };
/** The first packet is lost, so the receiver expects it until its timeout, and all others arrive ahead. */
const FIRST_LOST: readonly FaultSpec[] = [{ kind: 'drop', flow: 0, firstByte: 0, arrival: 1 }];

/** A flow whose first packet is lost. No SACK shows the loss, so the packet's timer detects it, 100 us after it was sent. */
function behindGap(packets: number, mrc: MrcSpec = SHORT,
  more: Partial<Setting['hosts']> = {}): ReturnType<typeof run> {
  return run({
    flows: [['h0', packets]],
    faults: FIRST_LOST,
    hosts: {
      retransmitTimeoutUs: 100,
      mrc: { sackBytes: 2 ** 31, reorderUs: 0, timer: 'per-packet', ...mrc },
      ...more,
    },
    capture: ['h0:s0', 'h3:s0'],
  });
}

/** Numbers of the packets that NACKs name, each once. */
function nacked({ records }: ReturnType<typeof run>): number[] {
  return [...new Set(records.filter(({ kind }) => kind === 'nack').map(({ sequence }) => sequence / MTU))];
}

function expectComplete({ flows }: SimResult): void {
  expect(flows.map(({ completionPs }) => completionPs)).not.toContain(null);
}

describe('With the first packet missing, a receiver with a range of four packets', () => {
  it('accepts the last one of its range', () => {
    const ran = behindGap(RANGE);
    expect(nacked(ran)).toEqual([]);
    const { flows: [flow] } = ran.result;
    expect([flow!.beyondWindowPackets, flow!.naks, flow!.outOfOrderPackets]).toEqual([undefined, undefined, RANGE - 1]);
  });

  it('rejects the packet after it with a NACK and its reason until the gap is filled, then accepts it', () => {
    const ran = behindGap(RANGE + 1);
    expect(nacked(ran)).toEqual([RANGE]);
    const nacks = ran.records.filter(({ kind }) => kind === 'nack');
    expect(new Set(nacks.map(({ lenBytes, mrc }) => `${lenBytes} ${mrc?.rejected} ${mrc?.trimmed}`)))
      .toEqual(new Set([`${NACK} out-of-range undefined`]));
    const { flows: [flow], totals } = ran.result;
    expectComplete(ran.result);
    expect(flow).toMatchObject({ beyondWindowPackets: nacks.length, naks: nacks.length });
    expect(totals.nacks).toBe(nacks.length);
    // All copies of the packet but the last one were rejected.
    const copies = ran.records.filter(({ kind, sequence }) => kind === 'data' && sequence === RANGE * MTU);
    expect(copies).toHaveLength(nacks.length + 1);
  });

  it('sends no NACK under policy drop, so that the timer of the packet causes its retransmission', () => {
    const ran = behindGap(RANGE + 1, { ...SHORT, oorPolicy: 'drop' });
    expect(ran.records.some(({ kind }) => kind === 'nack')).toBe(false);
    const { flows: [flow] } = ran.result;
    expectComplete(ran.result);
    expect([flow!.beyondWindowPackets, flow!.naks]).toEqual([1, undefined]);
  });

  it('has a NACK with code 0x0B, the PSN and the entropy of the packet in a capture', async () => {
    const { spec, records } = behindGap(RANGE + 1, SHORT, { pathSelection: 'entropy-states', entropies: 16 });
    const packets = await readPackets(spec, records);
    const neth = packets.flatMap(({ layers }) => layers).find(({ kind }) => kind === 'neth');
    const data = packets.find(({ mrc }) => mrc?.kind === 'data' && mrc.psn === RANGE);
    expect(neth?.value).toMatchObject({ reason: 0x0b, nackPsn: RANGE, entropy: data!.mrc!.entropy! & 0xffff });
  });
});

it('A range at least as long as the sender may send ahead has no effect', () => {
  const hosts = { reorderingWindowPackets: RANGE };
  const same = behindGap(20, {}, hosts).result;
  for (const receiverRangePackets of [RANGE, RANGE + 1, 65_536]) {
    const { flows, totals } = behindGap(20, { receiverRangePackets }, hosts).result;
    expect({ flows, totals }).toEqual({ flows: same.flows, totals: same.totals });
  }
  expect(same.flows[0]!.beyondWindowPackets).toBeUndefined();
});

describe('A packet beyond the range', () => {
  it('counts as a retry of its flow, which fails when no retries are left', () => {
    const { flows: [flow] } = behindGap(RANGE + 1, SHORT, { retryCount: 2 }).result;
    expect(flow).toMatchObject({ failure: 'retry-exceeded', naks: 3, timeouts: 0 });
  });

  it('leaves its entropy in use, as its retransmissions use both entropies of the flow', () => {
    const { result, records } = behindGap(RANGE + 1, SHORT, {
      pathSelection: 'entropy-states',
      entropies: 2,
      entropyStates: { reserve: 0 },
    });
    const ports = records.filter(({ kind, sequence }) => kind === 'data' && sequence === RANGE * MTU)
      .map(({ sourcePort }) => sourcePort);
    // Until the timeout removes the entropy of the lost packet, the copies use both in alternation.
    expect(new Set(ports).size).toBe(2);
    expect(result.flows[0]!.naks).toBeGreaterThan(2);
  });

  it('does not count as progress, so the timer of the flow expires while NACKs arrive', () => {
    const { result } = behindGap(RANGE + 1, { ...SHORT, timer: 'per-flow' });
    expectComplete(result);
    expect(result.flows[0]!.timeouts).toBe(1);
  });
});
