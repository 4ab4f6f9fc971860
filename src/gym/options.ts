/** Options of an environment, and their validation. */
import { checkField, checkKeys, checkRecord, numberIn, oneOf, reject, wholeIn,
  type FieldRule } from '../config/field-rules.js';
import type { ScenarioFiles } from '../sim/index.js';
import { PS_PER_US } from '../unit-sizes.js';
import { AGENT_KINDS, type AgentKind } from './agent.js';
import { REWARDS, type Reward, type RewardName } from './rewards.js';

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
