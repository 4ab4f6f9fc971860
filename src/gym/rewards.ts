/** Reward functions: built-in ones by name, or a custom function. */
import { BITS_PER_BYTE, US_PER_SECOND } from '../unit-sizes.js';
import type { Action, Agent, Observation } from './agent.js';

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
