/** Options of an environment, and their validation; reward functions, built-in ones by name. */
import { checkField, checkKeys, checkRecord, numberIn, oneOf, reject, wholeIn,
  type FieldRule } from '../config/field-rules.js';
import type { ScenarioFiles } from '../sim/index.js';
import { BITS_PER_BYTE, PS_PER_US, US_PER_SECOND } from '../units.js';
import { AGENT_KINDS, type AgentKind, type Action, type Agent, type Observation } from './agent.js';

/** Files that scenarios refer to, as for `runScenario`: graphs of jobs, custom algorithms and congestion points. */
const FILE_KEYS = [
  'graphs',
  'algorithms',
  'algorithmFiles',
  'congestionPoints',
  'congestionPointFiles',
  'substitutes',
] as const;

/** Options of an environment. */
export interface GymOptions extends Pick<ScenarioFiles, (typeof FILE_KEYS)[number]> {
  /** Kind of agent. Default `qps`. */
  readonly agents?: AgentKind;
  /** Simulated time of a step, microseconds. Default 10. */
  readonly intervalUs?: number;
  /** Name of a built-in reward, or a function. Default `throughput`. */
  readonly reward?: RewardName | Reward;
  /** When an episode is truncated. */
  readonly episode?: {
    /** Number of steps, at least 1. Default: the number that fits the scenario's duration. */
    readonly steps?: number;
  };
}

/** All options, validated. */
export interface ResolvedOptions {
  readonly kind: AgentKind;
  readonly intervalPs: number;
  readonly reward: Reward;
  readonly stepsMax: number;
  readonly files: ScenarioFiles;
}

const DEFAULT_INTERVAL_US = 10;
/** From a nanosecond to a second. */
export const INTERVAL_US = numberIn(1e-3, 1e6, 'us');
const KEYS = ['agents', 'intervalUs', 'reward', 'episode', ...FILE_KEYS];
const STEPS: FieldRule = wholeIn(1, 2 ** 31);

/** @throws RoceError `invalid-config` naming the option. */
export function resolveOptions(options: GymOptions): ResolvedOptions {
  checkRecord(options, 'options');
  checkKeys(options, KEYS, 'options');
  const { agents = 'qps', intervalUs = DEFAULT_INTERVAL_US, reward = 'throughput', episode = {}, ...files } = options;
  checkField(agents, oneOf(...AGENT_KINDS), 'options.agents');
  checkField(intervalUs, INTERVAL_US, 'options.intervalUs');
  checkKeys(checkRecord(episode, 'options.episode'), ['steps'], 'options.episode');
  if (episode.steps !== undefined) checkField(episode.steps, STEPS, 'options.episode.steps');
  return {
    kind: agents,
    intervalPs: Math.round(intervalUs * PS_PER_US),
    reward: rewardOf(reward),
    stepsMax: episode.steps ?? Infinity,
    files,
  };
}

function rewardOf(reward: RewardName | Reward): Reward {
  if (typeof reward === 'function') return reward;
  const names = Object.keys(REWARDS);
  if (!names.includes(reward))
    reject({ got: reward, allowed: `a function, or one of ${names.join(', ')}`, where: 'options.reward' });
  return REWARDS[reward].of;
}

/** Input of a reward function: one agent in one interval. */
export interface RewardInput {
  /** The agent to reward. */
  readonly agent: Agent;
  /** The agent's observation of the interval. */
  readonly observation: Observation;
  /** The agent's action at the start of the interval; empty if none. */
  readonly action: Action;
  /** Length of the interval, microseconds. */
  readonly intervalUs: number;
  /** Shortest round trip that it has observed in the episode, microseconds; 0 if none. */
  readonly shortestRttUs: number;
}

/** The reward of an agent for an interval, a finite number. */
export type Reward = (input: RewardInput) => number;

/** Name of a built-in reward. */
export type RewardName = 'throughput' | 'power';

/** A built-in reward. */
export interface DeclaredReward {
  /** What it measures. */
  readonly description: string;
  /** The reward function. */
  readonly of: Reward;
}

/**
 * Built-in rewards by name; both range from 0 to about 1. Power: L. Kleinrock, "Power and Deterministic Rules of
 * Thumb", ICC 1979.
 */
export const REWARDS: Readonly<Record<RewardName, DeclaredReward>> = {
  throughput: {
    description:
      'QPs and hosts: acknowledged payload over what the line carries in the interval; switches: utilization',
    of: throughputOf,
  },
  power: {
    description: 'the same, times the shortest round trip so far over the mean one; switches: times ' +
      'interval / (interval + `queueDelayUs`)',
    of: (input) => throughputOf(input) * shareWithoutQueue(input),
  },
};

function throughputOf({ agent, observation, intervalUs }: RewardInput): number {
  if (agent.kind === 'switch') return observation.utilization;
  return (observation.ackedBytes * BITS_PER_BYTE * US_PER_SECOND) / intervalUs / agent.lineRateBps;
}

/** Without an ACK in the interval, nothing was acknowledged and the reward is 0. */
function shareWithoutQueue({ agent, observation, intervalUs, shortestRttUs }: RewardInput): number {
  if (agent.kind === 'switch') return intervalUs / (intervalUs + observation.queueDelayUs);
  return observation.acks === 0 ? 0 : shortestRttUs / observation.meanRttUs;
}
