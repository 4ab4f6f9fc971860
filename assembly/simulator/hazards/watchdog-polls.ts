/** Schedules the polls of a switch's watchdog: at multiples of its interval, while a queue is paused or stormed. */
import { pollEvent } from '../event-numbers';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { hazardNode } from './memory';
import { SimPort } from '../../records/network';

/** A port was paused: its switch's watchdog, if any, begins to poll. */
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
