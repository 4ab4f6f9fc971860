/**
 * The records of HPCC and HPCC-PINT in linear memory: a QP's state and parameter sets.
 *
 *   QP          64 bytes: ControllerState with HPCC's field names
 *   hop         32 bytes: its last record; after those of all hops, 16 bytes per hop: its own utilisation and reference
 *   parameters  StepParameterSet, common to both algorithms, then the algorithm's own fields; written by
 *               src/config/algorithms/{hpcc,hpcc-pint}.ts
 *
 * Words and switches are 0, 1, 2 in the order of their types in src/config/algorithms/hpcc.ts.
 */
import { ACK_HOP_BYTES, EXACT_HOPS_MAX, HOP_ID, HOP_LINE_RATE, HOP_PORT, HOP_QLEN_BYTES, HOP_RECORD_BYTES,
  HOP_STEP_BYTES, HOP_TIME, HOP_TX_BYTES, INT64_HOPS_MAX, KEPT_HOP_BYTES, RAW_HOP_BYTES, RAW_HOP_LINE_RATE,
  RAW_HOP_QLEN, RAW_HOP_TIME } from '../../../src/abi/ack-layout';
import { PARAMETER_SET_BYTES } from '../../../src/abi/layout';
import { ParameterSet } from '../../memory/records';

export const PRIMARY_RATE: f64 = 1;
export const EWMA_CONSTANT: f64 = 1;
export const RECORDS_EXACT: f64 = 0;
export const PATH_CHANGE_RESET: f64 = 0;
export const REPEATED_SKIP_HOP: f64 = 0;

/** The stored record of one hop: time in ps or raw ns, bytes and queue in bytes or raw units. */
@unmanaged
export class KeptHop {
  time: f64;
  txBytes: f64;
  qlen: f64;
  /** Identity of the hop; 0 if none was given. */
  hopId: u32;
  /** Consecutive additive steps of this hop (multiRate). */
  incStage: u32;
}

/** A hop's own state under multiRate, stored after the records of all hops. */
@unmanaged
export class HopStep {
  /** Smoothed u of this hop. */
  utilization: f64;
  /** R_c or W_c of this hop. */
  committed: f64;
}

/** A hop of an AckEvent, in full precision. */
@unmanaged
export class ExactHop {
  timePs: f64;
  txBytes: f64;
  qlenBytes: f64;
  lineRateBps: f64;
  hopId: u32;
  /** Egress port, if hopId only identifies a node (HPCC++). */
  portId: u32;
}

/** A hop of an AckEvent as a 64-bit record of the reference simulator: its raw fields. */
@unmanaged
export class RawHop {
  lineRateCode: u32;
  time: u32;
  bytes: u32;
  qlen: u32;
}

/** The parameters that HPCC and HPCC-PINT have in common. */
@unmanaged
export class StepParameterSet extends ParameterSet {
  /** Floor, cap and additive step of the controlled quantity, bits per second or bytes. */
  stepMinimum: f64;
  stepMaximum: f64;
  stepIncrement: f64;
  targetUtilization: f64;
  maxStage: f64;
  windowBytes: f64;
  windowMode: f64;
  fastReact: f64;
  numbers: f64;
  sequence: f64;
  sendGap: f64;
}

/** One parameter set of HPCC. */
@unmanaged
export class HpccParameterSet extends StepParameterSet {
  baseRttPs: f64;
  baseRttNs: f64;
  primary: f64;
  multiRate: f64;
  sampleFeedback: f64;
  ewma: f64;
  ewmaBeta: f64;
  /** 1 - ewmaBeta */
  ewmaRetention: f64;
  records: f64;
  intMultiplier: f64;
  pathChange: f64;
  repeatedTimestamp: f64;
}

/** One parameter set of HPCC-PINT. */
@unmanaged
export class HpccPintParameterSet extends StepParameterSet {
  pintBase: f64;
  pintBits: f64;
  // Set by `prepare`.
  /** Address of the decode table: 2^pintBits doubles. */
  tableAddress: f64;
}

/** Maximum number of hops that a QP with these parameters stores. */
@inline export function hopLimit(p: HpccParameterSet): u32 {
  return p.records == RECORDS_EXACT ? EXACT_HOPS_MAX : INT64_HOPS_MAX;
}

/** A hop's own state under multiRate; `limit`: hops that fit the record. */
@inline export function hopStep(hops: usize, limit: u32, index: u32): HopStep {
  return changetype<HopStep>(hops + <usize>limit * HOP_RECORD_BYTES + <usize>index * HOP_STEP_BYTES);
}

/** Fails the build if a layout does not match. */
@inline export function checkHpccLayouts(): void {
  checkHops();
  checkParameterSets();
}

@inline function checkHops(): void {
  if (offsetof<KeptHop>() != HOP_RECORD_BYTES) ERROR('KeptHop is not HOP_RECORD_BYTES long');
  if (offsetof<HopStep>() != HOP_STEP_BYTES) ERROR('HopStep is not HOP_STEP_BYTES long');
  if (<u32>(HOP_RECORD_BYTES + HOP_STEP_BYTES) != <u32>KEPT_HOP_BYTES) ERROR('a hop does not fit');
  if (offsetof<ExactHop>() != ACK_HOP_BYTES) ERROR('ExactHop is not ACK_HOP_BYTES long');
  if (offsetof<ExactHop>('timePs') != HOP_TIME) ERROR('ExactHop.timePs');
  if (offsetof<ExactHop>('txBytes') != HOP_TX_BYTES) ERROR('ExactHop.txBytes');
  if (offsetof<ExactHop>('qlenBytes') != HOP_QLEN_BYTES) ERROR('ExactHop.qlenBytes');
  if (offsetof<ExactHop>('lineRateBps') != HOP_LINE_RATE) ERROR('ExactHop.lineRateBps');
  if (offsetof<ExactHop>('hopId') != HOP_ID) ERROR('ExactHop.hopId');
  if (offsetof<ExactHop>('portId') != HOP_PORT) ERROR('ExactHop.portId');
  if (offsetof<RawHop>('lineRateCode') != RAW_HOP_LINE_RATE) ERROR('RawHop.lineRateCode');
  if (offsetof<RawHop>('time') != RAW_HOP_TIME) ERROR('RawHop.time');
  if (offsetof<RawHop>('bytes') != RAW_HOP_BYTES) ERROR('RawHop.bytes');
  if (offsetof<RawHop>('qlen') != RAW_HOP_QLEN) ERROR('RawHop.qlen');
}

@inline function checkParameterSets(): void {
  if (<u32>offsetof<HpccParameterSet>() > <u32>PARAMETER_SET_BYTES) ERROR('HpccParameterSet is too long');
  if (<u32>offsetof<HpccPintParameterSet>() > <u32>PARAMETER_SET_BYTES) ERROR('HpccPintParameterSet is too long');
}
