/**
 * DCQCN's common case without a branch: at most one step of each timer, for parameter sets that need no more.
 *
 * Whether a timer is due is as good as random, and a mispredicted branch costs more than the step. So both steps are
 * always computed, with operands picked by "due" (0 or 1) that make a step that is not due leave everything as it is:
 *
 *   alpha    *= [1, 1 - g]      next += [0, period]
 *   R_T      += [0, R_AI, k R_HAI][regime]       regime 0 (fast recovery) when not due
 *   R_C       = R_C [1, 1/2] + R_T [0, 1/2]      exact: halving is, so this is (R_C + R_T) / 2 to the bit
 *
 * A second step, a release or the byte counter are left to the full path (timers.ts), as are parameter sets with
 * whole-number policies, periodic cuts or alpha, or a relic of QCN. Measured in bench/RESULTS.md.
 */
import { DCQCN_ALPHA_FIRST, DCQCN_ALPHA_ON_CNP, DCQCN_CUT_ON_CNP, DCQCN_HYPER_ABOVE, DCQCN_HYPER_BY_STAGE,
  DCQCN_HYPER_HALVES_PERIODS, DCQCN_PLAIN, DCQCN_TARGET_REDUCTION, DCQCN_TIME_STAGE_ONLY, ALPHA_FLOOR, NUMBERS_FLOAT64,
  STAGE_MAX } from '../../../src/abi/codes';
import { COUNTER_TIMER_STEPS } from '../../../src/abi/layout';
import { count } from '../../memory/counters';
import { QpState } from '../../memory/records';
import { DcqcnParameterSet } from './record';
import { tracing } from '../../trace/ring';
import { alphaUp } from './arithmetic';
import { cut } from './steps';

const NEEDED: u32 = DCQCN_CUT_ON_CNP | DCQCN_ALPHA_ON_CNP;
const FORBIDDEN: u32 = DCQCN_TIME_STAGE_ONLY | DCQCN_HYPER_HALVES_PERIODS | DCQCN_TARGET_REDUCTION;

/** Decides whether a parameter set is plain, and makes its operands. Nothing is plain under a trace: the full path explains each step. */
export function preparePlain(p: DcqcnParameterSet): void {
  const plain = !tracing && p.numbers == NUMBERS_FLOAT64 && (p.switches & (NEEDED | FORBIDDEN)) == NEEDED;
  p.switches = plain ? p.switches | DCQCN_PLAIN : p.switches & ~DCQCN_PLAIN;
  p.alphaFactorIdle = 1;
  p.alphaFactorDue = p.alphaRetention;
  p.alphaFloorIdle = 0;
  p.alphaFloorDue = ALPHA_FLOOR;
  p.alphaPeriodIdle = 0;
  p.alphaPeriodDue = p.alphaPeriodPs;
  p.increasePeriodIdle = 0;
  p.increasePeriodDue = p.increasePeriodPs;
  p.rateShareIdle = 1;
  p.rateShareDue = 0.5;
  p.targetShareIdle = 0;
  p.targetShareDue = 0.5;
  p.fastRecoveryBps = 0;
  p.additiveBps = p.aiRateBps;
  p.hyperBps = p.haiRateBps;
  p.hyperFrom = p.fastRecoverySteps + <u32>((p.switches & DCQCN_HYPER_ABOVE) != 0);
  p.hyperStageMask = p.switches & DCQCN_HYPER_BY_STAGE ? u32.MAX_VALUE : 0;
  p.byteLimit = p.byteCounterBytes ? p.byteCounterBytes : u32.MAX_VALUE;
  p.byteMask = p.byteCounterBytes ? u32.MAX_VALUE : 0;
}

/** The operand of a pair [idle, due] that begins at field offset `pair`. */
@inline function pick(p: DcqcnParameterSet, pair: usize, due: u32): f64 {
  return load<f64>(changetype<usize>(p) + pair + (<usize>due << 3));
}

/** One step of each timer that is due up to `upToPs`; returns 1 if the increase was, else 0. */
@inline export function stepPlain(q: QpState, p: DcqcnParameterSet, upToPs: f64): u32 {
  const alphaDue = <u32>(q.nextAlphaPs <= upToPs);
  const increaseDue = <u32>(q.nextIncreasePs <= upToPs);
  const alpha = q.alpha * pick(p, offsetof<DcqcnParameterSet>('alphaFactorIdle'), alphaDue);
  q.alpha = alpha * <f64>(<u32>(alpha >= pick(p, offsetof<DcqcnParameterSet>('alphaFloorIdle'), alphaDue)));
  q.nextAlphaPs += pick(p, offsetof<DcqcnParameterSet>('alphaPeriodIdle'), alphaDue);
  q.nextIncreasePs += pick(p, offsetof<DcqcnParameterSet>('increasePeriodIdle'), increaseDue);
  increasePlain(q, p, increaseDue);
  count(COUNTER_TIMER_STEPS, <f64>(alphaDue + increaseDue));
  return increaseDue;
}

/** A CNP at a QP that has its limiter; timers are already applied. */
@inline export function cutPlain(q: QpState, p: DcqcnParameterSet, timePs: f64): void {
  const alpha = q.alpha;
  q.alpha = alphaUp(p, alpha);
  q.nextAlphaPs = timePs + p.alphaPeriodPs;
  cut(q, p, timePs, p.switches & DCQCN_ALPHA_FIRST ? q.alpha : alpha);
}

@inline function increasePlain(q: QpState, p: DcqcnParameterSet, due: u32): void {
  const time = <u32>q.timeStage;
  const bytes = <u32>q.byteStage;
  const low = min<u32>(time, bytes);
  const isHyper = <u32>(low >= p.hyperFrom);
  const regime = (<u32>(max<u32>(time, bytes) >= p.fastRecoverySteps) + isHyper) & (0 - due);
  const factor = 1 + ((low - p.fastRecoverySteps) & (0 - isHyper) & p.hyperStageMask);
  const added = load<f64>(changetype<usize>(p) + offsetof<DcqcnParameterSet>('fastRecoveryBps') + (<usize>regime << 3));
  const target = q.targetBps + added * <f64>factor;
  q.targetBps = target > p.maxRateBps ? p.maxRateBps : target;
  const share = pick(p, offsetof<DcqcnParameterSet>('rateShareIdle'), due);
  q.rateBps = q.rateBps * share + q.targetBps * pick(p, offsetof<DcqcnParameterSet>('targetShareIdle'), due);
  q.timeStage = <u16>(time + (due & <u32>(time != STAGE_MAX)));
}
