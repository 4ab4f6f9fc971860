/**
 * Matches messages with receives, as in MPI.
 *
 * Matching  a message takes the first matching receive in order of posting (time, then number); a receive takes the first
 *           matching message in order of arrival
 * Match     the source is the same or any, and the tag is the same or any; sizes are not compared
 * Order     messages of the same source, destination and tag are offered in the order in which their sends began: one that has
 *           overtaken another waits. Other messages are offered in the order of their last bytes.
 *
 * Each receive waits in one queue: that of its channel, or one per kind of wildcard. So a message examines the heads of four
 * queues and takes the receive posted first. Only a receive with a wildcard searches its rank's arrivals.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { channelAt, operationAt, queueAt } from './memory';
import { begin, finish } from './operations';
import { expectInRound, STAGE_CLAIM } from './ready';
import { Channel, OPERATION_CLAIMS, OPERATION_DONE, Operation, SEND_DONE_DELIVERED } from '../../records/graph';

/** Stored instead of a match: the message is complete, and waits for an earlier one of its channel. */
const COMPLETE: u32 = 0xfffffffe;

/** Offers a complete message, and later ones that have waited for it. */
export function offer(index: u32): void {
  const message = operationAt(index);
  if (message.flags & SEND_DONE_DELIVERED && message.state != OPERATION_DONE) finish(index);
  const channel = channelAt(message.channel);
  message.match = COMPLETE;
  while (channel.begunHead != SIM_NONE && operationAt(channel.begunHead).match == COMPLETE) {
    const first = channel.begunHead;
    channel.begunHead = operationAt(first).next;
    deliver(first, channel);
  }
}

/** Posts a receive. */
export function post(index: u32): void {
  const receive = operationAt(index);
  begin(index);
  const message = receive.flow == SIM_NONE ? removeArrived(receive.channel) : removeFitting(receive);
  if (message != SIM_NONE) return match(index, message);
  const queue = queueAt(receive.channel);
  receive.next = SIM_NONE;
  if (queue.head == SIM_NONE) queue.head = index;
  else operationAt(queue.tail).next = index;
  queue.tail = index;
}

function match(receive: u32, message: u32): void {
  operationAt(receive).match = message;
  operationAt(receive).state = <u8>OPERATION_CLAIMS;
  operationAt(message).match = receive;
  expectInRound(STAGE_CLAIM, receive);
}

function deliver(index: u32, channel: Channel): void {
  const message = operationAt(index);
  message.match = SIM_NONE;
  const number = firstPosted(message.channel, channel);
  if (number == SIM_NONE) return keep(index, message, channel);
  const queue = queueAt(number);
  const receive = queue.head;
  queue.head = operationAt(receive).next;
  operationAt(receive).cause = index;
  match(receive, index);
}

/** Of the matching queues, the one whose first receive was posted first. */
function firstPosted(own: u32, channel: Channel): u32 {
  const first = earlier(SIM_NONE, own);
  return earlier(earlier(earlier(first, channel.anySource), channel.anyTag), channel.any);
}

function earlier(first: u32, other: u32): u32 {
  if (other == SIM_NONE || queueAt(other).head == SIM_NONE) return first;
  if (first == SIM_NONE) return other;
  const a = queueAt(first).head;
  const b = queueAt(other).head;
  const aPs = operationAt(a).startPs;
  const bPs = operationAt(b).startPs;
  return bPs < aPs || (bPs == aPs && b < a) ? other : first;
}

/** Stores a message that no receive matches yet. */
function keep(index: u32, message: Operation, channel: Channel): void {
  message.next = SIM_NONE;
  if (channel.arrivedHead == SIM_NONE) channel.arrivedHead = index;
  else operationAt(channel.arrivedTail).next = index;
  channel.arrivedTail = index;
  if (channel.arrivals == SIM_NONE) return;
  const arrivals = queueAt(channel.arrivals);
  message.nextArrival = SIM_NONE;
  message.match = arrivals.tail;
  if (arrivals.tail == SIM_NONE) arrivals.head = index;
  else operationAt(arrivals.tail).nextArrival = index;
  arrivals.tail = index;
}

/** Removes the first waiting message of a channel; SIM_NONE if there is none. */
function removeArrived(number: u32): u32 {
  const channel = channelAt(number);
  const index = channel.arrivedHead;
  if (index == SIM_NONE) return SIM_NONE;
  const message = operationAt(index);
  channel.arrivedHead = message.next;
  if (channel.arrivals != SIM_NONE) unlink(message, channel.arrivals);
  return index;
}

/** Removes the first of its rank's arrivals that matches a receive with a wildcard; it is also the first of its channel. */
function removeFitting(receive: Operation): u32 {
  let index = queueAt(receive.flow).head;
  while (index != SIM_NONE) {
    const message = operationAt(index);
    const channel = channelAt(message.channel);
    const wanted = receive.channel;
    if (channel.anySource == wanted || channel.anyTag == wanted || channel.any == wanted) {
      return removeArrived(message.channel);
    }
    index = message.nextArrival;
  }
  return SIM_NONE;
}

/** Removes a message from its rank's arrivals; `match` is the previous one. */
function unlink(message: Operation, number: u32): void {
  const arrivals = queueAt(number);
  if (message.match == SIM_NONE) arrivals.head = message.nextArrival;
  else operationAt(message.match).nextArrival = message.nextArrival;
  if (message.nextArrival == SIM_NONE) arrivals.tail = message.match;
  else operationAt(message.nextArrival).match = message.match;
}
