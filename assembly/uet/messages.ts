/**
 * Messages of a connection as they become due (docs/specs/uet-reference.md, 10). One event per distinct time is listed before the sender's own
 * start, so the first of them starts the sender, and the sender's own start finds it running.
 */
import { UET_FLOW_BYTES, UetFeed, UetFlow } from '../records/uet-flows';
import { UET_FIRST_MESSAGE_BUSY, UET_MESSAGE_GAP } from '../records/uet-run';
import { addDueMessages } from './backlog';
import { startFlow, trySend } from './sending';
import { run, stop } from './stop';

@inline export function flowAt(index: u32): UetFlow {
  return changetype<UetFlow>(<usize>run.flowsAt + <usize>index * UET_FLOW_BYTES);
}

/** The event of a time at which messages are due. */
export function feedMessages(feed: UetFeed): void {
  const flow = flowAt(feed.flow);
  if (flow.finishPs >= 0) stop(UET_MESSAGE_GAP);
  const isIdle = !flow.isWaiting && flow.backlogBytes == 0 && !flow.queuedCount;
  addDueMessages(flow);
  if (flow.startPs < 0) startFlow(flow);
  else if (isIdle) trySend(flow);
}

/** The reference starts a flow twice, and aborts, if its first packet could not leave at once. */
export function checkStarted(feed: UetFeed): void {
  if (!flowAt(feed.flow).nextSeq) stop(UET_FIRST_MESSAGE_BUSY);
}
