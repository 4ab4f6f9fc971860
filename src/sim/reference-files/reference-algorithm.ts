/**
 * The congestion control that a config file of the reference simulator selects, as a preset and its parameters.
 *
 * Line rate, base round trip and base window are derived from the network; the config only selects how they are used.
 */
import type { AlgorithmSpec } from '../scenario/spec.js';
import { us } from '../../units.js';
import { type ReferenceConfig, LOSSY_MODE_NAMES, MODE_DCQCN, MODE_DCTCP, MODE_HPCC, MODE_HPCC_PINT, MODE_NAMES,
  MODE_NONE, MODE_TIMELY } from './config-file.js';
import { rejectText, rejectWord } from './reference-text.js';

const MAX_INTERVAL_US = 2 ** 31;
/** PINT's switches encode utilisations up to this many units. */
const PINT_LARGEST = 65_536;

/** A parameter set and the name by which flows refer to it. */
export interface NamedAlgorithm {
  readonly name: string;
  readonly spec: AlgorithmSpec;
}

/** @throws RoceError `invalid-scenario`, naming file, line and key. */
export function algorithmOfConfig(config: ReferenceConfig): NamedAlgorithm {
  const mode = modeOf(config);
  const spec = BY_MODE[mode](config);
  const { preset = '' } = spec;
  return {
    name: preset.replace(/-ns3$/, ''),
    spec: { ...spec, window: windowOf(config, mode), baseRtt: config.flag('GLOBAL_T') ? 'longest' : 'path' },
  };
}

/** The value of CC_MODE. */
export function modeOf(config: ReferenceConfig): number {
  const mode = config.whole('CC_MODE', 0, 255);
  const names = modeNames(config);
  if (!names.has(mode)) {
    const hint = `They are ${[...names].map(([code, name]) => `${code} (${name})`).join(', ')}`;
    rejectText({
      what: 'CC_MODE',
      got: mode,
      allowed: [...names.keys()],
      where: config.word('CC_MODE').place,
      hint,
    });
  }
  return mode;
}

/** Names of CC_MODE in the simulator that the file is for. */
export function modeNames({ isLossy }: ReferenceConfig): ReadonlyMap<number, string> {
  return isLossy ? LOSSY_MODE_NAMES : MODE_NAMES;
}

function windowOf(config: ReferenceConfig, mode: number): 'none' | 'fixed' | 'variable' {
  if (config.flag('HAS_WIN')) return config.flag('VAR_WIN') ? 'variable' : 'fixed';
  // HPCC divides by the window.
  if (mode === MODE_HPCC) rejectWord(config.word('HAS_WIN'), 'HAS_WIN under HPCC', ['1']);
  return 'none';
}

const BY_MODE: Readonly<Record<number, (config: ReferenceConfig) => AlgorithmSpec>> = {
  [MODE_NONE]: () => ({ preset: 'none' }),
  [MODE_DCQCN]: (config) => ({
    preset: 'dcqcn-ns3',
    set: 'dcqcn',
    parameters: {
      alphaPeriodPs: intervalPs(config, 'ALPHA_RESUME_INTERVAL'),
      cutPeriodPs: intervalPs(config, 'RATE_DECREASE_INTERVAL'),
      increasePeriodPs: intervalPs(config, 'RP_TIMER'),
      alphaGain: config.number('EWMA_GAIN', 0, 1),
      fastRecoverySteps: config.whole('FAST_RECOVERY_TIMES', 0, 253),
      aiRateBps: config.stepBps('RATE_AI'),
      haiRateBps: config.stepBps('RATE_HAI'),
      minRateBps: config.rateBps('MIN_RATE'),
      clampTargetRate: config.flag('CLAMP_TARGET_RATE'),
      rateOnFirstCnpFraction: 1,
    },
  }),
  [MODE_HPCC]: (config) => ({
    preset: 'hpcc-ns3',
    set: 'run.py',
    parameters: {
      ...steppedByUtilisation(config),
      multiRate: config.flag('MULTI_RATE'),
      sampleFeedback: config.flag('SAMPLE_FEEDBACK'),
      intMultiplier: config.whole('INT_MULTI', 1, 1_000_000),
    },
  }),
  [MODE_TIMELY]: (config) => ({
    preset: 'timely-ns3',
    parameters: { ...steps(config), haiRateBps: config.stepBps('RATE_HAI') },
  }),
  [MODE_DCTCP]: (config) => ({
    preset: 'dctcp-ns3',
    parameters: {
      ...steps(config, 'DCTCP_RATE_AI'),
      alphaGain: config.number('EWMA_GAIN', 0, 1),
      sequencePerPacket: config.whole('PACKET_PAYLOAD_SIZE', 1, 65_535),
    },
  }),
  [MODE_HPCC_PINT]: (config) => {
    const pintBase = config.number('PINT_LOG_BASE', 1.001, 2);
    const pintProbability = config.number('PINT_PROB', 0, 1);
    const parameters = { ...steppedByUtilisation(config), pintBase, pintBits: pintBitsOf(pintBase), pintProbability };
    return { preset: 'hpcc-pint-ns3', parameters };
  },
};

type Parameters = Readonly<Record<string, number | string | boolean>>;

/** Minimum rate and additive increase. */
function steps(config: ReferenceConfig, increase = 'RATE_AI'): Parameters {
  return { minRateBps: config.rateBps('MIN_RATE'), aiRateBps: config.stepBps(increase) };
}

/** Settings common to HPCC and HPCC-PINT. */
function steppedByUtilisation(config: ReferenceConfig): Parameters {
  return {
    ...steps(config),
    targetUtilization: config.number('U_TARGET', 0, 1),
    maxStage: config.whole('MI_THRESH', 0, 1_000_000),
    fastReact: config.flag('FAST_REACT'),
  };
}

/** Fractions of a microsecond are truncated, as in the simulator. */
function intervalPs(config: ReferenceConfig, key: string): number {
  return us(Math.trunc(config.number(key, 1, MAX_INTERVAL_US)));
}

/**
 * Bits that hold every power of `base` up to PINT_LARGEST, at least a byte: 8 for 1.05, 11 for 1.01, as in the
 * simulator.
 */
function pintBitsOf(base: number): number {
  let power = 0;
  for (let value = 1; value < PINT_LARGEST; value *= base) power += 1;
  let bits = 8;
  while (2 ** bits <= power) bits += 1;
  return bits;
}
