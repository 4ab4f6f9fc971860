/**
 * The notification point: decides whether a CNP is due for a CE-marked packet.
 *
 * Rule     the first mark causes a CNP immediately; then at most one CNP per minTimeBetweenCnps (N) and window.
 *          With W the end of the running window: t >= W sends, W = t + N; t < W suppresses. N = 0: every mark sends.
 * Modes    suppress: marks within the window are ignored. trailing: if marks were suppressed, one CNP is due at W,
 *          for the QP and with the P_Key of the last of them, and a new window starts there.
 * Scopes   per QP, per destination address of the CNP, per port; see windows.ts.
 * Sources  IBTA Annex A17 CA17-44 (may coalesce); Zhu et al., SIGCOMM 2015, section 3.1 (NP; one CNP per 50 us while
 *          marks come); NVIDIA min_time_between_cnps (per port).
 * Lazy     a trailing CNP is sent at the next access to its window, or by `flushWindows`; its action carries W.
 */
import { ACTION_CNP, OUTCOME_BAD_TIME, OUTCOME_CNP_DUE, OUTCOME_CNP_SUPPRESSED, OUTCOME_UNKNOWN_QP,
  WINDOW_TRAILING } from '../../src/abi/codes';
import { COUNTER_CNP_SENT, COUNTER_CNP_SUPPRESSED, COUNTER_ECN_MARKED } from '../../src/abi/layout';
import { isTime, openFlags } from '../memory/admission';
import { actionRoom, emit } from '../memory/actions';
import { count } from '../memory/counters';
import { npMinTimePs, npWindow } from '../memory/settings';
import { PENDING_P_KEY, PENDING_QP, windowAt, windowCount, windowOf } from './windows';

/** A CE-marked data packet arrived for this QP. */
export function marked(qp: u32, timePs: f64, pKey: u32): u32 {
  return markedWithin(qp, timePs, pKey, npMinTimePs);
}

/** Like `marked`, if hosts differ in N: `minTimePs` is that of this QP's receiver and must not change. */
export function markedWithin(qp: u32, timePs: f64, pKey: u32, minTimePs: f64): u32 {
  if (!openFlags(qp)) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  count(COUNTER_ECN_MARKED, 1);
  const window = windowOf(qp);
  flushWindow(window, timePs, minTimePs);
  const end = load<f64>(window);
  if (end == 0 || minTimePs == 0 || timePs >= abs<f64>(end)) {
    store<f64>(window, timePs + minTimePs);
    sendCnp(timePs, qp, pKey);
    return OUTCOME_CNP_DUE;
  }
  count(COUNTER_CNP_SUPPRESSED, 1);
  if (npWindow == WINDOW_TRAILING) {
    store<f64>(window, -abs<f64>(end));
    store<u32>(window, qp, PENDING_QP);
    store<u32>(window, pKey, PENDING_P_KEY);
  }
  return OUTCOME_CNP_SUPPRESSED;
}

/** Cancels the trailing CNP of a QP that is about to be closed. */
export function dropPending(qp: u32): void {
  if (npWindow != WINDOW_TRAILING) return;
  const window = windowOf(qp);
  const end = load<f64>(window);
  if (end < 0 && load<u32>(window, PENDING_QP) == qp) store<f64>(window, -end);
}

/** Sends trailing CNPs due by `timePs`, from window `from` on; returns the window to continue from, or the number of windows. */
export function flushWindows(timePs: f64, from: u32): u32 {
  const all = windowCount();
  let index = from;
  while (index < all && actionRoom()) flushWindow(windowAt(index++), timePs, npMinTimePs);
  return index;
}

@inline function flushWindow(window: usize, timePs: f64, minTimePs: f64): void {
  const end = load<f64>(window);
  if (end >= 0 || timePs < -end) return;
  store<f64>(window, minTimePs - end);
  sendCnp(-end, load<u32>(window, PENDING_QP), load<u32>(window, PENDING_P_KEY));
}

function sendCnp(timePs: f64, qp: u32, pKey: u32): void {
  count(COUNTER_CNP_SENT, 1);
  emit(timePs, qp, ACTION_CNP, 0, pKey);
}
