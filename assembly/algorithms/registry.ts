/**
 * The table of algorithms: for each its entry points, as function indices, and the traits that other modules need.
 *
 *   entry point  open  sent  ack  loss  cnp  touch  deadline  prepare  check  touchBefore  nack  credit
 *   arguments    q: the QP's 64-byte record; p: its parameter record; hops: its kept hops; record: an AckEvent, of a CNP
 *                the one with the hops that came along, or 0
 *
 * DCQCN's events are compiled in (dcqcn/transitions.ts): of it the table holds only the traits. A build without ROCE_ACKS
 * knows no other algorithm, and holds no line of this but `isBuiltIn` and `isKnown`.
 */
import { ALGORITHM_COUNT, ALGORITHM_DCQCN, DCQCN_TRAITS, READS_CNPS, READS_CREDIT } from '../../src/abi/algorithms';
import { ALGORITHMS_ADDRESS, ALGORITHM_ENTRY_BYTES } from '../../src/abi/layout';

/** Whether this build has other algorithms than DCQCN. */
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

/** Makes an algorithm known that reads acknowledgements. */
export function register(algorithm: u32, traits: u32, open: Open, sent: Sent, ack: Ack): void {
  registerTraits(algorithm, traits);
  const at = entryOf(algorithm);
  store<i32>(at, open.index, ENTRY_OPEN);
  store<i32>(at, sent.index, ENTRY_SENT);
  store<i32>(at, ack.index, ENTRY_ACK);
}

/** The algorithm reacts to losses. */
export function registerLoss(algorithm: u32, loss: Loss): void {
  store<i32>(entryOf(algorithm), loss.index, ENTRY_LOSS);
}

/** The algorithm tells NACKs from other losses. */
export function registerNack(algorithm: u32, nack: Nack): void {
  store<i32>(entryOf(algorithm), nack.index, ENTRY_NACK);
}

/** The algorithm reacts to credit. */
export function registerCredit(algorithm: u32, credit: Credit): void {
  store<i32>(entryOf(algorithm), credit.index, ENTRY_CREDIT);
}

/** The algorithm reacts to CNPs and Fast CNPs. */
export function registerCnp(algorithm: u32, cnp: Cnp): void {
  store<i32>(entryOf(algorithm), cnp.index, ENTRY_CNP);
}

/** The algorithm acts by time: `touch` applies what is due up to and including a time, `deadline` says when. */
export function registerTime(algorithm: u32, touch: Touch, deadline: Deadline): void {
  store<i32>(entryOf(algorithm), touch.index, ENTRY_TOUCH);
  store<i32>(entryOf(algorithm), deadline.index, ENTRY_DEADLINE);
}

/** The algorithm prepares its parameter sets; `prepare` returns where a table that it has filled ends. */
export function registerPrepare(algorithm: u32, prepare: Prepare): void {
  store<i32>(entryOf(algorithm), prepare.index, ENTRY_PREPARE);
}

/** The algorithm indexes or waits by what it keeps: `check` says whether a record from outside can be worked with. */
export function registerCheck(algorithm: u32, check: Check): void {
  store<i32>(entryOf(algorithm), check.index, ENTRY_CHECK);
}

/**
 * The algorithm has timers that are events in the reference simulator: `touchBefore` applies those that precede an event of the
 * same instant.
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

/** @returns false when the algorithm does not react to losses. */
@inline export function callLoss(algorithm: u32, q: usize, p: usize, hops: usize, timePs: f64, found: u32): bool {
  const index = indexAt(algorithm, ENTRY_LOSS);
  if (!index) return false;
  call_indirect<void>(index, q, p, hops, timePs, found);
  return true;
}

/** `record`: the NACK's. @returns false when to the algorithm it is a loss as any other. */
@inline export function callNack(algorithm: u32, q: usize, p: usize, hops: usize, record: usize,
  timePs: f64): bool {
  const index = indexAt(algorithm, ENTRY_NACK);
  if (!index) return false;
  call_indirect<void>(index, q, p, hops, record, timePs);
  return true;
}

/** Whether the receiver of its data grants credit. */
@inline export function readsCredit(algorithm: u32): bool {
  return (traitsOf(algorithm) & READS_CREDIT) != 0;
}

/** To be called for those that read it only. `record`: the credit's. @returns false for a pull number that is no news. */
@inline export function callCredit(algorithm: u32, q: usize, p: usize, hops: usize, record: usize): bool {
  return call_indirect<bool>(indexAt(algorithm, ENTRY_CREDIT), q, p, hops, record);
}

/** Whether this algorithm reacts to CNPs and Fast CNPs. */
@inline export function readsCnps(algorithm: u32): bool {
  return (traitsOf(algorithm) & READS_CNPS) != 0;
}

/** To be called for those that read them only. */
@inline export function callCnp(algorithm: u32, q: usize, p: usize, hops: usize, record: usize, timePs: f64,
  cause: u32): u32 {
  return call_indirect<u32>(indexAt(algorithm, ENTRY_CNP), q, p, hops, record, timePs, cause);
}

@inline export function callTouch(algorithm: u32, q: usize, p: usize, hops: usize, timePs: f64): void {
  const index = indexAt(algorithm, ENTRY_TOUCH);
  if (index) call_indirect<void>(index, q, p, hops, timePs);
}

/** To be called for algorithms with the trait TIMED only. */
export function callTouchBefore(algorithm: u32, q: usize, p: usize, hops: usize, timePs: f64, sincePs: f64): void {
  call_indirect<void>(indexAt(algorithm, ENTRY_TOUCH_BEFORE), q, p, hops, timePs, sincePs);
}

/** When the rate can next change without an event; Infinity when it can't. */
@inline export function callDeadline(algorithm: u32, hops: usize): f64 {
  const index = indexAt(algorithm, ENTRY_DEADLINE);
  return index ? call_indirect<f64>(index, hops) : Infinity;
}

/** @returns where the next parameter set's table may begin. */
@inline export function callPrepare(algorithm: u32, p: usize, table: usize): usize {
  const index = indexAt(algorithm, ENTRY_PREPARE);
  return index ? call_indirect<usize>(index, p, table) : table;
}

/** Whether the record of a QP from outside is valid. */
@inline export function callCheck(algorithm: u32, q: usize, p: usize, hops: usize): bool {
  const index = indexAt(algorithm, ENTRY_CHECK);
  return index ? call_indirect<bool>(index, q, p, hops) : true;
}
