/**
 * HPCC++ as described in drafts: HPCC's core with the signals of a Fast CNP domain.
 *
 * Cited below: [P19] Li et al., SIGCOMM 2019, whose algorithm 1 draft-miao-ccwg-hpcc repeats; [FC] draft-xiao-rtgwg-rocev2-
 * fast-cnp-01, section 4; [DC15] Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, for what
 * happens without signals. docs/reference/sources.md, section HPCC++, explains values without a source.
 */
import { us } from '../../../units.js';
import type { HpccPpParameters } from './parameters.js';
import { omit } from '../../omit.js';
import { validateHpccPp } from './validate.js';
import { sigcomm19Parameters } from '../hpcc/preset-sigcomm19.js';

/** Input of the preset; any other field overrides its value. */
export interface HpccPpPresetOptions extends Partial<Omit<HpccPpParameters, 'algorithm' | 'maxRateBps' | 'baseRttPs'>> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
  /** T, base round trip of the network, whole picoseconds. */
  readonly baseRttPs: number;
  /** N, how many flows a link is expected to carry at once: W_AI = W0 (1 - eta) / N; default 100. */
  readonly expectedFlows?: number;
}

/**
 * HPCC++ with all signals: telemetry in ACKs, traces in Fast CNPs, and CNPs.
 *
 * @param options `lineRateBps`, `baseRttPs`, `expectedFlows`, and overrides of any field; under `primary: 'rate'` the additive
 * step is W_AI / T.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = hpccPpDraft({ lineRateBps: gbps(100), baseRttPs: us(13) });
 */
export function hpccPpDraft(options: HpccPpPresetOptions): HpccPpParameters {
  const paper = sigcomm19Parameters(options, 'hpccPpDraft');
  const parameters = {
    ...omit(paper, 'records', 'intMultiplier', 'multiRate', 'sampleFeedback'),
    algorithm: 'hpcc-pp',
    signalSources: ['acks', 'fast-cnps', 'cnps'],
    /** NewAck [P19 algorithm 1]; signals without sequence numbers always use the timer. */
    clock: 'acks',
    firstSample: 'assume-line-rate',
    /** The port is busy: u of a full link without a queue. */
    notifiedUtilization: 1,
    /** The increase timer, 55 us [DC15 section 5]. */
    recoveryAfterPs: us(55),
    /** One additive step per round trip, like the core's full updates [P19 algorithm 1]. */
    recoveryPeriodPs: options.baseRttPs,
    /** F [DC15 figure 7]. */
    fastRecoverySteps: 5,
    ...omit(options, 'lineRateBps', 'expectedFlows'),
  };
  return validateHpccPp(parameters, 'hpccPpDraft');
}

/**
 * HPCC++ without telemetry in ACKs, the preset hpcc-pp-fast-cnp: its signals are traces in Fast CNPs, and CNPs; a timer
 * measures round trips [FC section 4].
 *
 * @param options those of `hpccPpDraft`.
 * @throws RoceError `invalid-config`, naming the field.
 */
export function hpccPpFastCnp(options: HpccPpPresetOptions): HpccPpParameters {
  return hpccPpDraft({ signalSources: ['fast-cnps', 'cnps'], clock: 'timer', ...options });
}
