/**
 * The parameters of HPCC++'s sender: HPCC's core (hpcc/parameters.ts), which also works with signals other than a record of
 * the whole path in every ACK.
 *
 *   acks       telemetry echoed in ACKs, by ACK events or by IOAM traces in ACK frames
 *   fastCnps   the trace that a Fast CNP copies (option 2): part of the path, occasionally
 *   cnps       CNPs, and Fast CNPs without a readable trace: only that some port is congested
 *
 * Sources: draft-miao-ccwg-hpcc (the core is Li et al., SIGCOMM 2019, algorithm 1); draft-xiao-rtgwg-rocev2-fast-cnp-01,
 * section 4, which names HPCC++ as the reader of option 2 but does not specify how. This library's own rules and their
 * reasons: docs/reference/sources.md, section HPCC++. Limits of each field: validate.ts.
 */
import type { HpccParameters } from '../hpcc/parameters.js';
import { omit } from '../../omit.js';

/** The HPCC parameters that HPCC++ has too: one reference for the busiest hop, exact records. */
export type HpccPpCore = Omit<
  HpccParameters,
  'algorithm' | 'records' | 'intMultiplier' | 'multiRate' | 'sampleFeedback'
>;

/** All settings of HPCC++'s sender; the preset `hpccPpDraft` fills them in. */
export interface HpccPpParameters extends HpccPpCore {
  /** Name of the algorithm. */
  readonly algorithm: 'hpcc-pp';
  /** Signals that change the rate, at least one. Other signals are counted as unused. */
  readonly signalSources: readonly HpccPpSource[];
  /**
   * What ends a round trip, after which the reference is updated. `acks`: an ACK beyond lastUpdateSeq, if ACKs carry sequence
   * numbers; `timer`: T since the last full update. Fast CNPs, CNPs and traces in frames carry none and always use the timer.
   */
  readonly clock: 'acks' | 'timer';
  /**
   * Utilisation of a hop without an earlier record or a known byte count. `assume-line-rate`: the port counts as busy while
   * it has a queue, u' = 1 + q / (B T); `queue-only`: u' = q / (B T). Neither raises a rate.
   */
  readonly firstSample: 'assume-line-rate' | 'queue-only';
  /** Smallest u that a notification represents, targetUtilization to 64; without a readable trace it is the only information. */
  readonly notifiedUtilization: number;
  /** Recovery begins this long after the last signal, picoseconds. */
  readonly recoveryAfterPs: number;
  /** Time between two steps of recovery, picoseconds; 0 = no recovery, for senders that get telemetry in every ACK. */
  readonly recoveryPeriodPs: number;
  /** Recovery steps that halve the distance to the reference before the last cut; later ones add R_AI or W_AI. */
  readonly fastRecoverySteps: number;
}

/** A kind of signal that may change HPCC++'s rate. */
export type HpccPpSource = 'acks' | 'fast-cnps' | 'cnps';

export const HPCC_PP_SOURCES: readonly HpccPpSource[] = ['acks', 'fast-cnps', 'cnps'];

/** Converts HPCC++'s parameters to those of its HPCC core. */
export function hpccCoreOf(parameters: HpccPpParameters): HpccParameters {
  const core = omit(parameters, 'signalSources', 'clock', 'firstSample', 'notifiedUtilization', 'recoveryAfterPs',
    'recoveryPeriodPs', 'fastRecoverySteps');
  return { ...core, algorithm: 'hpcc', records: 'exact', intMultiplier: 1, multiRate: false, sampleFeedback: false };
}
