/** When the watchdog of a switch polls: at multiples of its interval, as long as a queue there is paused or stormed. */
import { pollEvent } from '../event-numbers';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { SimPort } from '../records';
import { hazardNode } from './memory';

/** A port is paused: its switch looks at its queues from now on, if it has a watchdog. */
export function expectPoll(port: SimPort): void {
  const own = hazardNode(port.node);
  if (own.detectionPs == 0 || own.polling) return;
  setPoll(port.node);
}

export function setPoll(node: u32): void {
  const own = hazardNode(node);
  const pollPs = <i64>own.pollPs;
  own.polling = 1;
  schedule(pollEvent(node), (nowPs / pollPs + 1) * pollPs, drawOrder());
}
