/**
 * The records of HPCC++ in linear memory: a QP's state and a parameter set.
 *
 *   QP          64 bytes: Hpcc (hpcc/record.ts), hopCount = hops in use
 *   hops        PLUS_HOPS of 48 bytes, by identity; time, txBytes and qlen are where KeptHop has them
 *   timers      48 bytes after the hops
 *   parameters  HPCC's, then its own; written by src/config/algorithms/hpcc-pp.ts
 */
import { KEPT_HOP_BYTES, PLUS_HELD_UNTIL, PLUS_HOP_ID, PLUS_HOP_KIND, PLUS_HOP_PORT, PLUS_HOP_SEEN, PLUS_HOPS,
  PLUS_NEXT_FULL, PLUS_NEXT_RECOVERY, PLUS_RECOVERY_STEPS, PLUS_TARGET } from '../../../src/abi/ack-layout';
import { PARAMETER_SET_BYTES } from '../../../src/abi/layout';
import { HpccParameterSet } from '../hpcc/record';

/** Bits of `sources`, one per kind of signal. */
export const SOURCE_ACKS: u32 = 1;
export const SOURCE_FAST_CNPS: u32 = 2;
export const SOURCE_CNPS: u32 = 4;
export const CLOCK_ACKS: f64 = 0;
export const FIRST_ASSUME_LINE_RATE: f64 = 0;

/** The last record of one hop. */
@unmanaged
export class HpccPpHop {
  time: f64;
  txBytes: f64;
  qlen: f64;
  /** Time when the record arrived, picoseconds. */
  seenPs: f64;
  /** Kind of telemetry, TELEMETRY_*. */
  kind: u32;
  free36: u32;
  hopId: u32;
  portId: u32;
}

/** Times of full updates and recovery. */
@unmanaged
export class HpccPpTimers {
  nextFullPs: f64;
  heldUntilPs: f64;
  /** Next recovery step; Infinity = none. */
  nextRecoveryPs: f64;
  /** Reference before the last cut: bits per second or bytes. */
  target: f64;
  /** Recovery steps so far, saturating at STEPS_MAX. */
  recoverySteps: u32;
  free36: u32;
  free40: f64;
}

/** One parameter set of HPCC++. */
@unmanaged
export class HpccPpParameterSet extends HpccParameterSet {
  sources: f64;
  clock: f64;
  firstSample: f64;
  notifiedUtilization: f64;
  recoveryAfterPs: f64;
  recoveryPeriodPs: f64;
  fastRecoverySteps: f64;
}

@inline export function plusHop(hops: usize, index: u32): HpccPpHop {
  return changetype<HpccPpHop>(hops + <usize>index * KEPT_HOP_BYTES);
}

@inline export function timersOf(hops: usize): HpccPpTimers {
  return changetype<HpccPpTimers>(hops + <usize>PLUS_HOPS * KEPT_HOP_BYTES);
}

/** Whether signals of this source are enabled. */
@inline export function reads(p: HpccPpParameterSet, source: u32): bool {
  return (<u32>p.sources & source) != 0;
}

/** Fails the build if a layout does not match. */
@inline export function checkPlusLayouts(): void {
  if (offsetof<HpccPpHop>() != KEPT_HOP_BYTES) ERROR('HpccPpHop is not KEPT_HOP_BYTES long');
  if (offsetof<HpccPpTimers>() != KEPT_HOP_BYTES) ERROR('HpccPpTimers is not KEPT_HOP_BYTES long');
  if (offsetof<HpccPpHop>('seenPs') != PLUS_HOP_SEEN) ERROR('HpccPpHop.seenPs');
  if (offsetof<HpccPpHop>('kind') != PLUS_HOP_KIND) ERROR('HpccPpHop.kind');
  if (offsetof<HpccPpHop>('hopId') != PLUS_HOP_ID) ERROR('HpccPpHop.hopId');
  if (offsetof<HpccPpHop>('portId') != PLUS_HOP_PORT) ERROR('HpccPpHop.portId');
  if (offsetof<HpccPpTimers>('nextFullPs') != PLUS_NEXT_FULL) ERROR('HpccPpTimers.nextFullPs');
  if (offsetof<HpccPpTimers>('heldUntilPs') != PLUS_HELD_UNTIL) ERROR('HpccPpTimers.heldUntilPs');
  if (offsetof<HpccPpTimers>('nextRecoveryPs') != PLUS_NEXT_RECOVERY) ERROR('HpccPpTimers.nextRecoveryPs');
  if (offsetof<HpccPpTimers>('target') != PLUS_TARGET) ERROR('HpccPpTimers.target');
  if (offsetof<HpccPpTimers>('recoverySteps') != PLUS_RECOVERY_STEPS) ERROR('HpccPpTimers.recoverySteps');
  if (<u32>offsetof<HpccPpParameterSet>() > <u32>PARAMETER_SET_BYTES) ERROR('HpccPpParameterSet is too long');
}
