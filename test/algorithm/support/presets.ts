/** Every preset of every built-in algorithm, and variants of them, as a scenario's host at 100 Gb/s has them. */
import type { BuiltInParameters } from '../../../src/config/algorithms/registry.js';
import { buildParameterSet, PRESET_SETS } from '../../../src/sim/compile/parameter-sets.js';
import type { ValidAlgorithm } from '../../../src/sim/scenario/valid-scenario.js';
import { gbps, mbps, us } from '../../../src/units.js';

/** The network from which presets and defaults are derived. */
export const NETWORK = {
  lineRateBps: gbps(100),
  baseRttPs: us(10),
  windowBytes: 125_000,
  mtuBytes: 1000,
  headerBytes: 82,
};

type Given = Readonly<Record<string, number | string | boolean | readonly string[]>>;

/** Parameters that no preset has: they cover both clocks, both number types, all send gaps and sequence numbers. */
const VARIANTS: readonly (readonly [preset: string, parameters: Given])[] = [
  ['dcqcn-connectx', { alphaUpdate: 'on-cnp', cutAlphaOrder: 'alpha-first', clampTargetRate: true }],
  ['dcqcn-sigcomm15', { hyperHalvesPeriods: true, targetReduction: true, byteCounterBytes: 20_000 }],
  ['dcqcn-sigcomm15', { cutTrigger: 'per-period', increaseTimerStart: 'first-cut', simultaneous: 'event-first' }],
  ['dcqcn-ns3', {
    limiterRelease: 'at-max-rate',
    releaseGapBps: mbps(1),
    byteCounterBytes: 9000,
    stages: 'time-and-bytes',
  }],
  ['hpcc-sigcomm19', { pathChange: 'ignore', ewma: 'constant', ewmaBeta: 0.3 }],
  ['hpcc-sigcomm19', {
    multiRate: true,
    sequence: 'u32',
    sendGap: 'ns3-nanoseconds',
    repeatedTimestamp: 'one-nanosecond',
  }],
  ['hpcc-sigcomm19', { fastReact: false, sampleFeedback: true }],
  ['hpcc-sigcomm19', {
    primary: 'rate',
    numbers: 'whole-bps',
    minRateBps: mbps(100),
    windowMode: 'fixed',
    aiRateBps: mbps(50),
  }],
  ['hpcc-ns3', { windowMode: 'none', records: 'exact', intMultiplier: 1, pathChange: 'reset' }],
  ['hpcc-pp-draft', {
    clock: 'timer',
    firstSample: 'queue-only',
    recoveryPeriodPs: 0,
    signalSources: ['acks', 'cnps'],
  }],
  ['hpcc-pp-draft', {
    primary: 'rate',
    numbers: 'whole-bps',
    minRateBps: mbps(100),
    aiRateBps: mbps(50),
    aiWindowBytes: 0,
    fastReact: false,
    windowMode: 'none',
  }],
  ['hpcc-pp-draft', {
    pathChange: 'ignore',
    repeatedTimestamp: 'one-nanosecond',
    notifiedUtilization: 4,
    ewma: 'constant',
    ewmaBeta: 0.2,
    signalSources: ['acks', 'fast-cnps'],
  }],
  ['hpcc-pint-ns3', { pintBase: 1.01, pintBits: 11, maxStage: 5, numbers: 'float64' }],
  ['hpcc-pint-ns3', { fastReact: false, windowMode: 'fixed' }],
  ['timely-ns3', { numbers: 'float64', sequence: 'psn24', lowRttIncrease: 'additive' }],
  ['dctcp-ns3', { numbers: 'float64', sequence: 'psn24', sequencePerPacket: 1 }],
  ['swift-sigcomm20', { initialCwnd: 0.5, maxCwnd: 4, timeoutsToReset: 2, flowScaleRangePs: 0 }],
  ['nscc-uet', { initialWindowBytes: 5000, adaptGate: 0, adaptTargets: 0.5, delayWeight: 0.5, fastDelayPs: us(3) }],
  ['nscc-mrc', { quickAdapt: false, maxWindowBdps: 3, fulfilPackets: 1, maxDecrease: 0.9, targetDelayPs: us(40) }],
];

export interface NamedParameters {
  readonly name: string;
  readonly parameters: BuiltInParameters;
}

/** Every preset and variant that a custom algorithm can reproduce; names are unique. */
export const PRESETS: readonly NamedParameters[] = [
  ...Object.entries(PRESET_SETS).filter(([preset]) => preset !== 'rccc-uet').flatMap(([preset, sets]) =>
    sets.length === 0 ? [built(preset, {})] : sets.map((set) => built(preset, {}, set))
  ),
  ...VARIANTS.map(([preset, parameters]) => built(preset, parameters)),
];

function built(preset: string, parameters: Given, set?: string): NamedParameters {
  const algorithm = { name: preset, preset, parameters, ...(set !== undefined && { set }) } as ValidAlgorithm;
  const changed = Object.entries(parameters).map(([key, value]) => `${key} ${String(value)}`);
  const name = [preset, ...(set === undefined ? [] : [set]), ...changed].join(', ');
  return { name, parameters: buildParameterSet(algorithm, NETWORK) as BuiltInParameters };
}
