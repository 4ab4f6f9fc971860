/**
 * What an algorithm other than DCQCN keeps of a QP, by the names and units of the readable models in src/reference: a copy of its
 * record and of the hops behind it, equal on both backends.
 */
import { KEPT_HOP_BYTES } from '../abi/ack-layout.js';
import { REGION_KEPT_HOPS } from '../abi/layout.js';
import { ALGORITHMS, algorithmOf, hopsNeeded, readsAcks } from '../config/algorithms/registry.js';
import type { EngineConfig } from '../config/engine-config.js';
import { loadHops, loadRecord } from '../reference/memory/ack-records.js';
import type { DctcpState } from '../reference/algorithms/dctcp/model.js';
import type { HpccPintState } from '../reference/algorithms/hpcc-pint/model.js';
import type { HpccPpState } from '../reference/algorithms/hpcc-pp/state.js';
import type { HpccState } from '../reference/algorithms/hpcc/state.js';
import type { SwiftState } from '../reference/algorithms/swift/model.js';
import type { TimelyState } from '../reference/algorithms/timely/model.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

/** State of one QP, told apart by `algorithm`. Times are picoseconds, rates bits per second, windows bytes, unless a name says otherwise. */
export type AlgorithmState = Readonly<
  ({ algorithm: 'hpcc' } & HpccState) | ({ algorithm: 'hpcc-pp' } & HpccPpState)
    | ({ algorithm: 'hpcc-pint' } & HpccPintState) | ({ algorithm: 'timely' } & TimelyState)
    | ({ algorithm: 'dctcp' } & DctcpState) | ({ algorithm: 'swift' } & SwiftState)
>;

/** Where a QP's state lies. */
export interface StatePlace {
  readonly qp: number;
  /** Of its parameter set. */
  readonly parameterSet: number;
  /** Address of its record. */
  readonly at: number;
}

/** @returns undefined under DCQCN, whose state `QpView` has field by field. */
export function readAlgorithmState(config: EngineConfig, views: MemoryViews, { qp, parameterSet, at }: StatePlace):
  | AlgorithmState
  | undefined {
  const parameters = config.parameterSets[parameterSet];
  if (parameters === undefined || !readsAcks(parameters, ALGORITHMS)) return undefined;
  const view = new DataView(views.buffer);
  const { algorithm } = parameters;
  const { hops, keptHops } = algorithmOf(parameters, ALGORITHMS);
  const hopsAt = regionAddress(views, REGION_KEPT_HOPS) +
    qp * hopsNeeded(config.parameterSets, ALGORITHMS) * KEPT_HOP_BYTES;
  const kept = hops === undefined ? {} : loadHops(view, hopsAt, algorithm, keptHops ?? hops(parameters));
  return { algorithm, ...loadRecord(view, at, algorithm), ...kept } as unknown as AlgorithmState;
}
