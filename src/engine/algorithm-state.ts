/**
 * Reads an algorithm's state of a QP by name and unit: a copy of its record and of its stored hops, equal on both
 * backends.
 */
import { KEPT_HOP_BYTES } from '../abi/ack-layout.js';
import { CUSTOM_GUARD_BYTES, CUSTOM_NEXT_SEND, CUSTOM_RATE, CUSTOM_STATE, CUSTOM_TIMER_COUNT, CUSTOM_TIMERS,
  CUSTOM_WINDOW } from '../abi/custom-layout.js';
import { REGION_KEPT_HOPS } from '../abi/layout.js';
import type { DcqcnRecordState } from '../abi/state/dcqcn.js';
import { type AckStates, loadHops, loadRecord } from '../abi/state/ack-states.js';
import { ALGORITHM_OF, isCustom, type CustomName,
  type CustomParameters } from '../config/algorithms/custom/custom-parameters.js';
import { ALGORITHMS, algorithmOf, hopsNeeded, type AlgorithmName } from '../config/algorithms/registry.js';
import type { EngineConfig } from '../config/engine-config.js';
import { dcqcnState } from './dcqcn-state.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

interface States extends AckStates {
  dcqcn: DcqcnRecordState;
}

/**
 * State of one QP, discriminated by `algorithm`. Times are picoseconds, rates bits per second, windows bytes, unless a
 * name says otherwise.
 */
export type AlgorithmState = { [Name in AlgorithmName]: Readonly<{ algorithm: Name } & States[Name]> }[AlgorithmName]
  | CustomState;

/** State of a QP under a custom algorithm. */
export interface CustomState {
  readonly algorithm: CustomName;
  /** Rate, bits per second. */
  readonly rateBps: number;
  /** Window, bytes; 0 if there is none. */
  readonly windowBytes: number;
  /** Earliest time of the next packet, picoseconds. */
  readonly nextSendPs: number;
  /** When each timer expires, picoseconds; Infinity if it is not running. */
  readonly timersPs: readonly number[];
  /** State variables as declared by the algorithm. */
  readonly state: Readonly<Record<string, number | readonly number[]>>;
}

/** Address of a QP's state. */
export interface StatePlace {
  readonly qp: number;
  readonly flags: number;
  /** Index of the QP's parameter set. */
  readonly parameterSet: number;
  /** Address of the QP's record. */
  readonly at: number;
}

/** Reads the state of one QP. */
export function readAlgorithmState(config: EngineConfig, views: MemoryViews, place: StatePlace): AlgorithmState {
  const parameters = config.parameterSets[place.parameterSet];
  if (isCustom(parameters)) return customState(parameters, views, hopsOf(config, views, place.qp));
  if (parameters.algorithm === 'dcqcn') return dcqcnState(config, views, place);
  const view = new DataView(views.buffer);
  const { algorithm } = parameters;
  const { hops, keptHops } = algorithmOf(parameters, ALGORITHMS);
  const kept = loadHops(view, hopsOf(config, views, place.qp), algorithm, keptHops ?? hops?.(parameters) ?? 0);
  return { algorithm, ...loadRecord(view, place.at, algorithm), ...kept } as unknown as AlgorithmState;
}

/** Address of a QP's stored hops. */
function hopsOf({ parameterSets }: EngineConfig, views: MemoryViews, qp: number): number {
  return regionAddress(views, REGION_KEPT_HOPS) + qp * hopsNeeded(parameterSets, ALGORITHMS) * KEPT_HOP_BYTES;
}

/** Reads the QP fields that handlers see, and the state by its declared names. */
function customState(parameters: CustomParameters, views: MemoryViews, hopsAt: number): CustomState {
  const { state } = parameters[ALGORITHM_OF];
  const first = (hopsAt + CUSTOM_GUARD_BYTES) >>> 3;
  const at = (byte: number): number => views.f64[first + (byte >>> 3)] ?? 0;
  const numbers = (index: number, length: number): number[] =>
    Array.from({ length }, (_, place) => at(CUSTOM_STATE + 8 * (index + place)));
  return {
    algorithm: parameters.algorithm,
    rateBps: at(CUSTOM_RATE),
    windowBytes: at(CUSTOM_WINDOW),
    nextSendPs: at(CUSTOM_NEXT_SEND),
    timersPs: Array.from({ length: CUSTOM_TIMER_COUNT }, (_, timer) => at(CUSTOM_TIMERS + 8 * timer)),
    state: Object.fromEntries(
      state.map((
        { name, index, length },
      ) => [name, length === undefined ? at(CUSTOM_STATE + 8 * index) : numbers(index, length)]),
    ),
  };
}
