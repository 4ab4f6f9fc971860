/** The parts of READs and of receivers that are not ready under `standard`. */
import type { NetworkPlan } from '../../../src/sim/plan.js';
import { isRead } from '../../../src/sim/features/verbs/compile.js';
import type { World } from '../network.js';
import type { Requester, RequesterActions } from '../parts.js';
import { ReadRequester } from './read-requester.js';
import { makeRetries } from './transport-parts.js';

/** @param retry the number of the wait, from 1. */
export function rnrWaitPs({ verbs, flows }: NetworkPlan, flow: number, retry: number): number | undefined {
  const { source, destination } = flows.get(flow);
  const limit = verbs?.rnrRetryCount[source] ?? null;
  return limit !== null && retry > limit ? undefined : verbs?.rnrTimerPs[destination];
}

export function makeRequester(world: World, flow: number, actions: RequesterActions): Requester | undefined {
  if (!isRead(world.plan, flow)) return undefined;
  return new ReadRequester(world, flow, makeRetries(world.plan, flow), actions);
}
