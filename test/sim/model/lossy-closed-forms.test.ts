/**
 * Thirty packets between two hosts over one switch, of which some are dropped: what is retransmitted, and when the flow is
 * complete. 100 Gb/s, 1 us; a packet takes 83 ns, an ACK 4 ns; times of docs/specs/reference-lossy.md, section 12.
 */
import { describe, expect, it } from 'vitest';
import type { ForcedDrop, LossyTransport } from '../../../src/sim/features/reference-lossy/plan.js';
import { modelNetwork } from '../../model/model.js';
import { ns } from '../../../src/units.js';
import { lossyStarPlan } from './support/lossy-star-plan.js';

const PACKETS = 30;
const PACKET_BYTES = 1000;
const PACKET_NS = 83;
/** Round trip of a packet and its ACK. */
const TRIP_NS = 2 * (PACKET_NS + 1000) + 2 * (4 + 1000);
const GO_BACK_N_TIMEOUT_NS = 4_000_000;
const [IRN_SHORT_NS, IRN_LONG_NS] = [100_000, 320_000];

function run(transport: LossyTransport, drops: readonly (readonly [packet: number, count: number])[]) {
  const forcedDrops = drops.flatMap(([packet, count]) =>
    Array.from({ length: count }, (_, before): ForcedDrop => ({
      flow: 0,
      sequence: packet * PACKET_BYTES,
      arrival: before + 1,
    }))
  );
  const options = { senders: 1, sizeBytes: PACKETS * PACKET_BYTES };
  const { flows: [flow], totals } = modelNetwork(lossyStarPlan(options, { transport, forcedDrops }));
  expect(totals.packetsIn).toBe(totals.packetsOut + totals.packetsInFlight + totals.packetsDropped);
  return flow;
}

const LAST_FIVE = [25, 26, 27, 28, 29].map((packet) => [packet, 1] as const);

describe('A flow of thirty packets', () => {
  it.each(['go-back-n', 'irn'] as const)('takes 29 packet times and a round trip without a loss, under %s',
    (transport) => {
      const flow = run(transport, []);
      expect(flow.completionPs).toBe(ns(29 * PACKET_NS + TRIP_NS));
      expect([flow.sent, flow.acks, flow.naks, flow.timeouts]).toEqual([PACKETS, PACKETS, 0, 0]);
    });

  it('that loses the sixth makes go-back-N retransmit it and all later packets', () => {
    const flow = run('go-back-n', [[5, 1]]);
    // The seventh brings the NAK.
    expect(flow.completionPs).toBe(ns(6 * PACKET_NS + TRIP_NS + 24 * PACKET_NS + TRIP_NS));
    expect([flow.retransmitted, flow.naks, flow.outOfOrder]).toEqual([25, 1, 24]);
  });

  it('that loses the sixth completes under IRN with the ACK of the filled gap, and mostly retransmits spuriously', () => {
    const flow = run('irn', [[5, 1]]);
    expect(flow.completionPs).toBe(ns(6 * PACKET_NS + TRIP_NS + TRIP_NS));
    expect([flow.retransmitted, flow.naks]).toEqual([23, 24]);
  });

  it.each([
    ['go-back-n', GO_BACK_N_TIMEOUT_NS],
    ['irn', IRN_SHORT_NS],
  ] as const)('that loses the last makes %s wait for its timeout, counted from the last ACK',
    (transport, timeoutNs) => {
      const flow = run(transport, [[29, 1]]);
      expect(flow.completionPs).toBe(ns(28 * PACKET_NS + TRIP_NS + timeoutNs + TRIP_NS));
      expect([flow.retransmitted, flow.timeouts]).toEqual([1, 1]);
    });

  it.each([
    ['go-back-n', GO_BACK_N_TIMEOUT_NS],
    ['irn', IRN_LONG_NS],
  ] as const)('that loses the last five makes %s wait for the timeout of more than three packets in flight',
    (transport, timeoutNs) => {
      const flow = run(transport, LAST_FIVE);
      expect(flow.completionPs).toBe(ns(24 * PACKET_NS + TRIP_NS + timeoutNs + 4 * PACKET_NS + TRIP_NS));
      expect([flow.retransmitted, flow.timeouts]).toEqual([5, 1]);
    });

  it('that loses the sixth twice recovers by the next NAK under go-back-N, and by a timeout under IRN', () => {
    expect(run('go-back-n', [[5, 2]])).toMatchObject({ completionPs: ns(15_095), timeouts: 0 });
    expect(run('irn', [[5, 2]])).toMatchObject({ completionPs: ns(334_763), timeouts: 1 });
  });
});
