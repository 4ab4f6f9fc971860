/**
 * HPCC-PINT's sender: transitions on one 64-byte record.
 *
 * Inputs    one number per ACK: the encoded utilisation of the path's busiest hop, smoothed by the switches.
 * State     Hpcc (hpcc/record.ts) without u: R; reference R_c; stage; the round-trip mark.
 *
 *   ACK without a power                         no effect
 *   ACK within the round trip, no fastReact     no effect
 *   first ACK                                   only sets lastUpdateSeq = sndNxt
 *   else                                        c = decode(power) / eta, HPCC's step (hpcc/steps.ts); a full update
 *                                               (ackSeq > lastUpdateSeq) commits R_c and the stage
 *
 * Citation  Ben Basat et al., "PINT", SIGCOMM 2020; Li et al., "HPCC", SIGCOMM 2019; src/reference/algorithms/hpcc-pint/model.ts.
 * Tables    `prepare` fills a parameter set's decode table and stores its address in the set, before the first QP opens.
 * Deviation Every ACK is evaluated: there is no pintProbability here, and no random number.
 */
import { ALGORITHM_HPCC_PINT, HPCC_PINT_TRAITS } from '../../../src/abi/algorithms';
import { ACK_FAST, ACK_FIRST, ACK_NO_POWER, ACK_NO_SIGNAL, ACK_PINT_POWER, ACK_RATE_SET, ACK_SEQ, ACK_SKIPPED,
  ACK_SND_NXT, ACK_UPDATE } from '../../../src/abi/ack-layout';
import { TRACE_DETAIL_FULL, TRACE_PINT_ADDITIVE, TRACE_PINT_MULTIPLICATIVE } from '../../../src/abi/trace-layout';
import { because, detail, input, TRACING, tracing } from '../../trace/ring';
import { checkHpccLayouts, HpccPintParameterSet } from '../hpcc/record';
import { isMultiplicative, step } from '../hpcc/steps';
import { decodePint, fillPintTable, pintTableBytes } from './codec';
import { paceRateChange, paceSent, windowInUse } from '../rate-numbers';
import { register as registerAlgorithm, registerPrepare } from '../registry';
import { beginsRoundTrip, isStarted, moveMark } from '../round-trip';
import { Hpcc } from '../../records/controllers';

/** Registers HPCC-PINT. */
export function register(): void {
  registerAlgorithm(ALGORITHM_HPCC_PINT, HPCC_PINT_TRAITS, open, sent, ack);
  registerPrepare(ALGORITHM_HPCC_PINT, prepare);
}

/** Bytes of the decode table of a parameter set. */
export function tableBytes(p: usize): usize {
  return pintTableBytes(<u32>changetype<HpccPintParameterSet>(p).pintBits);
}

/** Fills the decode table of a parameter set at `table`, and stores its address. @returns the address after the table. */
export function prepare(p: usize, table: usize): usize {
  const parameters = changetype<HpccPintParameterSet>(p);
  fillPintTable(table, parameters.pintBase, <u32>parameters.pintBits);
  parameters.tableAddress = <f64>table;
  return table + tableBytes(p);
}

/** Opens a QP at the line rate. Its record has been zeroed. */
export function open(q: usize, p: usize, hops: usize): void {
  checkHpccLayouts();
  const state = changetype<Hpcc>(q);
  const parameters = changetype<HpccPintParameterSet>(p);
  state.committed = parameters.stepMaximum;
  setRate(state, parameters, parameters.stepMaximum);
}

/** A data packet was sent. The caller has checked its time. */
export function sent(q: usize, p: usize, hops: usize, timePs: f64, lenBytes: u32): void {
  const state = changetype<Hpcc>(q);
  paceSent(changetype<HpccPintParameterSet>(p).sendGap, state, timePs, lenBytes, state.rateBps);
}

/** An ACK arrived. @returns ACK_*, with ACK_RATE_SET from the second one on; with ACK_NO_SIGNAL nothing has changed. */
export function ack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): u32 {
  const power = load<u32>(record, ACK_PINT_POWER);
  if (power == ACK_NO_POWER) return ACK_NO_SIGNAL;
  const state = changetype<Hpcc>(q);
  const parameters = changetype<HpccPintParameterSet>(p);
  const sequence = parameters.sequence;
  const full = beginsRoundTrip(sequence, state, load<u32>(record, ACK_SEQ));
  if (!full && parameters.fastReact == 0) return ACK_SKIPPED;
  const first = !isStarted(state);
  if (!first) react(state, parameters, power, full);
  if (first || full) moveMark(sequence, state, load<u32>(record, ACK_SND_NXT));
  if (first) return ACK_FIRST;
  return ACK_RATE_SET | (full ? ACK_UPDATE : ACK_FAST);
}

@inline function react(q: Hpcc, p: HpccPintParameterSet, power: u32, full: bool): void {
  const utilization = decodePint(<usize>p.tableAddress, <u32>p.pintBits, power);
  const normalized = utilization / p.targetUtilization;
  const multiplicative = isMultiplicative(p, q.incStage, normalized);
  if (TRACING && tracing) explain(q, utilization, power, multiplicative, full);
  const rateBps = step(q, p, normalized, multiplicative, full);
  paceRateChange(p.sendGap, q, q.rateBps, rateBps);
  setRate(q, p, rateBps);
}

/** Adds to the trace: decoded u, the power, and R_c and stage before the ACK. */
function explain(q: Hpcc, utilization: f64, power: u32, multiplicative: bool, full: bool): void {
  because(multiplicative ? TRACE_PINT_MULTIPLICATIVE : TRACE_PINT_ADDITIVE);
  if (full) detail(TRACE_DETAIL_FULL);
  input(0, utilization);
  input(1, <f64>power);
  input(2, q.committed);
  input(3, <f64>q.incStage);
}

@inline function setRate(q: Hpcc, p: HpccPintParameterSet, rateBps: f64): void {
  q.rateBps = rateBps;
  q.windowBytes = windowInUse(p.windowMode, p.numbers, p.windowBytes, rateBps, p.maxRateBps);
}
