/**
 * Replays without a flow list: the first pass finds the connections; the second one follows their CNPs and rates, if
 * the capture can be read twice and contains notifications.
 */
import { foundFlows } from '../../replay/found-flows.js';
import type { Flow, FoundFlow, ReplayReport } from '../../replay/index.js';
import { hasNotifications, type FlowsFrom } from './report.js';

/** A result, with the flows that it covers. */
export interface Followed {
  readonly result: ReplayReport;
  readonly flows: readonly Flow[];
  readonly flowsFrom: FlowsFrom;
  /** Flows of all connections found, for `--write-flows`. */
  readonly found: readonly FoundFlow[];
}

/** Reads the whole capture once, following these flows. */
type Pass = (flows: readonly Flow[]) => Promise<ReplayReport>;

/**
 * @param secondPass reads the capture again from its start; undefined if it cannot be read twice.
 */
export async function replayFound(firstPass: Pass, secondPass: Pass | undefined): Promise<Followed> {
  const result = await firstPass([]);
  const found = foundFlows(result);
  const unfollowed: Followed = { result, flows: [], flowsFrom: 'none', found };
  if (secondPass === undefined || found.length === 0 || !hasNotifications(result)) return unfollowed;
  const second = await secondPass(found);
  // The second pass may fail on a capture with more epochs than an engine can follow; the first pass then has more
  // results.
  if (second.error !== undefined && result.error === undefined) return unfollowed;
  return { result: second, flows: found, flowsFrom: 'connections', found };
}
