/**
 * `roce-cc/workloads`: workloads as graphs of operations, read from other programs' formats. A scenario includes a
 * graph as a workload of kind `job`.
 *
 * @packageDocumentation
 */
export { parseGoal, readGoal } from './goal/read-goal.js';
export type { GoalOptions } from './goal/goal-parser.js';
export { writeGoal, type GoalWriteOptions } from './goal/write-goal.js';
export { writeChakra, type ChakraWriteOptions, type WrittenTrace } from './chakra/write-chakra.js';
export { readChakra, type ChakraFile, type ChakraOptions } from './chakra/read-chakra.js';
export { readConnectionMatrix, type MatrixOptions } from './htsim/read-matrix.js';
export { readHtsimTopology, type HtsimTopologyOptions } from './htsim/read-topology.js';
export { readNcclTopology, type NcclTopologyOptions } from './nccl-xml/read-nccl-topology.js';
export { readSimai, type SimaiOptions } from './simai/read-simai.js';
export type { GpuType, NcclAlgorithm, NcclSettings } from './simai/nccl/nccl-settings.js';
export { ncclSettingsOfTopology } from './simai/nccl/nccl-settings.js';
export { readSimaiTopology, type SimaiTopology, type SimaiTopologyOptions } from './simai/read-topology.js';
export type { EdgeTopology, TopologyLink, TopologyNode, TopologyRoute, WorkloadTopology } from './edge-topology.js';
export type { WorkloadSource } from './read-lines.js';
export type { WorkloadFault } from './workload-error.js';
export type { NoteRecord } from '../note-record.js';
export type { WorkloadNote } from './notes.js';
export { measureGraph, type GraphMeasures } from './graph/measure-graph.js';
export { ANY, COMPUTE, MOST_OPERATIONS, NO_LANE, RECEIVE, SEND, WorkloadGraph, type EdgeColumns, type LinkFailure,
  type OperationColumns } from './graph/workload-graph.js';
