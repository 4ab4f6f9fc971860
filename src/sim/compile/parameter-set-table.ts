/** The parameter sets of a plan: one per algorithm, line rate and payload, at most 16. */
import { BIT_PS_PER_BYTE } from '../../exact-numbers.js';
import { isCustom } from '../../config/algorithms/custom/custom-parameters.js';
import type { AlgorithmParameters } from '../../config/algorithms/registry.js';
import type { FlowPlan } from '../plan.js';
import { listNames, rejectScenario } from '../scenario/scenario-error.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import type { ValidAlgorithm, KernelScenario } from '../scenario/valid-scenario.js';
import type { BasePath } from './paths.js';
import { buildParameterSet, type ParameterSetContext } from './parameter-sets.js';

/** The kernel's maximum. */
const PARAMETER_SETS_MAX = 16;

/** The reference simulators count bytes, and send at whole nanoseconds. */
const OF_REFERENCE = { sequence: 'u32', sendGap: 'ns3-nanoseconds' } as const;
const BY_FIDELITY = { standard: {}, reference: OF_REFERENCE, 'reference-lossy': OF_REFERENCE } as const;

/** The properties that a flow gets from its parameter set. */
export type FlowParameterSet = Pick<FlowPlan, 'parameterSet' | 'windowBytes' | 'windowMode'>;

/** The payload of a full packet, and the bytes around it. */
export interface FullPacket {
  readonly mtuBytes: number;
  readonly headerBytes: number;
}

/** The last request and its result. */
interface Asked extends FullPacket {
  readonly algorithm: number;
  readonly lineRateBps: number;
  readonly base: BasePath;
  readonly made: FlowParameterSet;
}

export class ParameterSetTable {
  readonly #algorithms: readonly ValidAlgorithm[];
  readonly #fidelity: KernelFidelity;
  readonly #trims: boolean;
  readonly #bases: readonly BasePath[];
  readonly all: AlgorithmParameters[] = [];
  /** The inputs of each parameter set. */
  readonly #built: { readonly algorithm: number; readonly context: ParameterSetContext }[] = [];
  readonly #names: string[] = [];
  readonly #known: Map<string, FlowParameterSet>[];
  readonly #parameterSetOf = new Map<string, number>();
  #last: Asked | undefined;

  /** @param bases longest base path, indexed by algorithm: header sizes differ between algorithms. */
  constructor({ algorithms, fidelity, trimming }: Pick<KernelScenario, 'algorithms' | 'fidelity' | 'trimming'>,
    bases: readonly BasePath[]) {
    this.#algorithms = algorithms;
    this.#fidelity = fidelity;
    this.#trims = trimming !== null;
    this.#bases = bases;
    this.#known = algorithms.map(() => new Map<string, FlowParameterSet>());
  }

  get longestRttPs(): number {
    return Math.max(...this.#bases.map(({ rttPs }) => rttPs));
  }

  /** Builds the sets again with other parameters. @throws RoceError `invalid-scenario`, naming the parameter. */
  under(algorithms: readonly ValidAlgorithm[]): AlgorithmParameters[] {
    return this.#built.map(({ algorithm, context }) => buildParameterSet(algorithms[algorithm], context));
  }

  /**
   * The parameter set for an algorithm's flows from ports of a rate. @param base base path of the flow's own hosts or payload,
   * if it differs from the algorithm's.
   */
  of(algorithm: number, lineRateBps: number, packet: FullPacket,
    base: BasePath = this.#bases[algorithm]): FlowParameterSet {
    // Most flows have the same inputs as the previous flow.
    const last = this.#last;
    if (
      last?.algorithm === algorithm && last.lineRateBps === lineRateBps && last.mtuBytes === packet.mtuBytes &&
      last.headerBytes === packet.headerBytes && last.base === base
    ) return last.made;
    const made = this.#find(algorithm, lineRateBps, packet, base);
    this.#last = { algorithm, lineRateBps, ...packet, base, made };
    return made;
  }

  #find(algorithm: number, lineRateBps: number, packet: FullPacket, base: BasePath): FlowParameterSet {
    const key = `${lineRateBps} ${packet.mtuBytes} ${packet.headerBytes} ${base.rttPs} ${base.bdpBytes}`;
    const known = this.#known[algorithm].get(key);
    if (known !== undefined) return known;
    const made = this.#make(algorithm, lineRateBps, packet, base);
    this.#known[algorithm].set(key, made);
    return made;
  }

  #make(index: number, lineRateBps: number, packet: FullPacket, base: BasePath): FlowParameterSet {
    const algorithm = this.#algorithms[index];
    const { rttPs } = base;
    const baseWindow = this.#windowBytes(base, lineRateBps);
    const context = {
      lineRateBps,
      baseRttPs: rttPs,
      windowBytes: baseWindow,
      ...packet,
      trims: this.#trims,
      byFidelity: BY_FIDELITY[this.#fidelity],
    };
    const parameters = buildParameterSet(algorithm, context);
    const parameterSet = this.#place(index, parameters, `${algorithm.name} at ${lineRateBps / 1e9} Gb/s`);
    this.#built[parameterSet] ??= { algorithm: index, context };
    const own = 'windowMode' in parameters && parameters.windowMode !== undefined;
    const windowMode = own ? parameters.windowMode : (algorithm.window ?? 'none');
    const windowBytes = own ? ownWindowBytes(parameters, baseWindow) : baseWindow;
    return { parameterSet, windowMode, windowBytes: windowMode === 'none' ? 0 : windowBytes };
  }

  /** Paths of different lengths may share a set: most algorithms' parameters don't depend on them. */
  #place(algorithm: number, parameters: AlgorithmParameters, name: string): number {
    const key = `${algorithm} ${JSON.stringify(parameters)}`;
    const known = this.#parameterSetOf.get(key);
    if (known !== undefined) return known;
    this.#names.push(name);
    const parameterSet = this.all.push(parameters) - 1;
    this.#parameterSetOf.set(key, parameterSet);
    if (this.all.length > PARAMETER_SETS_MAX) {
      rejectScenario({
        what: 'the number of parameter sets',
        got: this.all.length,
        allowed: { max: PARAMETER_SETS_MAX },
        where: 'algorithms',
        hint: `There is one per algorithm, rate and payload of the senders, and base round trip: ${
          listNames(this.#names)
        }`,
      });
    }
    return parameterSet;
  }

  /** `reference`: largest bandwidth-delay product of all pairs (GLOBAL_T 1). `standard`: line rate times T. */
  #windowBytes({ rttPs, bdpBytes }: BasePath, lineRateBps: number): number {
    if (this.#fidelity !== 'standard') return Math.max(1, bdpBytes);
    return Math.max(1, Number((BigInt(lineRateBps) * BigInt(rttPs)) / BIT_PS_PER_BYTE));
  }
}

/** A custom algorithm's parameter `windowBytes`; without it, the base window. */
function ownWindowBytes(parameters: AlgorithmParameters, baseWindow: number): number {
  const values = isCustom(parameters) ? parameters.own : parameters;
  return 'windowBytes' in values ? Number(values.windowBytes) : baseWindow;
}
