/**
 * How the core reaches what only the full engine has: the doors of the other algorithms (acknowledgements.ts, signals.ts), as
 * function indices, so that the engine of DCQCN alone need not contain them.
 */
import { CONTROLLERS_ADDRESS, RUN_DOOR_ADDRESS } from '../../src/abi/layout';
import { OUTCOME_ACK, OUTCOME_UNKNOWN_KIND } from '../../src/abi/codes';

type Opened = (qp: u32) => void;
type Sent = (qp: u32, timePs: f64, lenBytes: u32) => u32;
type Arrived = (qp: u32, timePs: f64, value: u32) => u32;
type Sample = (qp: u32, trace: usize, traceBytes: u32) => usize;
type Notified = (qp: u32, timePs: f64, cause: u32, record: usize) => u32;
type Touched = (qp: u32, timePs: f64) => void;
type Frame = (index: u32) => u32;
type Run = (from: usize, end: usize) => usize;

/** They stand in the entry that DCQCN would have in the table of algorithms (algorithms/registry.ts). */
const DOOR_OPENED = 0;
const DOOR_SENT = 4;
const DOOR_ACKNOWLEDGED = 8;
const DOOR_LOST = 12;
const DOOR_SAMPLE = 16;
const DOOR_NOTIFIED = 20;
const DOOR_TOUCHED = 24;
const DOOR_ACK_FRAME = 28;

/** Called by the full engine before anything else. */
export function installDoors(opened: Opened, sent: Sent, acknowledged: Arrived, lost: Arrived, run: Run): void {
  store<i32>(CONTROLLERS_ADDRESS, opened.index, DOOR_OPENED);
  store<i32>(CONTROLLERS_ADDRESS, sent.index, DOOR_SENT);
  store<i32>(CONTROLLERS_ADDRESS, acknowledged.index, DOOR_ACKNOWLEDGED);
  store<i32>(CONTROLLERS_ADDRESS, lost.index, DOOR_LOST);
  store<i32>(RUN_DOOR_ADDRESS, run.index);
}

/** The same for signals beside acknowledgements. */
export function installSignalDoors(sample: Sample, notified: Notified, touched: Touched, ackFrame: Frame): void {
  store<i32>(CONTROLLERS_ADDRESS, sample.index, DOOR_SAMPLE);
  store<i32>(CONTROLLERS_ADDRESS, notified.index, DOOR_NOTIFIED);
  store<i32>(CONTROLLERS_ADDRESS, touched.index, DOOR_TOUCHED);
  store<i32>(CONTROLLERS_ADDRESS, ackFrame.index, DOOR_ACK_FRAME);
}

/** A QP under another algorithm than DCQCN was opened. */
export function openUnderControl(qp: u32): void {
  call_indirect<void>(load<i32>(CONTROLLERS_ADDRESS, DOOR_OPENED), qp);
}

/** A data packet of such a QP left; its time is checked. */
export function sentUnderControl(qp: u32, timePs: f64, lenBytes: u32): u32 {
  return call_indirect<u32>(load<i32>(CONTROLLERS_ADDRESS, DOOR_SENT), qp, timePs, lenBytes);
}

/**
 * The AckEvent with the hops that a Fast CNP for such a QP tells of; 0 = none that it could use.
 *
 * @param trace an IOAM trace of `traceBytes` bytes; or with 0 bytes, 1 + the index of an AckEvent, 0 = none.
 */
export function sampleUnderControl(qp: u32, trace: usize, traceBytes: u32): usize {
  return call_indirect<usize>(load<i32>(CONTROLLERS_ADDRESS, DOOR_SAMPLE), qp, trace, traceBytes);
}

/** A CNP or Fast CNP for such a QP; its time can be. `record`: what `sampleUnderControl` returned. */
export function notifiedUnderControl(qp: u32, timePs: f64, cause: u32, record: usize): u32 {
  return call_indirect<u32>(load<i32>(CONTROLLERS_ADDRESS, DOOR_NOTIFIED), qp, timePs, cause, record);
}

/** Time passed for such a QP; it is in order. */
export function touchedUnderControl(qp: u32, timePs: f64): void {
  call_indirect<void>(load<i32>(CONTROLLERS_ADDRESS, DOOR_TOUCHED), qp, timePs);
}

/** A frame with an acknowledgement. */
export function acknowledgedFrame(index: u32): u32 {
  const door = load<i32>(CONTROLLERS_ADDRESS, DOOR_ACK_FRAME);
  return door ? call_indirect<u32>(door, index) : <u32>OUTCOME_ACK;
}

/** An acknowledgement arrived; `index`: its AckEvent record. */
export function acknowledged(qp: u32, timePs: f64, index: u32): u32 {
  return arrived(load<i32>(CONTROLLERS_ADDRESS, DOOR_ACKNOWLEDGED), qp, timePs, index);
}

/** Applies events sorted by parameter set (batch/by-algorithm.ts); returns where it stands: at `from` in the small engine. */
export function eventsByAlgorithm(from: usize, end: usize): usize {
  const door = load<i32>(RUN_DOOR_ADDRESS);
  return door ? call_indirect<usize>(door, from, end) : from;
}

/** A packet was lost; `found`: LOSS_*. */
export function lost(qp: u32, timePs: f64, found: u32): u32 {
  return arrived(load<i32>(CONTROLLERS_ADDRESS, DOOR_LOST), qp, timePs, found);
}

/** The small engine knows no such events. */
@inline function arrived(door: i32, qp: u32, timePs: f64, value: u32): u32 {
  return door ? call_indirect<u32>(door, qp, timePs, value) : OUTCOME_UNKNOWN_KIND;
}
