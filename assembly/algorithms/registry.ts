/**
 * The table of algorithms: the entry points of each, as function indices, and the traits that other modules need.
 *
 *   entry point  open  sent  ack  loss  cnp  touch  deadline  prepare  check  touchBefore  nack  credit
 *   arguments    q: the QP's 64-byte record; p: its parameter record; hops: its stored hops; record: an AckEvent; for a CNP
 *                the one with the reported hops, or 0
 *
 * DCQCN's events are compiled in (dcqcn/transitions.ts), so the table has only its traits. A build without ROCE_ACKS has no
 * other algorithm, and uses only `isBuiltIn` and `isKnown` of this file.
 */
import { ALGORITHM_COUNT, ALGORITHM_DCQCN, DCQCN_TRAITS, READS_CNPS, READS_CREDIT } from '../../src/abi/algorithms';
import { ALGORITHMS_ADDRESS, ALGORITHM_ENTRY_BYTES } from '../../src/abi/layout';

/** Whether this build has algorithms other than DCQCN. */
export const KNOWS_OTHERS: bool = isDefined(ROCE_ACKS);

type Open = (q: usize, p: usize, hops: usize) => void;
type Sent = (q: usize, p: usize, hops: usize, timePs: f64, lenBytes: u32) => void;
type Ack = (q: usize, p: usize, hops: usize, record: usize, timePs: f64) => u32;
type Cnp = (q: usize, p: usize, hops: usize, record: usize, timePs: f64, cause: u32) => u32;
type Loss = (q: usize, p: usize, hops: usize, timePs: f64, found: u32) => void;
type Nack = (q: usize, p: usize, hops: usize, record: usize, timePs: f64) => void;
type Credit = (q: usize, p: usize, hops: usize, record: usize) => bool;
type Touch = (q: usize, p: usize, hops: usize, timePs: f64) => void;
type TouchBefore = (q: usize, p: usize, hops: usize, timePs: f64, sincePs: f64) => void;
type Deadline = (hops: usize) => f64;
type Prepare = (p: usize, table: usize) => usize;
type Check = (q: usize, p: usize, hops: usize) => bool;

const ENTRY_TRAITS = 0;
const ENTRY_OPEN = 4;
const ENTRY_SENT = 8;
const ENTRY_ACK = 12;
const ENTRY_LOSS = 16;
const ENTRY_CNP = 20;
const ENTRY_TOUCH = 24;
const ENTRY_DEADLINE = 28;
const ENTRY_PREPARE = 32;
const ENTRY_CHECK = 36;
const ENTRY_TOUCH_BEFORE = 40;
const ENTRY_NACK = 44;
const ENTRY_CREDIT = 48;

@inline function entryOf(algorithm: u32): usize {
  return <usize>ALGORITHMS_ADDRESS + <usize>algorithm * ALGORITHM_ENTRY_BYTES;
}

@inline function indexAt(algorithm: u32, entry: usize): i32 {
  return load<i32>(entryOf(algorithm) + entry);
}

/** Registers the traits of an algorithm. */
export function registerTraits(algorithm: u32, traits: u32): void {
  store<u32>(entryOf(algorithm), traits, ENTRY_TRAITS);
}

/** Registers an algorithm that reads ACKs. */
export function register(algorithm: u32, traits: u32, open: Open, sent: Sent, ack: Ack): void {
  registerTraits(algorithm, traits);
  const at = entryOf(algorithm);
  store<i32>(at, open.index, ENTRY_OPEN);
  store<i32>(at, sent.index, ENTRY_SENT);
  store<i32>(at, ack.index, ENTRY_ACK);
}

/** Registers the handler of losses. */
export function registerLoss(algorithm: u32, loss: Loss): void {
  store<i32>(entryOf(algorithm), loss.index, ENTRY_LOSS);
}

/** Registers a handler of NACKs that differs from that of losses. */
export function registerNack(algorithm: u32, nack: Nack): void {
  store<i32>(entryOf(algorithm), nack.index, ENTRY_NACK);
}

/** Registers the handler of credit. */
export function registerCredit(algorithm: u32, credit: Credit): void {
  store<i32>(entryOf(algorithm), credit.index, ENTRY_CREDIT);
}

/** Registers the handler of CNPs and Fast CNPs. */
export function registerCnp(algorithm: u32, cnp: Cnp): void {
  store<i32>(entryOf(algorithm), cnp.index, ENTRY_CNP);
}

/** Registers timers: `touch` applies everything due up to and including a time, `deadline` returns the next due time. */
export function registerTime(algorithm: u32, touch: Touch, deadline: Deadline): void {
  store<i32>(entryOf(algorithm), touch.index, ENTRY_TOUCH);
  store<i32>(entryOf(algorithm), deadline.index, ENTRY_DEADLINE);
}

/** Registers the preparation of parameter sets; `prepare` may fill a table, and returns the address after it. */
export function registerPrepare(algorithm: u32, prepare: Prepare): void {
  store<i32>(entryOf(algorithm), prepare.index, ENTRY_PREPARE);
}

/** Registers a check of records from outside, for algorithms whose state contains indices or times. */
export function registerCheck(algorithm: u32, check: Check): void {
  store<i32>(entryOf(algorithm), check.index, ENTRY_CHECK);
}

/**
 * Registers timers that are events in the reference simulator: `touchBefore` applies those that precede an event of the same
 * instant.
 */
export function registerTouchBefore(algorithm: u32, touchBefore: TouchBefore): void {
  store<i32>(entryOf(algorithm), touchBefore.index, ENTRY_TOUCH_BEFORE);
}

/** Whether it is DCQCN, whose events are compiled in. */
@inline export function isBuiltIn(algorithm: u32): bool {
  return !KNOWS_OTHERS || algorithm == ALGORITHM_DCQCN;
}

/** Whether this build has the algorithm. */
export function isKnown(algorithm: u32): bool {
  if (algorithm == ALGORITHM_DCQCN) return true;
  return KNOWS_OTHERS && algorithm < <u32>ALGORITHM_COUNT && indexAt(algorithm, ENTRY_OPEN) != 0;
}

/** Traits of an algorithm. */
@inline export function traitsOf(algorithm: u32): u32 {
  return KNOWS_OTHERS ? load<u32>(entryOf(algorithm), ENTRY_TRAITS) : DCQCN_TRAITS;
}

@inline export function callOpen(algorithm: u32, q: usize, p: usize, hops: usize): void {
  call_indirect<void>(indexAt(algorithm, ENTRY_OPEN), q, p, hops);
}

@inline export function callSent(algorithm: u32, q: usize, p: usize, hops: usize, timePs: f64,
  lenBytes: u32): void {
  call_indirect<void>(indexAt(algorithm, ENTRY_SENT), q, p, hops, timePs, lenBytes);
}

@inline export function callAck(algorithm: u32, q: usize, p: usize, hops: usize, record: usize, timePs: f64): u32 {
  return call_indirect<u32>(indexAt(algorithm, ENTRY_ACK), q, p, hops, record, timePs);
}

/** @returns false if the algorithm does not react to losses. */
@inline export function callLoss(algorithm: u32, q: usize, p: usize, hops: usize, timePs: f64, found: u32): bool {
  const index = indexAt(algorithm, ENTRY_LOSS);
  if (!index) return false;
  call_indirect<void>(index, q, p, hops, timePs, found);
  return true;
}

/** `record`: the NACK's. @returns false if the algorithm treats NACKs as losses. */
@inline export function callNack(algorithm: u32, q: usize, p: usize, hops: usize, record: usize,
  timePs: f64): bool {
  const index = indexAt(algorithm, ENTRY_NACK);
  if (!index) return false;
  call_indirect<void>(index, q, p, hops, record, timePs);
  return true;
}

/** Whether this algorithm uses receiver credit. */
@inline export function readsCredit(algorithm: u32): bool {
  return (traitsOf(algorithm) & READS_CREDIT) != 0;
}

/** Call only for algorithms that read credit. `record`: the credit's. @returns false unless the pull number is newer. */
@inline export function callCredit(algorithm: u32, q: usize, p: usize, hops: usize, record: usize): bool {
  return call_indirect<bool>(indexAt(algorithm, ENTRY_CREDIT), q, p, hops, record);
}

/** Whether this algorithm reacts to CNPs and Fast CNPs. */
@inline export function readsCnps(algorithm: u32): bool {
  return (traitsOf(algorithm) & READS_CNPS) != 0;
}

/** Call only for algorithms that read CNPs. */
@inline export function callCnp(algorithm: u32, q: usize, p: usize, hops: usize, record: usize, timePs: f64,
  cause: u32): u32 {
  return call_indirect<u32>(indexAt(algorithm, ENTRY_CNP), q, p, hops, record, timePs, cause);
}

@inline export function callTouch(algorithm: u32, q: usize, p: usize, hops: usize, timePs: f64): void {
  const index = indexAt(algorithm, ENTRY_TOUCH);
  if (index) call_indirect<void>(index, q, p, hops, timePs);
}

/** Call only for algorithms with the trait TIMED. */
export function callTouchBefore(algorithm: u32, q: usize, p: usize, hops: usize, timePs: f64, sincePs: f64): void {
  call_indirect<void>(indexAt(algorithm, ENTRY_TOUCH_BEFORE), q, p, hops, timePs, sincePs);
}

/** Next time when the rate can change without an event; Infinity if it can't. */
@inline export function callDeadline(algorithm: u32, hops: usize): f64 {
  const index = indexAt(algorithm, ENTRY_DEADLINE);
  return index ? call_indirect<f64>(index, hops) : Infinity;
}

/** @returns the address for the next parameter set's table. */
@inline export function callPrepare(algorithm: u32, p: usize, table: usize): usize {
  const index = indexAt(algorithm, ENTRY_PREPARE);
  return index ? call_indirect<usize>(index, p, table) : table;
}

/** Whether the record of a QP from outside is valid. */
@inline export function callCheck(algorithm: u32, q: usize, p: usize, hops: usize): bool {
  const index = indexAt(algorithm, ENTRY_CHECK);
  return index ? call_indirect<bool>(index, q, p, hops) : true;
}
