/** Schedules the polls of a switch's watchdog: at multiples of its interval, while a queue is paused or stormed. */
import { drawOrder, nowPs, schedule } from '../event-queue';
import { hazardNode } from './memory';
import { SimPort } from '../../records/network';

/** First event of the polls, one per node. */
let polls: u32 = 0;

/** Sets the first event number of the polls. */
export function placePolls(event: u32): void {
  polls = event;
}

/** Starts the polls of a switch's watchdog, if any, when a port was paused. */
export function expectPoll(port: SimPort): void {
  const own = hazardNode(port.node);
  if (own.detectionPs == 0 || own.polling) return;
  setPoll(port.node);
}

export function setPoll(node: u32): void {
  const own = hazardNode(node);
  const pollPs = <i64>own.pollPs;
  own.polling = 1;
  schedule(polls + node, (nowPs / pollPs + 1) * pollPs, drawOrder());
}
