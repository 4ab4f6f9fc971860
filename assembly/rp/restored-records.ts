/**
 * Checks restored QP records, so that the engine can work with them: parameter set, flags, times, rates, and an algorithm's
 * indices and timers. A state that the engine could never have reached may still pass.
 */
import { QP_ALPHA_CNP, QP_CUT_PENDING, QP_LIMITED, QP_OPEN, QP_PARAMETER_SET_SHIFT,
  TIME_MAX_PS } from '../../src/abi/codes';
import { FLOW_STAMP } from '../../src/abi/layout';
import { callCheck, isBuiltIn } from '../algorithms/registry';
import { cutTimes, flagsOf, flowEntries, hopsOf, keptHopsPerQp, parameterSetOf, qpCapacity,
  stateOf } from '../memory/map';
import { QpState } from '../memory/records';
import { ControllerState } from '../records/controllers';

/** Limit of pacing and notification times, which may be later than all events. */
const LATEST_PS: f64 = <f64>(1 << 62);
/** Stamp of a CNP at the latest valid time. */
const LATEST_STAMP: u64 = (1 << 54) + 1;
const ALPHA_MAX: f64 = 1024;

/** Whether all QP records are valid. `parameterSets`: number of parameter sets. */
export function areRecordsSound(parameterSets: u32): bool {
  for (let qp: u32 = 0; qp < qpCapacity; qp++) {
    const flags = flagsOf(qp);
    if (flags & QP_OPEN && (flags >> QP_PARAMETER_SET_SHIFT >= parameterSets || !isSound(qp, flags))) return false;
  }
  return true;
}

function isSound(qp: u32, flags: u32): bool {
  const q = stateOf(qp);
  const p = parameterSetOf(flags);
  const stamp = load<u64>(load<u32>(flowEntries + (<usize>qp << 2)), FLOW_STAMP);
  if (!(q.rateBps > 0 && q.rateBps <= p.maxRateBps && stamp <= LATEST_STAMP)) return false;
  if (!(q.lastEventPs >= 0 && q.lastEventPs <= TIME_MAX_PS && q.nextSendPs >= 0 && q.nextSendPs <= LATEST_PS))
    return false;
  if (isBuiltIn(p.algorithm)) return isDcqcnSound(qp, q, flags, p.maxRateBps);
  const state = changetype<ControllerState>(q);
  if (!(flags & QP_LIMITED) || flags & (QP_ALPHA_CNP | QP_CUT_PENDING) || state.hopCount > keptHopsPerQp) return false;
  return state.windowBytes >= 0 && callCheck(p.algorithm, changetype<usize>(q), changetype<usize>(p), hopsOf(qp));
}

/** Whether a DCQCN record is valid: timers are due at 0 or later, or never (Infinity), and the prefetch byte is 0. */
function isDcqcnSound(qp: u32, q: QpState, flags: u32, maxRateBps: f64): bool {
  if (!(q.targetBps > 0 && q.targetBps <= maxRateBps && q.alpha >= 0 && q.alpha <= ALPHA_MAX)) return false;
  if (!(q.nextAlphaPs >= 0 && q.nextIncreasePs >= 0) || q.touched) return false;
  if (!cutTimes) return !(flags & QP_CUT_PENDING);
  const cutPs = load<f64>(cutTimes + (<usize>qp << 3));
  return cutPs >= 0 && cutPs <= LATEST_PS;
}
