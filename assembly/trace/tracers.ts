/**
 * The table of explanations: what an algorithm other than DCQCN tells of an ACK or a loss that changes its rate.
 *
 * An explanation is made before the transition, from the state that the event finds: it changes nothing, and fills the next
 * record of the trace. An algorithm without one has TRACE_OTHER and no inputs. One whose rate also changes at other times, or
 * more than once at a time (HPCC++), tells each step itself.
 */
import { TRACERS_ADDRESS } from '../../src/abi/trace-layout';
import { describeNothing } from './ring';

type ExplainAck = (q: usize, p: usize, hops: usize, record: usize, timePs: f64) => void;
type ExplainLoss = (q: usize, p: usize, timePs: f64, found: u32) => void;

const ENTRY_SHIFT = 3;
const ENTRY_ACK = 0;
const ENTRY_LOSS = 4;
/** Stands for an explanation where the algorithm tells its steps itself. */
const TELLS_ITSELF: i32 = -1;

@inline function entryOf(algorithm: u32): usize {
  return <usize>TRACERS_ADDRESS + (<usize>algorithm << ENTRY_SHIFT);
}

/** Makes an explanation known. */
export function registerTracer(algorithm: u32, ack: ExplainAck, loss: ExplainLoss | null = null): void {
  store<i32>(entryOf(algorithm), ack.index, ENTRY_ACK);
  store<i32>(entryOf(algorithm), loss ? loss.index : 0, ENTRY_LOSS);
}

/** Makes known that an algorithm, which knows no losses, tells each of its steps itself. */
export function registerOwnTracer(algorithm: u32): void {
  store<i32>(entryOf(algorithm), TELLS_ITSELF, ENTRY_ACK);
}

/** Explains an ACK that is about to act. @returns is the change to be kept, or does the algorithm tell it? */
export function explainAck(algorithm: u32, q: usize, p: usize, hops: usize, record: usize, timePs: f64): bool {
  const index = load<i32>(entryOf(algorithm), ENTRY_ACK);
  if (index == TELLS_ITSELF) return false;
  describeNothing();
  if (index) call_indirect<void>(index, q, p, hops, record, timePs);
  return true;
}

/** Explains a loss that is about to act. */
export function explainLoss(algorithm: u32, q: usize, p: usize, timePs: f64, found: u32): void {
  describeNothing();
  const index = load<i32>(entryOf(algorithm), ENTRY_LOSS);
  if (index) call_indirect<void>(index, q, p, timePs, found);
}
