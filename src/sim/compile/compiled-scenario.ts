/** What compiling makes of a scenario. */
import type { DiscoveryResult } from '../discovery-result.js';
import type { NetworkPlan } from '../plan.js';
import type { PacketRecord } from '../result.js';
import type { ScenarioSpec } from '../scenario/spec.js';
import type { FlowPaths } from './flow-paths.js';
import type { RecordPlan } from './record-plan.js';

/** What a run needs: the network in numbers, and what stands beside it. */
export interface CompiledScenario {
  /** As it was given. */
  readonly spec: ScenarioSpec;
  /** What the kernel runs. */
  readonly plan: NetworkPlan;
  /** Settings without effect here, and what else a reader should know. */
  readonly notes: readonly string[];
  /** What is kept of the run. */
  readonly record: RecordPlan;
  /** `node:peer`, by port. */
  readonly portNames: readonly string[];
  /** Names of the scenario's algorithms. */
  readonly algorithmNames: readonly string[];
  /** Index of each flow's algorithm. */
  readonly flowAlgorithms: Uint32Array;
  /** Ports that each flow's data leaves by, from the sender's on, while all links are up. */
  readonly flowPaths: FlowPaths;
  /** What discovery found before the flows start, and its packets. Absent: the scenario has none. */
  readonly discovery?: {
    /** As the result has it. */
    readonly result: DiscoveryResult;
    /** In order of time. */
    readonly packets: readonly PacketRecord[];
  };
}
