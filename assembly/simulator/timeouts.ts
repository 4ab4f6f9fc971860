/** The events of retransmission timeouts, one per flow. */
let first: u32 = 0;

/** Timeouts have event numbers from `event` on. */
export function placeTimeouts(event: u32): void {
  first = event;
}

/** A flow's retransmission timeout. */
@inline export function timeoutEvent(flow: u32): u32 {
  return first + flow;
}
