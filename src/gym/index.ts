/**
 * `roce-cc/gym`: the simulator as an environment for learning agents. They observe QPs, hosts or switches in each
 * interval, and set rates, windows and thresholds. The same seed and actions give the same episode, including the hash
 * of its result.
 *
 * @packageDocumentation
 */
export { Gym, openGym } from './gym.js';
export type { GymOptions } from './options.js';
export { AGENT_KINDS, type Action, type Agent, type AgentKind, type HostAgent, type Observation, type QpAgent,
  type SwitchAgent } from './agent.js';
export type { EpisodeParameters, ByAgent, EpisodeResult, Reset, ResetInfo, ResetOptions, Step,
  StepInfo } from './episode.js';
export { REWARDS, type DeclaredReward, type Reward, type RewardInput, type RewardName } from './options.js';
export type { Space, Spaces } from './agent.js';
