/**
 * Converts a scenario's parameter sets to the engine's, from a preset, the network's rates and round trips, and the parameters
 * that the scenario sets.
 */
import type { Algorithm } from '../../config/algorithms/algorithm.js';
import { factsOfCustom, type CommonParameters } from '../../config/algorithms/custom/custom-parameters.js';
import { dcqcnConnectx } from '../../config/algorithms/dcqcn/preset-connectx.js';
import { dcqcnIrdma } from '../../config/algorithms/dcqcn/preset-irdma.js';
import { DCQCN_NS3_SETS, dcqcnNs3, type DcqcnNs3Set } from '../../config/algorithms/dcqcn/preset-ns3.js';
import { dcqcnSigcomm15 } from '../../config/algorithms/dcqcn/preset-sigcomm15.js';
import { dctcpNs3 } from '../../config/algorithms/dctcp.js';
import { hpccPintNs3 } from '../../config/algorithms/hpcc-pint.js';
import { hpccPpDraft, hpccPpFastCnp } from '../../config/algorithms/hpcc-pp.js';
import { HPCC_NS3_SETS, hpccNs3, type HpccNs3Set, hpccSigcomm19 } from '../../config/algorithms/hpcc-presets.js';
import { type NsccPresetOptions, nsccMrc, nsccUet } from '../../config/algorithms/nscc.js';
import { isPresetName, PRESET_ALGORITHMS, type PresetName, ALGORITHMS, type AlgorithmName, type AlgorithmParameters,
  type BuiltInParameters, factsOf } from '../../config/algorithms/registry.js';
import { rcccUet } from '../../config/algorithms/rccc.js';
import { swiftSigcomm20 } from '../../config/algorithms/swift.js';
import { timelyNs3, timelySigcomm15 } from '../../config/algorithms/timely.js';
import { RoceError } from '../../errors.js';
import { us } from '../../units.js';
import type { Rules } from '../plan.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import type { ValidAlgorithm } from '../scenario/valid-scenario.js';

/** The properties of the network that a preset depends on. */
export interface ParameterSetContext {
  /** Rate of the sending host's port. */
  readonly lineRateBps: number;
  /** Longest base round trip. */
  readonly baseRttPs: number;
  /** Base window, bytes. */
  readonly windowBytes: number;
  readonly mtuBytes: number;
  /** Bytes of a full packet around its payload. */
  readonly headerBytes: number;
  /** Whether switches trim packets. */
  readonly trims?: boolean;
  /** A custom algorithm's defaults for sequence numbers and gaps between packets. */
  readonly byFidelity?: Partial<Pick<CommonParameters, 'sequence' | 'sendGap'>>;
}

interface Preset {
  /** Names of the preset's published sets, the default first; omitted if there is only one. */
  readonly sets?: readonly string[];
  readonly build: (context: ParameterSetContext, given: object, set: string) => BuiltInParameters;
}

const lineRate = ({ lineRateBps }: ParameterSetContext): { lineRateBps: number } => ({ lineRateBps });
/** Base round trip and window of the network. A round trip that the scenario sets determines the window too. */
const path = ({ lineRateBps, baseRttPs, windowBytes }: ParameterSetContext,
  given: object): { lineRateBps: number; baseRttPs: number } =>
  'baseRttPs' in given ? { lineRateBps, baseRttPs } : { lineRateBps, baseRttPs, ...{ windowBytes } };

/** The target of uet-htsim with trimming: a queue then needs less space for packets in flight. */
const TARGET_WITH_TRIMMING = 0.75;

/** Inputs of NSCC: base round trip, target delay, and packet sizes as payload, which is what acknowledgements count. */
function nsccInputs({ lineRateBps, mtuBytes, trims, ...path }: ParameterSetContext,
  { baseRttPs = path.baseRttPs }: { readonly baseRttPs?: number }): NsccPresetOptions {
  const target = trims === true ? { targetDelayPs: Math.trunc(TARGET_WITH_TRIMMING * baseRttPs) } : {};
  return { lineRateBps, baseRttPs, packetBytes: mtuBytes, payloadBytes: mtuBytes, ...target };
}

const SWIFT_TARGET_PS = us(25);
const SWIFT_QUEUE_PS = us(10);
/**
 * The paper's base target, 25 us, suits its network's round trips and leaves some 10 us for queues. A target
 * below the base round trip would starve flows, so for longer networks it is 10 us above theirs.
 */
const swiftTargetPs = ({ baseRttPs }: ParameterSetContext): number =>
  Math.max(SWIFT_TARGET_PS, baseRttPs + SWIFT_QUEUE_PS);

/** All presets: one line each. */
const PRESETS: Readonly<Record<PresetName, Preset>> = {
  'dcqcn-sigcomm15': { build: (s, given) => dcqcnSigcomm15({ ...lineRate(s), ...given }) },
  'dcqcn-ns3': {
    sets: DCQCN_NS3_SETS,
    build: (s, given, set) => dcqcnNs3(set as DcqcnNs3Set, { ...lineRate(s), ...given }),
  },
  'dcqcn-connectx': { build: (s, given) => dcqcnConnectx({ ...lineRate(s), ...given }) },
  'dcqcn-irdma': {
    build: (s, given) => dcqcnIrdma({ ...lineRate(s), mssBytes: s.mtuBytes, rttPs: s.baseRttPs, ...given }),
  },
  'hpcc-sigcomm19': { build: (s, given) => hpccSigcomm19({ ...path(s, given), ...given }) },
  'hpcc-ns3': {
    sets: HPCC_NS3_SETS,
    build: (s, given, set) => hpccNs3(set as HpccNs3Set, { ...path(s, given), ...given }),
  },
  'hpcc-pp-draft': { build: (s, given) => hpccPpDraft({ ...path(s, given), ...given }) },
  'hpcc-pp-fast-cnp': { build: (s, given) => hpccPpFastCnp({ ...path(s, given), ...given }) },
  'hpcc-pint-ns3': { build: (s, given) => hpccPintNs3({ ...path(s, given), ...given }) },
  'timely-ns3': { build: (s, given) => timelyNs3({ ...lineRate(s), ...given }) },
  'timely-sigcomm15': { build: (s, given) => timelySigcomm15({ ...lineRate(s), ...given }) },
  'dctcp-ns3': {
    build: (s, given) => dctcpNs3({ ...lineRate(s), sequencePerPacket: s.mtuBytes, ...given }),
  },
  'swift-sigcomm20': {
    build: (s, given) =>
      swiftSigcomm20({ ...lineRate(s), packetBytes: s.mtuBytes, baseTargetPs: swiftTargetPs(s), ...given }),
  },
  'nscc-uet': { build: (s, given) => nsccUet({ ...nsccInputs(s, given), ...given }) },
  'nscc-mrc': { build: (s, given) => nsccMrc({ ...nsccInputs(s, given), ...given }) },
  'rccc-uet': {
    build: (s, given) =>
      rcccUet({ ...lineRate(s), baseRttPs: s.baseRttPs, packetBytes: s.mtuBytes + s.headerBytes, ...given }),
  },
  /** No congestion control: DCQCN with a rate that can't fall. */
  none: {
    build: (s, given) => dcqcnSigcomm15({ ...lineRate(s), ...given, minRateBps: s.lineRateBps }),
  },
};

/** Names of all presets, each with its published sets. */
export const PRESET_SETS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(PRESETS).map(([name, { sets = [] }]) => [name, sets]),
);

/**
 * The preset of a parameter set.
 * @throws RoceError `invalid-scenario` for an unknown name or set.
 */
function presetOf(
  { name, preset: presetName = '', set }: ValidAlgorithm,
): Preset & { readonly algorithm: AlgorithmName } {
  const where = `algorithms.${name}`;
  if (!isPresetName(presetName)) {
    const allowed = Object.keys(PRESETS);
    rejectScenario({ what: `the preset of algorithm ${name}`, got: presetName, allowed, where: `${where}.preset` });
  }
  const preset = PRESETS[presetName];
  if (set !== undefined && !(preset.sets ?? []).includes(set)) {
    const allowed = preset.sets ?? [];
    rejectScenario({ what: `the set of algorithm ${name}`, got: set, allowed, where: `${where}.set` });
  }
  return { ...preset, algorithm: PRESET_ALGORITHMS[presetName] };
}

/** The facts about a parameter set's algorithm. The network treats a substitute like the algorithm that it replaces. */
export function factsOfScenario(algorithm: ValidAlgorithm): Algorithm<AlgorithmParameters> {
  const { custom } = algorithm;
  const facts = custom === undefined ? ALGORITHMS[presetOf(algorithm).algorithm] : factsOfCustom(custom);
  return facts as unknown as Algorithm<AlgorithmParameters>;
}

function build(algorithm: ValidAlgorithm, context: ParameterSetContext, given: object): AlgorithmParameters {
  const { custom, substitutes = {} } = algorithm;
  if (custom !== undefined) return custom.parametersIn(context, { ...context.byFidelity, ...given });
  const preset = presetOf(algorithm);
  const parameters = preset.build(context, given, algorithm.set ?? preset.sets?.[0] ?? '');
  return Object.hasOwn(substitutes, preset.algorithm) ?
    substitutes[preset.algorithm].substituteFor(parameters, context) :
    parameters;
}

/**
 * Builds the engine's parameters for flows under a parameter set.
 * @throws RoceError `invalid-scenario`, naming the parameter.
 */
export function buildParameterSet(algorithm: ValidAlgorithm, context: ParameterSetContext): AlgorithmParameters {
  const { name, window, parameters = {} } = algorithm;
  const hasWindow = factsOfScenario(algorithm).window === 'by-mode';
  const given = hasWindow && window !== undefined ? { windowMode: window, ...parameters } : parameters;
  try {
    return build(algorithm, context, given);
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    const where = `algorithms.${name}.parameters`;
    throw error.at(error.field === undefined ? where : `${where}.${error.field}`, 'invalid-scenario');
  }
}

/**
 * The telemetry that packets carry: the kind that the parameter sets read, one for the whole network.
 * @throws RoceError `invalid-scenario` when parameter sets read different kinds.
 */
export function telemetryRules(parameterSets: readonly AlgorithmParameters[],
  fidelity: KernelFidelity): Pick<Rules, 'telemetry' | 'intMultiplier'> {
  const readers = parameterSets.flatMap((parameterSet) => factsOf(parameterSet).telemetry?.(parameterSet) ?? []);
  if (readers.length === 0) return { telemetry: 'none', intMultiplier: 1 };
  const where = 'algorithms';
  const [{ records, intMultiplier }] = readers;
  if (fidelity !== 'standard' && readers.some((reader) => reader.records !== 'int64')) {
    const hint = 'Presets such as hpcc-ns3 read it';
    rejectScenario({ what: 'telemetry under fidelity reference', got: 'exact', allowed: ['int64'], where, hint });
  }
  const odd = readers.find((reader) => reader.records !== records || reader.intMultiplier !== intMultiplier);
  if (odd !== undefined) {
    const got = { records: [records, odd.records], intMultiplier: [intMultiplier, odd.intMultiplier] };
    rejectScenario({ what: 'all algorithms', problem: 'must read the same telemetry', got, where });
  }
  return { telemetry: records, intMultiplier };
}
