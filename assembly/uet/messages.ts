/**
 * Adds messages of a connection to the backlog when they become due (docs/specs/uet-reference.md, 10). There is one event per
 * distinct time; the first one precedes the sender's own start event, so it starts the sender, and the start event finds it running.
 */
import { UET_FLOW_BYTES, UetFeed, UetFlow } from '../records/uet-flows';
import { UET_FIRST_MESSAGE_BUSY, UET_MESSAGE_GAP } from '../records/uet-run';
import { addDueMessages } from './backlog';
import { startFlow, trySend } from './sending';
import { run, stop } from './stop';

@inline export function flowAt(index: u32): UetFlow {
  return changetype<UetFlow>(<usize>run.flowsAt + <usize>index * UET_FLOW_BYTES);
}

/** The event at which messages become due. */
export function feedMessages(feed: UetFeed): void {
  const flow = flowAt(feed.flow);
  if (flow.finishPs >= 0) stop(UET_MESSAGE_GAP);
  const isIdle = !flow.isWaiting && flow.backlogBytes == 0 && !flow.queuedCount;
  addDueMessages(flow);
  if (flow.startPs < 0) startFlow(flow);
  else if (isIdle) trySend(flow);
}

/** If the first packet could not be sent immediately, the reference starts the flow twice and aborts. */
export function checkStarted(feed: UetFeed): void {
  if (!flowAt(feed.flow).nextSeq) stop(UET_FIRST_MESSAGE_BUSY);
}
