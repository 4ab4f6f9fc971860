/** Return values of an environment's reset and step. */
import type { SimResult } from '../sim/index.js';
import type { Agent, Observation } from './agent.js';
import type { EpisodeParameters } from './gym-scenario.js';

/** Values by agent name. */
export type ByAgent<Value> = Readonly<Record<string, Value>>;

/** The part of a result that is included in an episode's last step. */
export type EpisodeResult = Pick<
  SimResult,
  'hash' | 'ended' | 'simulatedPs' | 'events' | 'packetHops' | 'summary' | 'notes'
>;

/** Information about a step that agents do not observe. */
export interface StepInfo {
  /** Number of steps in the episode so far. */
  readonly step: number;
  /** Simulated time, microseconds. */
  readonly timeUs: number;
  /** Outcome of the episode; present only in its last step. */
  readonly result?: EpisodeResult;
}

/** Information about a reset that agents do not observe. */
export interface ResetInfo extends StepInfo {
  /** Seed of the episode. */
  readonly seed: number;
  /** Agents of the episode; with some workloads, the QPs depend on the seed. */
  readonly agents: readonly Agent[];
}

/** The start of an episode. */
export interface Reset {
  /** Observations before the first event. */
  readonly observations: ByAgent<Observation>;
  /** Seed and agents of the episode. */
  readonly info: ResetInfo;
}

/** Options of a reset. */
export interface ResetOptions {
  /** Algorithm parameters that override the scenario's: by algorithm name, then by parameter name. */
  readonly parameters?: EpisodeParameters;
}

/** The outcome of a step. */
export interface Step {
  /** Observations at the end of the interval. */
  readonly observations: ByAgent<Observation>;
  /** Rewards for the interval. */
  readonly rewards: ByAgent<number>;
  /** Whether an agent has finished its work, or the run has ended. */
  readonly terminated: ByAgent<boolean>;
  /** Whether the episode was truncated, by its number of steps or by the scenario's duration. */
  readonly truncated: ByAgent<boolean>;
  /** Step and time; in the last step, also the result. */
  readonly info: StepInfo;
}
