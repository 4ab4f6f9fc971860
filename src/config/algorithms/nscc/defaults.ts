/**
 * Values shared by the presets of NSCC: those of the Ultra Ethernet specification, which the reference program and MRC use too.
 *
 * Cited: [UEC] UE Specification 1.0, NSCC; [UH] uet-htsim, the Ultra Ethernet Consortium's simulator (docs/guides/uet-reference.md); [MRC] OCP
 * MRC 1.0, congestion control "uet-1.0-nscc" (docs/guides/mrc.md); [own] a choice of this library.
 */
import { checkMember } from '../../field-rules.js';
import { checkLineRate } from '../preset-options.js';
import { SHARED_RULES } from '../shared-rules.js';
import type { NsccParameters } from './parameters.js';
import { validateNscc } from './validate.js';

type NsccOverrides = Partial<Omit<NsccParameters, 'algorithm' | 'maxRateBps' | 'baseRttPs'>>;

/** Input of every NSCC preset; any other field may be given to replace the preset's value. */
export interface NsccPresetOptions extends NsccOverrides {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
  /** Round trip of the longest path without queues, whole picoseconds. */
  readonly baseRttPs: number;
}

/** Parameters in which the sources differ. */
type NsccVariant = Pick<NsccParameters, 'inferredLoss' | 'lastHopTrims' | 'nackRtt' | 'increaseSum' | 'adaptTargets'>;

const DEFAULTS = {
  /** [UH] */
  packetBytes: 4160,
  payloadBytes: 4096,
  /** [UEC, UH] The largest window; [MRC] names no initial one. */
  initialWindowBytes: 0,
  /** [UEC, UH, MRC] */
  maxWindowBdps: 1.5,
  proportionalGain: 4,
  fairGain: 5,
  fixedGain: 0.15,
  fastGain: 0.25,
  /** [UH] */
  fastDelayPs: 1e6,
  /** [UEC, UH, MRC] */
  decreaseGain: 0.8,
  maxDecrease: 0.5,
  /** [UH] */
  delayWeight: 0.0125,
  /** [UEC, UH, MRC] */
  fulfilPackets: 8,
  quickAdapt: true,
  adaptGate: 3,
};

/** Completes a preset: defaults, then the caller's overrides, then the checks; throws RoceError `invalid-config`. */
export function buildNscc(name: string, variant: NsccVariant, options: NsccPresetOptions): NsccParameters {
  checkLineRate(options, name);
  const { lineRateBps, baseRttPs, ...overrides } = options;
  checkMember(baseRttPs, SHARED_RULES.period, name, 'baseRttPs');
  const fixed = { algorithm: 'nscc', maxRateBps: lineRateBps, baseRttPs };
  // [UEC, UH] Without trimming the target is one base round trip.
  return validateNscc({ ...fixed, targetDelayPs: baseRttPs, ...DEFAULTS, ...variant, ...overrides }, name);
}
