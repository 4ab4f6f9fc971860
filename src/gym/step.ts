/** What an environment returns: of a reset, and of a step. */
import type { SimResult } from '../sim/index.js';
import type { Agent, Observation } from './agent.js';
import type { EpisodeParameters } from './gym-scenario.js';

/** Values by the name of each agent. */
export type ByAgent<Value> = Readonly<Record<string, Value>>;

/** The part of a result that the last step of an episode carries. */
export type EpisodeResult = Pick<
  SimResult,
  'hash' | 'ended' | 'simulatedPs' | 'events' | 'packetHops' | 'summary' | 'notes'
>;

/** Facts of a step that no agent sees. */
export interface StepInfo {
  /** Steps of the episode so far. */
  readonly step: number;
  /** Simulated time, microseconds. */
  readonly timeUs: number;
  /** Of the last step of an episode: how it turned out. Absent: the episode is not over. */
  readonly result?: EpisodeResult;
}

/** Facts of a reset that no agent sees. */
export interface ResetInfo extends StepInfo {
  /** Seed of the episode. */
  readonly seed: number;
  /** Its agents: with some workloads, which QPs there are depends on the seed. */
  readonly agents: readonly Agent[];
}

/** The beginning of an episode. */
export interface Reset {
  /** Before the first event. */
  readonly observations: ByAgent<Observation>;
  /** Seed and agents. */
  readonly info: ResetInfo;
}

/** What a reset changes. */
export interface ResetOptions {
  /** Parameters of algorithms that differ from the scenario's, by the algorithm's name and their own. */
  readonly parameters?: EpisodeParameters;
}

/** The outcome of a step. */
export interface Step {
  /** At the end of the interval. */
  readonly observations: ByAgent<Observation>;
  /** For the interval. */
  readonly rewards: ByAgent<number>;
  /** Whether an agent has nothing left to do, or the run has ended. */
  readonly terminated: ByAgent<boolean>;
  /** Whether the episode was cut off, by its steps or by the scenario's duration. */
  readonly truncated: ByAgent<boolean>;
  /** Step and time; after the last step, the result. */
  readonly info: StepInfo;
}
