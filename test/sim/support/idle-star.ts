/**
 * One flow on an idle star of two hosts, 100 Gb/s and 1 us, whose packets and times are counted by hand.
 *
 *   d   a data packet's time on a link        T   from the start of a packet to its ACK's arrival
 */
import type { FaultSpec } from '../../../src/sim/scenario/spec.js';
import { gbps, us } from '../../../src/units.js';

export const MTU = 1024;
/** Headers 82, ACK 86, and 20 more of each on the wire. */
const [DATA_BYTES, ACK_BYTES, WIRE_BYTES] = [MTU + 82, 86, 20];
/** Packets of the flow. */
export const N = 30;
/** 4.096 us 2^7. */
export const TIMEOUT = 7;
export const RTO = us(524.288);

/** Time of a frame on a link. */
export const tx = (lenBytes: number): number => Math.ceil(((lenBytes + WIRE_BYTES) * 8e12) / gbps(100));
export const d = tx(DATA_BYTES);
export const T = 2 * d + 2 * tx(ACK_BYTES) + 4 * us(1);

/** The n-th arrival of a packet, or of the response that expects it, at the switch. */
export interface Loss {
  readonly packet: number;
  readonly arrival?: number;
  readonly of?: 'data' | 'ack';
}

export function dropsOf(losses: readonly Loss[]): FaultSpec[] {
  return losses.map(({ packet, arrival = 1, of = 'data' }) => ({
    kind: 'drop',
    flow: 0,
    firstByte: packet * MTU,
    arrival,
    of,
  }));
}

/** The counters of a result for retransmitted packets. */
export const packets = (count: number) => ({ retransmittedPackets: count, retransmittedBytes: count * MTU });
