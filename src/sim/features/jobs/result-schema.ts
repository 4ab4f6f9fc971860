/** Jobs of a result: collectives, critical path, timeline, sums of messages. */
import { absent, list, number, numbers, numbersOrNull, orNull, record, text, texts,
  words } from '../../result-schema/parts.js';

export const MESSAGE_SUMS = record({
  done: number('Messages that are all acknowledged.'),
  deliveredBytes: number('Bytes that receivers accepted in order.'),
  retransmittedPackets: number('Data packets retransmitted.'),
  retransmittedBytes: number('Payload bytes retransmitted.'),
  timeouts: number('Retransmission timeouts.'),
  cnps: number('CNPs that senders reacted to.'),
  duplicateNotifications: number('Notifications that counted as duplicates.'),
  outOfOrderPackets: number('Data packets that arrived ahead of the expected byte.'),
  reorderingDepthPackets: number('Largest distance of an arrival ahead of the expected packet, packets.'),
  duplicatePackets: number('Data packets that arrived more than once.'),
  naks: number('NAKs that senders received.'),
  completionPs: number('From start to last ACK, the sum over those that are done, picoseconds.'),
  mostCompletionPs: number('The longest of these, picoseconds.'),
}, 'Messages of a job between different hosts, all together.', 'MessageSums');

export const COLLECTIVE = record({
  kind: text('`all-reduce` and the like.'),
  name: text('Name of its step; empty: none.'),
  ranks: number('Number of members.'),
  sizeBytes: number("The larger of a member's buffers, bytes: of all-gather the result."),
  firstBeginPs: orNull(
    number('When its first member began, picoseconds; null, as all that follows: not all are done.'),
  ),
  lastBeginPs: orNull(number("When its last member began: the difference is the ranks', not the network's.")),
  endPs: orNull(number('When its last member was done, sends included.')),
  algorithmBps: orNull(
    number('Size over the time from the last begin to the end, bits per second; null also for a barrier.'),
  ),
  busBps: orNull(
    number(
      "Bus bandwidth as in NCCL's tests: 2 (n - 1) / n times that of all-reduce, (n - 1) / n of all-gather and the like.",
    ),
  ),
}, 'One collective of a job.', 'CollectiveResult');

export const PORT_SHARE = record({
  port: text('`node:peer`.'),
  waitPs: number('Picoseconds.'),
}, 'How long messages of the critical path waited at a port.', 'PortShare');

export const CRITICAL_STEP = record({
  kind: words(['compute', 'message'], 'Its kind.'),
  rank: number('Rank that computes or sends.'),
  operation: number('Number of the operation in its graph; of a received message that of the receive.'),
  what: text('Description of the operation; of a message that of the send.'),
  fromPs: number('When it began, picoseconds.'),
  toPs: number('When the next one could start.'),
  waitedPs: number('Of a message: its time beyond that in an idle network.'),
  flow: number('Index of its flow; -1: none.'),
}, 'A compute or a message of the critical path.', 'CriticalStep');

export const CRITICAL_PATH = record({
  computePs: number('Computes, picoseconds.'),
  overheadPs: number('Overheads of sends and receives.'),
  messagePs: number('Messages: the time that each takes in an idle network.'),
  queueingPs: number(
    'Additional time that messages waited in queues of ports, and at their own hosts behind other messages; an estimate.',
  ),
  heldBackPs: number('Remaining waits: senders held back by congestion control, pauses or losses.'),
  otherPs: number('Anything else, such as waiting for a receive to be posted.'),
  ports: list(PORT_SHARE, 'Where messages waited, longest first; an estimate from the sampled queues.'),
  stepCount: number('Number of computes and messages of the chain.'),
  steps: list(CRITICAL_STEP, 'The last 256 of them, in order.'),
}, "The chain of operations that ended last; the six times add up to the job's completion.", 'CriticalPath');

export const JOB_TIMELINE = record({
  operations: numbers('Number of each in its graph.'),
  rank: numbers('Its rank.'),
  kind: numbers('0: compute, 1: send, 2: receive.'),
  lane: numbers('Lane; 65,535: none.'),
  startPs: numbers('When it began, picoseconds; a receive: was posted.'),
  endPs: numbers('When it was done.'),
  peer: numbers('Rank at the other end; 4,294,967,295: any.'),
  amount: numbers('Bytes of a message, picoseconds of a compute.'),
  cause: numbers('Place in these columns of the operation that allowed it to start; -1: none, or not kept.'),
  match: numbers("Place of a receive's send, or of a send's receive; -1: not kept."),
  names: texts('Names in the workload; empty: none.'),
}, 'Operations that are done, in columns.', 'JobTimeline');

export const JOB = record({
  name: text('Name of the job.'),
  ranks: number('Number of ranks.'),
  operations: number('Number of operations.'),
  operationsDone: number('Operations that are done.'),
  messages: number('Number of messages between hosts.'),
  messageBytes: number('Bytes of these.'),
  startPs: number('When it could begin, picoseconds.'),
  endPs: orNull(number('When its last operation was done, picoseconds; null: not all are.')),
  completionPs: orNull(number('From its start to its end; null: it has not ended.')),
  rankEndPs: numbersOrNull('By rank: when its last operation was done, picoseconds; null: not all are.'),
  rankComputePs: numbers('By rank: time in which it computed on at least one of its lanes, picoseconds.'),
  exposedCommunicationPs: numbersOrNull(
    "By rank: from the job's start to the rank's end, less that; null: it has not ended.",
  ),
  straggler: number('Rank that ended last; -1: not all did.'),
  hosts: texts('Host of each rank.'),
  waiting: texts('The first operations that are not done, and what each waits for.'),
  iterationPs: absent(
    numbersOrNull(
      'By iteration, of the slowest rank: from its end of the previous one, picoseconds; null: not all ranks are done.',
    ),
  ),
  collectives: absent(list(COLLECTIVE, 'The first 4,096 collectives, if the workload has any.')),
  criticalPath: absent(
    CRITICAL_PATH.describe('The chain of operations that determined its end; absent: the job has not ended.'),
  ),
  timeline: absent(JOB_TIMELINE.describe('Its first operations over time.')),
  messageSums: absent(
    MESSAGE_SUMS.describe('Sums over its messages, if `record.messages` is `sums`: they are not in `flows` then.'),
  ),
}, 'The result of a job.', 'JobResult');
