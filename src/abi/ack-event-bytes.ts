/** Length of an AckEvent record, as the engine has it (assembly/memory/map.ts). */
import { ACK_EVENT_ALIGNMENT, ACK_HOPS, ACK_HOP_BYTES } from './ack-layout.js';

/** Bytes of an AckEvent with room for that many hops. */
export function ackEventBytes(hops: number): number {
  return Math.ceil((ACK_HOPS + hops * ACK_HOP_BYTES) / ACK_EVENT_ALIGNMENT) * ACK_EVENT_ALIGNMENT;
}
