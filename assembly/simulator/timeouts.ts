/** The events of retransmission timeouts, one per flow. */
let first: u32 = 0;

/** Sets the first event number of the timeouts. */
export function placeTimeouts(event: u32): void {
  first = event;
}

/** Event number of a flow's retransmission timeout. */
@inline export function timeoutEvent(flow: u32): u32 {
  return first + flow;
}
