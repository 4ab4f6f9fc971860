/**
 * HPCC's sender: transitions on one 64-byte record and its stored hops.
 *
 * Inputs    the telemetry of each ACK: a record per hop of the acknowledged packet's path.
 * State     Hpcc and KeptHop (record.ts): R; reference R_c or W_c; u; stage; the round-trip mark; the last record of each hop.
 *
 *   case                                        effect
 *   ACK without readable telemetry              none
 *   ACK within the round trip, no fastReact     none
 *   first ACK                                   records stored; lastUpdateSeq = sndNxt
 *   more hops than records can hold             rate unchanged; a full update still moves lastUpdateSeq
 *   another path (pathChange reset)             records stored; rate and lastUpdateSeq stay, so the next ACK updates
 *   else                                        react (update.ts); a full update moves lastUpdateSeq
 *
 * A full update is an ACK with ackSeq > lastUpdateSeq, so one comes per round trip. HPCC ignores CNPs and losses.
 *
 * Citation  Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, algorithm 1; every setting:
 *           src/config/algorithms/hpcc.ts. Readable model: src/reference/algorithms/hpcc/model.ts.
 * Files     This one: the cases. update.ts: loops over the hops. hops.ts: one hop. steps.ts: one step.
 * Deviation On a first ACK with too many hops the simulator writes out of bounds; here the hops that fit are stored.
 */
import { ALGORITHM_HPCC, HPCC_TRAITS } from '../../../src/abi/algorithms';
import { ACK_FAST, ACK_FIRST, ACK_NEW_PATH, ACK_NO_SIGNAL, ACK_RATE_SET, ACK_SEQ, ACK_SKIPPED, ACK_SND_NXT,
  ACK_TELEMETRY, ACK_UPDATE, TELEMETRY_EXACT, TELEMETRY_INT64 } from '../../../src/abi/ack-layout';
import { hopCountOf, isNewPath, restartHops, keepRecords } from './hops';
import { checkHpccLayouts, hopLimit, HpccParameterSet, PATH_CHANGE_RESET, PRIMARY_RATE, RECORDS_EXACT } from './record';
import { openAtMaximum, react } from './update';
import { prepare } from './fast-acks';
import { paceSent } from '../rate-numbers';
import { register as registerAlgorithm, registerCheck, registerPrepare } from '../registry';
import { beginsRoundTrip, isStarted, moveMark } from '../round-trip';
import { Hpcc } from '../../records/controllers';

/** Registers HPCC. */
export function register(): void {
  registerAlgorithm(ALGORITHM_HPCC, HPCC_TRAITS, open, sent, ack);
  registerPrepare(ALGORITHM_HPCC, prepare);
  registerCheck(ALGORITHM_HPCC, check);
}

/** Opens a QP at its largest rate or window, u = 1. Its record and its hops have been zeroed. */
export function open(q: usize, p: usize, hops: usize): void {
  checkHpccLayouts();
  const parameters = changetype<HpccParameterSet>(p);
  openAtMaximum(changetype<Hpcc>(q), parameters);
  restartHops(hops, parameters.stepMaximum, hopLimit(parameters));
}

/** Checks a record from outside: the number of hops, and a reference that can be divided. */
export function check(q: usize, p: usize, hops: usize): bool {
  const state = changetype<Hpcc>(q);
  return <u32>state.hopCount <= hopLimit(changetype<HpccParameterSet>(p)) && state.committed > 0 &&
    state.utilization >= 0;
}

/** A data packet was sent. The caller has checked its time. */
export function sent(q: usize, p: usize, hops: usize, timePs: f64, lenBytes: u32): void {
  const state = changetype<Hpcc>(q);
  paceSent(changetype<HpccParameterSet>(p).sendGap, state, timePs, lenBytes, state.rateBps);
}

/** An ACK arrived. @returns ACK_*, with ACK_RATE_SET unless all hops were ignored; with ACK_NO_SIGNAL nothing has changed. */
export function ack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): u32 {
  const state = changetype<Hpcc>(q);
  const parameters = changetype<HpccParameterSet>(p);
  const exact = parameters.records == RECORDS_EXACT;
  const wanted: u32 = exact ? TELEMETRY_EXACT : TELEMETRY_INT64;
  if (<u32>load<u8>(record, ACK_TELEMETRY) != wanted) return ACK_NO_SIGNAL;
  const sequence = parameters.sequence;
  const full = beginsRoundTrip(sequence, state, load<u32>(record, ACK_SEQ));
  if (!full && parameters.fastReact == 0) return ACK_SKIPPED;
  if (!isStarted(state)) {
    keepRecords(state, hops, record, exact, hopLimit(parameters));
    moveMark(sequence, state, load<u32>(record, ACK_SND_NXT));
    return ACK_FIRST;
  }
  let set: u32 = 0;
  if (hopCountOf(record) <= hopLimit(parameters)) {
    if (parameters.pathChange == PATH_CHANGE_RESET && isNewPath(state, hops, record, exact)) {
      startPath(state, parameters, hops, record, exact);
      return ACK_NEW_PATH;
    }
    if (react(state, parameters, hops, record, exact, full)) set = ACK_RATE_SET;
  }
  if (full) moveMark(sequence, state, load<u32>(record, ACK_SND_NXT));
  return set | (full ? ACK_UPDATE : ACK_FAST);
}

/** Initialises the hops of a new path with u = 1 and the rate in use, so that the rate does not jump. */
function startPath(q: Hpcc, p: HpccParameterSet, hops: usize, record: usize, exact: bool): void {
  const limit = hopLimit(p);
  keepRecords(q, hops, record, exact, limit);
  restartHops(hops, p.primary == PRIMARY_RATE ? q.rateBps : q.windowBytes, limit);
}
