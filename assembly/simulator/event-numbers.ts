/**
 * The numbers of the events of ports, which come first; those of one port are contiguous. All other events belong to event
 * sources (event-sources.ts).
 */
export const EVENTS_PER_PORT: u32 = 4;
export const KIND_END: u32 = 0;
export const KIND_ARRIVAL: u32 = 1;
const KIND_WAKE: u32 = 2;

/** Number of the event at which a port's transmission ends. */
@inline export function endEvent(port: u32): u32 {
  return port * EVENTS_PER_PORT + KIND_END;
}

/** Number of the event at which the first packet in flight from a port reaches the other end. */
@inline export function arrivalEvent(port: u32): u32 {
  return port * EVENTS_PER_PORT + KIND_ARRIVAL;
}

/** Number of the event at which a QP of a port may send its next packet. */
@inline export function wakeEvent(port: u32): u32 {
  return port * EVENTS_PER_PORT + KIND_WAKE;
}
