/** Flows and QPs of a result. */
import type * as z from 'zod';
import type { LossFigures } from '../result.js';
import { absent, number, orNull, present, record, text, texts, words } from './parts.js';

/** Counters of losses and order; each is absent if it is 0. */
const LOSSES = {
  outOfOrderPackets: absent(
    number(
      'Data packets that arrived ahead of the expected byte. Absent, as the next ones: none, or not counted under reference-uet.',
    ),
  ),
  reorderingDepthPackets: absent(
    number(
      'Largest distance of an arrival ahead of the expected packet, packets: 1 is the packet after the expected one.',
    ),
  ),
  duplicatePackets: absent(number('Data packets that arrived more than once.')),
  naks: absent(number('NAKs, of MRC and under reference-uet NACKs, that its sender received before its last ACK.')),
  retransmittedBytes: absent(number('Payload retransmitted, bytes.')),
  sackedPackets: absent(number('Packets that SACKs reported to its sender (`irn`, `tolerant`, `mrc`).')),
  beyondWindowPackets: absent(
    number(
      'Data packets dropped by the receiver because they were beyond its reordering window, or its range under `mrc`.',
    ),
  ),
  discardedPackets: absent(
    number('New data packets that the receiver discarded during a `receiver-discards` fault, and reported in NACKs.'),
  ),
} satisfies Record<keyof LossFigures, z.ZodType>;

/** Counters of a flow's verb; each is absent if it is 0. */
const VERBS = {
  readRequests: absent(
    number(
      'READ requests that its requester sent: 1 + those for responses that it missed. Absent: it is not a READ, or has not started.',
    ),
  ),
  rnrNaks: absent(number('RNR NAKs that its sender received. Absent: none.')),
  rnrWaitPs: absent(number('How long its sender waited for the receiver after them, picoseconds. Absent: never.')),
};

export const FLOW = record({
  index: number('Index of the flow.'),
  from: text('Name of the sending host.'),
  to: text('Name of the receiving host.'),
  algorithm: text('Name of the parameter set; under reference-uet `uet.control`.'),
  sizeBytes: number('Payload, bytes. Of a flow without an end more than it can send before the run ends.'),
  endless: absent(present('It has no end: it sends until the run ends. Absent: it has one.')),
  startPs: number('Start, picoseconds.'),
  completionPs: orNull(number('Start to last ACK, of a READ to its last byte; null while unfinished.')),
  idealPs: number('What completionPs would be in an idle network, picoseconds.'),
  slowdown: orNull(number('completionPs / idealPs.')),
  deliveredBytes: number(
    'Received in order, bytes. Under reference-uet, of a flow that is not done: at least that many, as its packet numbers count requests to send, too.',
  ),
  retransmittedPackets: number('Packets retransmitted.'),
  timeouts: number('Retransmission timeouts.'),
  cnps: number(
    'Notifications that the sender reacted to. Under the references, which have no CNPs: marks that ACKs repeat, and `totals.cnps` is 0.',
  ),
  fastCnps: number('Fast CNPs that the sender reacted to.'),
  duplicateNotifications: number('Notifications that it ignored as duplicates.'),
  firstNotificationPs: orNull(
    number(
      'Time of the first notification of any kind; null: never, or under reference-uet, which does not record it.',
    ),
  ),
  finalRateBps: absent(
    number(
      "Of its QP at the end of the run, which may be long after the flow's own. Absent: under reference-uet, whose senders have windows.",
    ),
  ),
  qp: absent(
    number(
      "Index of the first flow of its QP, which has its counters' sums in `qps`. Absent, as the next three: it has its own QP.",
    ),
  ),
  beganPs: absent(
    orNull(number('When its first packet left, picoseconds; null: none did. It was posted at `startPs`.')),
  ),
  beganRateBps: absent(number('Rate of its QP then, bits per second.')),
  restarted: absent(
    present('Its QP had been idle for `hosts.idleRestartUs`, and restarted at line rate. Absent: it kept its rate.'),
  ),
  windowBytes: absent(number('Base window; 0 = none. Absent: not reported.')),
  failure: absent(
    words(['retry-exceeded', 'rnr-retry-exceeded', 'remote-operation-error'],
      'Why it ended without its last ACK: its retries are exhausted (`hosts.retryCount`), or those after RNR NAKs (`hosts.rnrRetryCount`), or its receiver reported an unexpected event (fault `receiver-discards`). Absent: it did not.'),
  ),
  ...LOSSES,
  detours: absent(number('Fast CNPs on which its sender changed its UDP source port. Absent: none.')),
  ...VERBS,
  path: absent(
    texts(
      "Names of the ports by which its data leaves, from the sender's on, while all links are up and before any reroute. Absent: not reported, or it has no single path, as packets are spread.",
    ),
  ),
  heldPs: absent(
    number(
      'How long pauses held it although its own path was free, picoseconds. Absent: never, or that was not inspected.',
    ),
  ),
  heldAt: absent(text('Name of the port of the longest single hold.')),
  heldBy: absent(
    text(
      'Name of the port at which the pause that held it began: it was paused by a host, or full. Absent: ports in a cycle.',
    ),
  ),
}, 'The result of one flow.', 'FlowResult');

export const QP = record({
  qp: number('Index of its first flow.'),
  from: text('Name of the sending host.'),
  to: text('Name of the receiving host.'),
  messages: number('Messages, and those of them that are done.'),
  messagesDone: number('Messages acknowledged.'),
  sizeBytes: number('Payload of all its messages, bytes.'),
  deliveredBytes: number('Received in order, bytes.'),
  openedPs: orNull(number('When its first message was posted, picoseconds; null: none was.')),
  lastAckPs: orNull(number('Last ACK of its last message that is done, picoseconds; null: none is.')),
  retransmittedPackets: number('Packets retransmitted.'),
  timeouts: number('Retransmission timeouts.'),
  cnps: number('Notifications that it reacted to.'),
  restarts: number('Times that it restarted at line rate after idle time.'),
  minBeganRateBps: orNull(number('Lowest rate with which a message began, bits per second; null: none did.')),
  finalRateBps: number('At the end of the run, bits per second.'),
}, 'A QP that carries several flows as messages.', 'QpResult');

/** The members of a flow's result on losses and order, in the order of columns and of the hash. */
export const LOSS_FIGURES = Object.keys(LOSSES) as (keyof typeof LOSSES)[];
export const VERB_FIGURES = Object.keys(VERBS) as (keyof typeof VERBS)[];
