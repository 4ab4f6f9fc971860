/**
 * NSCC, network-signalled congestion control, as the reference has it (docs/specs/uet-reference.md, 6). Its inputs are the mark and the
 * queuing delay.
 *
 *   A = bdp(rtt0) / 150000, B = target / 12e6;   alpha = 4 mss A B / target, fi = 5 mss A, eta = 0.15 mss A, scale = 0.25 A
 *
 *   not marked, delay >= target   fair increase             inc += fi b
 *   not marked, delay <  target   proportional increase     inc += alpha b (target - delay), unless fast increase:
 *                                 delay < 1 us for a window: cwnd += scale b
 *   marked, delay >= target       multiplicative decrease   cwnd *= max(1 - 0.8 (avg - target) / avg, 0.5), once per RTT
 *   marked, delay <  target       nothing
 *   fulfil                        every 8 mtu or rtt0       cwnd += inc / cwnd;  after rtt0: cwnd += eta
 *   quick adapt                   after NACKs, or delay > 4 target, once per RTT + target, if achieved < max / 2^gate:
 *                                 cwnd := max(achieved, mtu), and marks are ignored until what was in flight is gone
 *
 * Kept of the reference: inc has 32 bits; a hit of quick adapt ends all else on this ACK; only an elapsed period resets the clock of
 * fulfilments, so after one by bytes it runs on.
 */
import { UetFlow } from '../records/uet-flows';
import { nowPs } from './events';
import { updateAverage } from './flow-state';
import { isReceiverControlled, mtuBytes, rttPs, targetPs } from './settings';
import { run } from './stop';

const FAST_DELAY_PS: f64 = 1e6;
const GAMMA: f64 = 0.8;
const DECREASE_MAX: f64 = 0.5;
const QUICK_TARGETS: f64 = 4;
const ADJUST_MTUS: f64 = 8;
const WORD: f64 = 4294967296;
const I64_END: f64 = 9223372036854775808;

/** @param bytes newly reported as received. */
export function nsccOnAck(flow: UetFlow, isMarked: bool, delayPs: f64, bytes: f64): void {
  if (quickAdapt(flow, isMarked, delayPs, false)) return;
  const isLate = delayPs >= targetPs;
  if (!isMarked && isLate) fairIncrease(flow, bytes);
  else if (!isMarked) proportionalIncrease(flow, bytes, delayPs);
  else if (isLate) multiplicativeDecrease(flow);
  bound(flow);
  fulfil(flow);
  bound(flow);
}

/** @param bytes of the packet that was trimmed. */
export function nsccOnNack(flow: UetFlow, bytes: f64, isLastHop: bool): void {
  flow.ignoredBytes += <u32>bytes;
  updateAverage(flow, rttPs, true);
  flow.wasNacked = 1;
  flow.nackChange += bytes;
  if (quickAdapt(flow, true, 0, true)) return;
  if (isReceiverControlled && isLastHop) return;
  flow.windowBytes -= bytes;
  bound(flow);
}

/** Returns whether this was a hit, which ends all else. */
function quickAdapt(flow: UetFlow, isMarked: bool, delayPs: f64, isLoss: bool): bool {
  let isHit = false;
  if (isMarked && flow.ignoredBytes < flow.ignoreBytes) {
    isHit = true;
  } else if (nowPs > flow.quickEndPs) {
    if (flow.quickEndPs != 0 && isCollapsed(flow, delayPs, isLoss)) {
      jump(flow);
      isHit = true;
    }
    flow.achievedBytes = 0;
    flow.quickEndPs = nowPs + flow.baseRttPs + targetPs;
  }
  if (isHit) {
    flow.increase = 0;
    flow.receivedBytes = 0;
  }
  return isHit;
}

function isCollapsed(flow: UetFlow, delayPs: f64, isLoss: bool): bool {
  const isCongested = flow.wasNacked != 0 || isLoss || delayPs > QUICK_TARGETS * targetPs;
  return isCongested && flow.achievedBytes < floor(flow.maxWindowBytes / run.quickDivisor);
}

/** The window becomes what one RTT has achieved, which may be more than before. */
function jump(flow: UetFlow): void {
  const before = flow.windowBytes;
  flow.windowBytes = max(flow.achievedBytes, mtuBytes);
  flow.quickChange += before - flow.windowBytes;
  flow.ignoreBytes = <u32><i64>flow.inFlightBytes;
  flow.ignoredBytes = 0;
  flow.wasNacked = 0;
}

function fairIncrease(flow: UetFlow, bytes: f64): void {
  const before = flow.increase;
  flow.increase = wordOf(before + run.fair * bytes);
  flow.fairSum += flow.increase - before;
}

function proportionalIncrease(flow: UetFlow, bytes: f64, delayPs: f64): void {
  if (fastIncrease(flow, bytes, delayPs)) return;
  const before = flow.increase;
  flow.increase = wordOf(before + run.alpha * bytes * (targetPs - delayPs));
  flow.proportionalSum += flow.increase - before;
}

/** Returns whether it was active. */
function fastIncrease(flow: UetFlow, bytes: f64, delayPs: f64): bool {
  if (delayPs < FAST_DELAY_PS) {
    flow.fastBytes += <u32><i64>bytes;
    if (<f64>flow.fastBytes > flow.windowBytes || flow.isFast) {
      const before = flow.windowBytes;
      flow.windowBytes = trunc(before + bytes * run.fastScale);
      flow.fastChange += flow.windowBytes - before;
      flow.isFast = 1;
      return true;
    }
  } else {
    flow.fastBytes = 0;
  }
  flow.isFast = 0;
  return false;
}

function multiplicativeDecrease(flow: UetFlow): void {
  const averagePs = flow.averageDelayPs;
  flow.isFast = 0;
  flow.fastBytes = 0;
  if (averagePs <= targetPs || nowPs - flow.lastDecreasePs <= flow.baseRttPs) return;
  const before = flow.windowBytes;
  const factor = max(1 - (GAMMA * (averagePs - targetPs)) / averagePs, DECREASE_MAX);
  flow.windowBytes = max(trunc(before * factor), mtuBytes);
  flow.multiplicativeChange += before - flow.windowBytes;
  flow.lastDecreasePs = nowPs;
}

@inline function bound(flow: UetFlow): void {
  flow.windowBytes = min(max(flow.windowBytes, mtuBytes), flow.maxWindowBytes);
}

function fulfil(flow: UetFlow): void {
  const elapsedPs = nowPs - flow.lastAdjustPs;
  if (flow.receivedBytes <= ADJUST_MTUS * mtuBytes && elapsedPs <= rttPs) return;
  flow.windowBytes += trunc(flow.increase / flow.windowBytes);
  flow.fairChange += trunc(flow.fairSum / flow.windowBytes);
  flow.proportionalChange += trunc(flow.proportionalSum / flow.windowBytes);
  flow.fairSum = 0;
  flow.proportionalSum = 0;
  if (elapsedPs >= rttPs) {
    const before = flow.windowBytes;
    flow.windowBytes = trunc(before + run.eta);
    flow.etaChange += flow.windowBytes - before;
    flow.lastAdjustPs = nowPs;
  }
  flow.increase = 0;
  flow.receivedBytes = 0;
}

/** Cut to a whole number, and that to 32 bits. */
function wordOf(value: f64): f64 {
  const whole = trunc(value);
  if (whole >= 0 && whole < I64_END) return <f64>(<u32><i64>whole);
  return whole % WORD;
}
