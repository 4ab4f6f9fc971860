/**
 * The parameters of HPCC++'s sender: HPCC's core (hpcc/parameters.ts), fed by other signals than a record of the whole path
 * in every ACK.
 *
 *   acks       telemetry echoed in ACKs, by ACK events or by IOAM traces in ACK frames
 *   fastCnps   the trace that a Fast CNP copies (option 2): some of the path, now and then
 *   cnps       CNPs, and Fast CNPs without a readable trace: nothing but that some port is congested
 *
 * Sources: draft-miao-ccwg-hpcc (the core is Li et al., SIGCOMM 2019, algorithm 1); draft-xiao-rtgwg-rocev2-fast-cnp-01,
 * section 4, which names HPCC++ as the reader of option 2 and says nothing of how. Each rule of this library's own and its
 * reason: docs/reference/sources.md, section HPCC++. Limits of each field: validate.ts.
 */
import type { HpccParameters } from '../hpcc/parameters.js';
import { omit } from '../../omit.js';

/** HPCC++'s part of HPCC: one reference for the busiest hop, exact records. */
export type HpccPpCore = Omit<
  HpccParameters,
  'algorithm' | 'records' | 'intMultiplier' | 'multiRate' | 'sampleFeedback'
>;

/** Everything that HPCC++'s sender can be set to; the preset `hpccPpDraft` fills it in. */
export interface HpccPpParameters extends HpccPpCore {
  /** Name of the algorithm. */
  readonly algorithm: 'hpcc-pp';
  /** Signals that change the rate; at least one. Others are counted as not used. */
  readonly signalSources: readonly HpccPpSource[];
  /**
   * What ends a round trip, after which the reference moves. `acks`: an ACK beyond lastUpdateSeq, where ACKs state sequence
   * numbers; `timer`: T since the last full update. Fast CNPs, CNPs and traces in frames state none: always the timer.
   */
  readonly clock: 'acks' | 'timer';
  /**
   * A hop without an earlier record, or whose bytes sent are not known: `assume-line-rate`: while it has a queue its port is
   * busy, u' = 1 + q / (B T); `queue-only`: u' = q / (B T). Neither raises a rate.
   */
  readonly firstSample: 'assume-line-rate' | 'queue-only';
  /** The least u that a notification can mean, targetUtilization to 64; all that is known without a readable trace. */
  readonly notifiedUtilization: number;
  /** Recovery begins this long after the last news, picoseconds. */
  readonly recoveryAfterPs: number;
  /** Time between two steps of recovery, picoseconds; 0 = no recovery, for senders that get telemetry in every ACK. */
  readonly recoveryPeriodPs: number;
  /** Steps that halve the distance to the reference before the last cut; then steps of R_AI or W_AI. */
  readonly fastRecoverySteps: number;
}

/** A kind of signal that may move HPCC++'s rate. */
export type HpccPpSource = 'acks' | 'fast-cnps' | 'cnps';

export const HPCC_PP_SOURCES: readonly HpccPpSource[] = ['acks', 'fast-cnps', 'cnps'];

/** HPCC++'s parameters as those of its core. */
export function hpccCoreOf(parameters: HpccPpParameters): HpccParameters {
  const core = omit(parameters, 'signalSources', 'clock', 'firstSample', 'notifiedUtilization', 'recoveryAfterPs',
    'recoveryPeriodPs', 'fastRecoverySteps');
  return { ...core, algorithm: 'hpcc', records: 'exact', intMultiplier: 1, multiRate: false, sampleFeedback: false };
}
