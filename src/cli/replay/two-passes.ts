/**
 * A replay without a flow list: the first pass finds the connections, a second one follows their CNPs and rates, if the
 * capture can be read twice and has anything to follow.
 */
import { foundFlows } from '../../replay/found-flows.js';
import type { Flow, FoundFlow, ReplayReport } from '../../replay/index.js';
import { hasNotifications, type FlowsFrom } from './report.js';

/** A result, and the flows that it followed. */
export interface Followed {
  readonly result: ReplayReport;
  readonly flows: readonly Flow[];
  readonly flowsFrom: FlowsFrom;
  /** Flows of all connections found, for `--write-flows`. */
  readonly found: readonly FoundFlow[];
}

/** A pass over the capture. */
type Pass = (flows: readonly Flow[]) => Promise<ReplayReport>;

/**
 * @param secondPass reads the capture from its start again; undefined when it cannot be read twice.
 */
export async function replayFound(firstPass: Pass, secondPass: Pass | undefined): Promise<Followed> {
  const result = await firstPass([]);
  const found = foundFlows(result);
  const unfollowed: Followed = { result, flows: [], flowsFrom: 'none', found };
  if (secondPass === undefined || found.length === 0 || !hasNotifications(result)) return unfollowed;
  const second = await secondPass(found);
  // With QPs a capture may have more epochs than an engine follows: then the first pass tells more.
  if (second.error !== undefined && result.error === undefined) return unfollowed;
  return { result: second, flows: found, flowsFrom: 'connections', found };
}
