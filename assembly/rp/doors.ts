/**
 * How the core reaches what only the full engine has: the four doors of algorithms that steer by acknowledgements
 * (acknowledgements.ts), as function indices, so that the engine of DCQCN alone need not contain them.
 */
import { CONTROLLERS_ADDRESS } from '../../src/abi/layout';
import { OUTCOME_UNKNOWN_KIND } from '../../src/abi/codes';

type Opened = (qp: u32) => void;
type Sent = (qp: u32, timePs: f64, lenBytes: u32) => u32;
type Arrived = (qp: u32, timePs: f64, value: u32) => u32;

/** They stand in the entry that DCQCN would have in the table of algorithms (cc/controllers.ts). */
const DOOR_OPENED = 0;
const DOOR_SENT = 4;
const DOOR_ACKNOWLEDGED = 8;
const DOOR_LOST = 12;

/** Called by the full engine before anything else. */
export function installDoors(opened: Opened, sent: Sent, acknowledged: Arrived, lost: Arrived): void {
  store<i32>(CONTROLLERS_ADDRESS, opened.index, DOOR_OPENED);
  store<i32>(CONTROLLERS_ADDRESS, sent.index, DOOR_SENT);
  store<i32>(CONTROLLERS_ADDRESS, acknowledged.index, DOOR_ACKNOWLEDGED);
  store<i32>(CONTROLLERS_ADDRESS, lost.index, DOOR_LOST);
}

/** A QP under another algorithm than DCQCN was opened. */
export function openUnderControl(qp: u32): void {
  call_indirect<void>(load<i32>(CONTROLLERS_ADDRESS, DOOR_OPENED), qp);
}

/** A data packet of such a QP left; its time is checked. */
export function sentUnderControl(qp: u32, timePs: f64, lenBytes: u32): u32 {
  return call_indirect<u32>(load<i32>(CONTROLLERS_ADDRESS, DOOR_SENT), qp, timePs, lenBytes);
}

/** An acknowledgement arrived; `index`: its AckEvent record. */
export function acknowledged(qp: u32, timePs: f64, index: u32): u32 {
  return arrived(load<i32>(CONTROLLERS_ADDRESS, DOOR_ACKNOWLEDGED), qp, timePs, index);
}

/** A packet was lost; `found`: LOSS_*. */
export function lost(qp: u32, timePs: f64, found: u32): u32 {
  return arrived(load<i32>(CONTROLLERS_ADDRESS, DOOR_LOST), qp, timePs, found);
}

/** The small engine knows no such events. */
@inline function arrived(door: i32, qp: u32, timePs: f64, value: u32): u32 {
  return door ? call_indirect<u32>(door, qp, timePs, value) : OUTCOME_UNKNOWN_KIND;
}
