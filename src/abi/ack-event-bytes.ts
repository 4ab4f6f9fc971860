/** Length of an AckEvent record, computed as in the engine (assembly/memory/map.ts). */
import { ACK_EVENT_ALIGNMENT, ACK_HOPS, ACK_HOP_BYTES } from './ack-layout.js';

/** Bytes of an AckEvent record with space for this many hops. */
export function ackEventBytes(hops: number): number {
  return Math.ceil((ACK_HOPS + hops * ACK_HOP_BYTES) / ACK_EVENT_ALIGNMENT) * ACK_EVENT_ALIGNMENT;
}
