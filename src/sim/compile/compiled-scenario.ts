/** The result of compiling a scenario. */
import type { DiscoveryResult } from '../result.js';
import type { Note } from '../notes/note.js';
import type { NetworkPlan } from '../plan.js';
import type { PacketRecord } from '../result.js';
import type { ScenarioSpec } from '../scenario/spec.js';
import type { FlowPaths } from './flow-paths.js';
import type { RecordPlan } from './record-plan.js';

/** Everything that a run needs: the network in numbers, and the data that goes with it. */
export interface CompiledScenario {
  /** The scenario as given. */
  readonly spec: ScenarioSpec;
  /** The plan that the kernel runs. */
  readonly plan: NetworkPlan;
  /** Settings without effect here, and other facts that a reader should know. */
  readonly notes: readonly string[];
  /** The notes as data, in the same order. */
  readonly noteRecords: readonly Note[];
  /** What the run records. */
  readonly record: RecordPlan;
  /** Name of each port, `node:peer`. */
  readonly portNames: readonly string[];
  /** Names of the scenario's algorithms. */
  readonly algorithmNames: readonly string[];
  /** Index of each flow's algorithm. */
  readonly flowAlgorithms: Uint32Array;
  /** The egress ports on each flow's path, from the sender's port on, while all links are up. */
  readonly flowPaths: FlowPaths;
  /** What discovery found before the flows start, and its packets. Absent: the scenario has none. */
  readonly discovery?: {
    /** The outcome of discovery, as in the result. */
    readonly result: DiscoveryResult;
    /** Packets of discovery, in order of time. */
    readonly packets: readonly PacketRecord[];
  };
}
