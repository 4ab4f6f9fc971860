/** The schema of a result's parts on features: discovery before traffic, WANs, jobs, and what only uet-htsim counts. */
import * as z from 'zod';
import { absent, flag, list, number, record, text, texts, words, FIGURES, typeOf, numbers, numbersOrNull,
  orNull } from './parts.js';

const verdict = (meaning: string) => words(['lossless', 'not-lossless', 'unknown'], meaning);

const DISCOVERY_HOP = record({
  node: text('Name of the node.'),
  hop: number('Hop count of its reply.'),
  roundTripPs: number("From the request's first bit to the reply's last, picoseconds."),
}, 'A node that replied.', 'DiscoveryHopResult');

const DISCOVERY_FINDING = record({
  weight: words(['not-lossless', 'unknown', 'note'], 'What it means for the path; `note`: nothing.'),
  code: text('What was found: `priorities-differ`. A code keeps its meaning.'),
  figures: FIGURES,
  hop: absent(number('Hop that it concerns. Absent: the whole path.')),
}, 'A finding on a path, as data.', 'DiscoveryFindingResult');

const DISCOVERY_PATH = record({
  from: text('Name of the sending host, which sent the probes.'),
  to: text('Name of the receiving host.'),
  flow: number('Index of the first flow that takes this path.'),
  verdict: verdict('Verdict of the first round.'),
  reasons: texts('Reasons of the verdict, as sentences; empty when lossless.'),
  remarks: texts('Sentences on differences that are not dangerous.'),
  pushed: absent(texts('The effect of the policy, node by node, in sentences. Absent: none was pushed.')),
  verdictAfter: absent(verdict('Verdict of the last round. Absent: nothing was pushed.')),
  reasonsAfter: absent(texts('Reasons of that verdict, as sentences. Absent: nothing was pushed.')),
  findings: absent(
    list(DISCOVERY_FINDING,
      'Findings of the first round as data: `reasons` and `remarks` are their sentences. Not in the hash, as they say the same. ' +
        'Absent: in files of versions without them.'),
  ),
  hops: list(DISCOVERY_HOP, 'Hops that replied in the first round: routers in order, the destination last.'),
}, 'One path, by its probe.', 'DiscoveryPathResult');

export const DISCOVERY = record({
  form: text('Of the packets: `ipv4` or `ipv6`.'),
  verdict: verdict('The worst verdict of all paths, with the settings that the flows used.'),
  isAsAsked: flag('Whether each node did all that the policy requires when the flows started.'),
  endPs: number('When the last round was over: all flow starts are delayed by this much, picoseconds.'),
  rounds: number('Rounds: 1; 3 where a policy was pushed (probe, push, probe).'),
  requests: number('Requests sent by hosts.'),
  replies: number('Replies sent by switches and hosts.'),
  repliesDropped: number('Replies that access lists dropped.'),
  changed: texts('Switches that the policy changed, by name.'),
  paths: list(DISCOVERY_PATH, 'Paths in the order of their first flows.'),
}, 'Discovery over the paths of all flows.', 'DiscoveryResult');

const WAN_NODE = record({
  node: text('Name of the node.'),
  encapsulated: number('Packets that entered a tunnel here.'),
  decapsulated: number('Packets that left a tunnel here, including those dropped because of their ECN fields.'),
  endConSent: number('Fast CNPs sent from here to the END.CON SID of a provider edge.'),
  endConReceived: number('Fast CNPs that arrived at an END.CON SID here.'),
  fastCnpsDeniedIn: number('Fast CNPs that the access list denied on their way into the domain.'),
  fastCnpsDeniedOut: number('The same on their way out of it.'),
  ecnUnused: number('Packets whose inner and outer ECN fields are an unused combination: (!) of RFC 6040.'),
  ecnDangerous: number('Packets with a potentially dangerous one, (!!!); those dropped among them.'),
  ecnDropped: number('Packets dropped: outer CE over inner Not-ECT.'),
}, 'Counters of a node for tunnels, and for Fast CNPs at a border.', 'WanNodeResult');

const WAN_SERVICE = record({
  name: text('Name of the service.'),
  edges: texts('Names of its provider edges of `dc0` and `dc1`.'),
  via: texts('Names of the routers that its packets are routed through.'),
  overheadBytes: number('Bytes of its outer headers.'),
  flows: number('Flows across the WAN that belong to it.'),
}, 'A service, which is a tunnel in both directions.', 'WanServiceResult');

export const ARN_PORT = record({
  port: text('Name of the port.'),
  arnsSent: number('ARNs that it sent to begin a pause.'),
  arnsRefreshed: number('ARNs that it repeated while the congestion lasted.'),
  arnResumes: number('ARNs that it sent to end a pause.'),
  arnsReceived: number('ARNs that it received.'),
  arnsExpired: number('Pauses of its egress queues that expired.'),
  heldPs: number('How long its egress queues were held, summed over services, flows or classes.'),
}, 'ARNs of a port.', 'ArnPortResult');

export const HELD = record({
  level: words(['service', 'flow', 'priority'], 'What ARNs of this run hold.'),
  key: number('Index of the service or flow, or the class.'),
  name: text('Name of the service; the index of others.'),
  heldPs: number('How long, picoseconds, summed over ports.'),
}, 'A service, flow or class that ARNs held.', 'HeldResult');

export const WAN = record({
  nodes: list(WAN_NODE, 'Gateways, provider edges and routers at which any of this happened.'),
  services: list(WAN_SERVICE, 'Services in the order in which flows are matched with them; the last is `default`.'),
  arnPorts: absent(list(ARN_PORT, 'Ports that sent or received ARNs. Absent: there are none.')),
  held: absent(list(HELD, 'What ARNs held, longest first. Absent: nothing.')),
}, 'Tunnels, borders and ARNs of a run.', 'WanResult');

const MESSAGE_SUMS = record({
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

const COLLECTIVE = record({
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

const PORT_SHARE = record({
  port: text('`node:peer`.'),
  waitPs: number('Picoseconds.'),
}, 'How long messages of the critical path waited at a port.', 'PortShare');

const CRITICAL_STEP = record({
  kind: words(['compute', 'message'], 'Its kind.'),
  rank: number('Rank that computes or sends.'),
  operation: number('Number of the operation in its graph; of a received message that of the receive.'),
  what: text('Description of the operation; of a message that of the send.'),
  fromPs: number('When it began, picoseconds.'),
  toPs: number('When the next one could start.'),
  waitedPs: number('Of a message: its time beyond that in an idle network.'),
  flow: number('Index of its flow; -1: none.'),
}, 'A compute or a message of the critical path.', 'CriticalStep');

const CRITICAL_PATH = record({
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

const JOB_TIMELINE = record({
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

const numbersByName = (): z.ZodRecord<z.ZodString, z.ZodNumber> => z.record(z.string(), z.number());

/** What uet-htsim counts beyond other fidelities, by the names of its columns (docs/specs/uet-reference.md). */
/** What uet-htsim counts beyond other fidelities, by the names of its columns (docs/specs/uet-reference.md). */
export const UET_RESULT = typeOf('UetResult', '../uet/results.js', z.object({
  flows: z.array(numbersByName()),
  messages: z.array(numbersByName()),
  totals: numbersByName(),
  packets: numbersByName(),
}))
  .describe(
    'Under reference-uet: flows and totals with all columns of the program, from which uet-flows.csv is made. Absent: it is another fidelity.',
  );
