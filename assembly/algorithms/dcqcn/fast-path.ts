/**
 * DCQCN's fast path: timers.ts and steps.ts without their options, for parameter sets that need none, such as the paper's:
 * float64, cut and alpha on the CNP, no rules of QCN. It uses steps.ts and arithmetic.ts with a constant policy; its loops
 * keep state in locals that the loops there load and store at each step.
 *
 * A release, the byte counter and timers with many due steps are left to the full path, as are all other parameter
 * sets. The operations and their order are the same, so results are equal bit for bit. Measured in bench/RESULTS.md.
 */
import { DCQCN_ALPHA_FIRST, DCQCN_ALPHA_ON_CNP, DCQCN_CUT_ON_CNP, DCQCN_HYPER_ABOVE, DCQCN_HYPER_BY_STAGE,
  DCQCN_HYPER_HALVES_PERIODS, DCQCN_FAST_PATH, DCQCN_TARGET_REDUCTION, DCQCN_TIME_STAGE_ONLY, NUMBERS_FLOAT64,
  STAGE_MAX } from '../../../src/abi/codes';
import { COUNTER_TIMER_STEPS } from '../../../src/abi/layout';
import { count } from '../../memory/counters';
import { QpState } from '../../memory/records';
import { tracing } from '../../trace/ring';
import { DcqcnParameterSet } from './record';
import { alphaDown, alphaUp, averageRate } from './arithmetic';
import { cut, nextStage, raisedTarget } from './steps';

const NEEDED: u32 = DCQCN_CUT_ON_CNP | DCQCN_ALPHA_ON_CNP;
const FORBIDDEN: u32 = DCQCN_TIME_STAGE_ONLY | DCQCN_HYPER_HALVES_PERIODS | DCQCN_TARGET_REDUCTION;
/** With more due steps than this, the full path takes over: it skips whole periods once a step changes nothing. */
const STEPS_MAX: u32 = 16;

/** Decides whether a parameter set takes the fast path. None does under a trace, since only the full path explains steps. */
export function prepareFastPath(p: DcqcnParameterSet): void {
  const fast = !tracing && p.numbers == NUMBERS_FLOAT64 && (p.switches & (NEEDED | FORBIDDEN)) == NEEDED;
  p.switches = fast ? p.switches | DCQCN_FAST_PATH : p.switches & ~DCQCN_FAST_PATH;
  p.hyperFrom = p.fastRecoverySteps + <u32>((p.switches & DCQCN_HYPER_ABOVE) != 0);
  p.hyperStageMask = p.switches & DCQCN_HYPER_BY_STAGE ? u32.MAX_VALUE : 0;
  p.byteLimit = p.byteCounterBytes ? p.byteCounterBytes : u32.MAX_VALUE;
  p.byteMask = p.byteCounterBytes ? u32.MAX_VALUE : 0;
}

/** Whether a timer is due. */
@inline export function isDue(q: QpState, upToPs: f64): u32 {
  return <u32>(q.nextAlphaPs <= upToPs) | <u32>(q.nextIncreasePs <= upToPs);
}

/** Runs the steps of both timers due up to `upToPs`; returns 1 if R_C reached the release rate, else 0. */
@inline export function runTimers(q: QpState, p: DcqcnParameterSet, upToPs: f64): u32 {
  const alphaSteps = runAlpha(q, p, upToPs);
  let next = q.nextIncreasePs;
  let steps: u32 = 0;
  let reached: u32 = 0;
  if (next <= upToPs) {
    let stage = <u32>q.timeStage;
    let target = q.targetBps;
    let rate = q.rateBps;
    do {
      target = raisedTarget(p, target, min<u32>(stage, q.byteStage), max<u32>(stage, q.byteStage));
      rate = averageRate(NUMBERS_FLOAT64, rate, target);
      stage = nextStage(stage, STAGE_MAX);
      next += p.increasePeriodPs;
      steps++;
      reached = <u32>(rate >= p.releaseRateBps);
    } while (<u32>(next <= upToPs) & <u32>(steps < STEPS_MAX) & (reached ^ 1));
    q.targetBps = target;
    q.rateBps = rate;
    q.timeStage = <u16>stage;
    q.nextIncreasePs = next;
  }
  count(COUNTER_TIMER_STEPS, <f64>(alphaSteps + steps));
  return reached;
}

/** Handles a CNP at a limited QP; timers have been applied. */
@inline export function cutOnCnp(q: QpState, p: DcqcnParameterSet, timePs: f64): void {
  const before = q.alpha;
  const alpha = alphaUp(p, NUMBERS_FLOAT64, before);
  q.alpha = alpha;
  q.nextAlphaPs = timePs + p.alphaPeriodPs;
  cut(q, p, NUMBERS_FLOAT64, timePs, p.switches & DCQCN_ALPHA_FIRST ? alpha : before);
}

/** @returns the number of steps. */
@inline function runAlpha(q: QpState, p: DcqcnParameterSet, upToPs: f64): u32 {
  let next = q.nextAlphaPs;
  if (next > upToPs) return 0;
  let alpha = q.alpha;
  let steps: u32 = 0;
  do {
    alpha = alphaDown(p, NUMBERS_FLOAT64, alpha);
    next += p.alphaPeriodPs;
    steps++;
  } while (<u32>(next <= upToPs) & <u32>(steps < STEPS_MAX));
  q.alpha = alpha;
  q.nextAlphaPs = next;
  return steps;
}
