/**
 * The table of algorithms: what each does when a QP opens, sends, is acknowledged, loses a packet, is notified of congestion,
 * or lives through some time. DCQCN is not in it: its hot path is compiled in (rp/reaction-point.ts).
 *
 *   transition  open  sent  ack  loss  notify  timer
 *   arguments   q: the QP's 64-byte record; p: its parameter record; hops: its kept hops; record: an AckEvent, of a
 *               notification the one with its hops or 0
 *
 * A build that registers no others is the small engine of DCQCN alone (assembly/engine-core.ts).
 */
import { ALGORITHM_COUNT } from '../../src/abi/ack-layout';
import { CONTROLLERS_ADDRESS } from '../../src/abi/layout';

type Open = (q: usize, p: usize, hops: usize) => void;
type Sent = (q: usize, p: usize, timePs: f64, lenBytes: u32) => void;
type Ack = (q: usize, p: usize, hops: usize, record: usize, timePs: f64) => u32;
type Loss = (q: usize, p: usize, timePs: f64, found: u32) => void;
type Notify = (q: usize, p: usize, hops: usize, record: usize, timePs: f64) => u32;
type Timer = (q: usize, p: usize, hops: usize, timePs: f64) => void;

/** Function indices of an algorithm; 0 = none. */
const ENTRY_BYTES = 32;
const ENTRY_OPEN = 0;
const ENTRY_SENT = 4;
const ENTRY_ACK = 8;
const ENTRY_LOSS = 12;
const ENTRY_NOTIFY = 16;
const ENTRY_TIMER = 20;

@inline function entryOf(algorithm: u32): usize {
  return <usize>CONTROLLERS_ADDRESS + <usize>algorithm * ENTRY_BYTES;
}

/** Makes an algorithm known; one that does not react to losses, notifications or time gives none. */
export function register(algorithm: u32, open: Open, sent: Sent, ack: Ack, loss: Loss | null = null,
  notify: Notify | null = null, timer: Timer | null = null): void {
  const at = entryOf(algorithm);
  store<i32>(at, open.index, ENTRY_OPEN);
  store<i32>(at, sent.index, ENTRY_SENT);
  store<i32>(at, ack.index, ENTRY_ACK);
  store<i32>(at, loss ? loss.index : 0, ENTRY_LOSS);
  store<i32>(at, notify ? notify.index : 0, ENTRY_NOTIFY);
  store<i32>(at, timer ? timer.index : 0, ENTRY_TIMER);
}

/** Is this an algorithm of this build other than DCQCN? */
export function isRegistered(algorithm: u32): bool {
  return algorithm < <u32>ALGORITHM_COUNT && load<i32>(entryOf(algorithm), ENTRY_OPEN) != 0;
}

@inline export function openController(algorithm: u32, q: usize, p: usize, hops: usize): void {
  call_indirect<void>(load<i32>(entryOf(algorithm), ENTRY_OPEN), q, p, hops);
}

@inline export function sentByController(algorithm: u32, q: usize, p: usize, timePs: f64, lenBytes: u32): void {
  call_indirect<void>(load<i32>(entryOf(algorithm), ENTRY_SENT), q, p, timePs, lenBytes);
}

@inline export function ackController(algorithm: u32, q: usize, p: usize, hops: usize, record: usize,
  timePs: f64): u32 {
  return call_indirect<u32>(load<i32>(entryOf(algorithm), ENTRY_ACK), q, p, hops, record, timePs);
}

/** @returns false when the algorithm does not react to losses. */
@inline export function loseAtController(algorithm: u32, q: usize, p: usize, timePs: f64, found: u32): bool {
  const index = load<i32>(entryOf(algorithm), ENTRY_LOSS);
  if (!index) return false;
  call_indirect<void>(index, q, p, timePs, found);
  return true;
}

/** Does this algorithm react to CNPs or Fast CNPs? */
@inline export function isNotifiable(algorithm: u32): bool {
  return load<i32>(entryOf(algorithm), ENTRY_NOTIFY) != 0;
}

/** To be called for those that are notifiable only. */
@inline export function notifyController(algorithm: u32, q: usize, p: usize, hops: usize, record: usize,
  timePs: f64): u32 {
  return call_indirect<u32>(load<i32>(entryOf(algorithm), ENTRY_NOTIFY), q, p, hops, record, timePs);
}

/** Applies what is due up to and including a time. */
@inline export function timeAtController(algorithm: u32, q: usize, p: usize, hops: usize, timePs: f64): void {
  const index = load<i32>(entryOf(algorithm), ENTRY_TIMER);
  if (index) call_indirect<void>(index, q, p, hops, timePs);
}
