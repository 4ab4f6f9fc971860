/**
 * `roce-cc/gym`: the simulator as an environment for learning agents. They observe QPs, hosts or switches in each
 * interval, and set rates, windows and thresholds. The same seed and actions give the same episode, including the hash
 * of its result.
 *
 * @packageDocumentation
 */
export { Gym, openGym, type EpisodeParameters, type ByAgent, type EpisodeResult, type Reset, type ResetInfo,
  type ResetOptions, type Step, type StepInfo } from './gym.js';
export { type GymOptions, REWARDS, type DeclaredReward, type Reward, type RewardInput,
  type RewardName } from './options.js';
export { AGENT_KINDS, type Action, type Agent, type AgentKind, type HostAgent, type Observation, type QpAgent,
  type SwitchAgent, type Space, type Spaces } from './agent.js';
