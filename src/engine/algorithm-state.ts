/**
 * What an algorithm keeps of a QP, by name and unit: a copy of its record and of the hops behind it, equal on both backends.
 */
import { KEPT_HOP_BYTES } from '../abi/ack-layout.js';
import { REGION_KEPT_HOPS } from '../abi/layout.js';
import type { DcqcnRecordState } from '../abi/state/dcqcn.js';
import type { AckStates } from '../abi/state/records.js';
import { loadHops, loadRecord } from '../abi/state/state-memory.js';
import { ALGORITHMS, algorithmOf, hopsNeeded, type AlgorithmName } from '../config/algorithms/registry.js';
import type { EngineConfig } from '../config/engine-config.js';
import { dcqcnState } from './dcqcn-state.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

interface States extends AckStates {
  dcqcn: DcqcnRecordState;
}

/** State of one QP, told apart by `algorithm`. Times are picoseconds, rates bits per second, windows bytes, unless a name says otherwise. */
export type AlgorithmState = { [Name in AlgorithmName]: Readonly<{ algorithm: Name } & States[Name]> }[AlgorithmName];

/** Address of a QP's state. */
export interface StatePlace {
  readonly qp: number;
  readonly flags: number;
  /** Of its parameter set. */
  readonly parameterSet: number;
  /** Address of its record. */
  readonly at: number;
}

/** Reads the state of one QP. */
export function readAlgorithmState(config: EngineConfig, views: MemoryViews, place: StatePlace): AlgorithmState {
  const parameters = config.parameterSets[place.parameterSet];
  if (parameters.algorithm === 'dcqcn') return dcqcnState(config, views, place);
  const view = new DataView(views.buffer);
  const { algorithm } = parameters;
  const { hops, keptHops } = algorithmOf(parameters, ALGORITHMS);
  const hopsAt = regionAddress(views, REGION_KEPT_HOPS) +
    place.qp * hopsNeeded(config.parameterSets, ALGORITHMS) * KEPT_HOP_BYTES;
  const kept = hops === undefined ? {} : loadHops(view, hopsAt, algorithm, keptHops ?? hops(parameters));
  return { algorithm, ...loadRecord(view, place.at, algorithm), ...kept } as unknown as AlgorithmState;
}
