/**
 * The network in a result: counters of the whole, the run in a few numbers, and its ports with their pauses and series.
 */
import { absent, number, orNull, record, text, columns, numbers, texts, words } from './parts.js';

/** Dropped packets by reason. A reason that is absent dropped nothing. */
const DROPS = record({
  buffer: number('A full buffer.'),
  noRoute: number('No port leads to the destination.'),
  linkDown: number('The link is down.'),
  loss: number('Losses that faults set.'),
  corrupt: number('A wrong ICRC, seen by the receiving host.'),
  bitErrors: absent(number('A wrong frame check sequence.')),
  receiveBuffer: absent(number('A full receive buffer of a slow receiver.')),
  watchdog: absent(number('The watchdog of a switch.')),
  accessList: absent(number('A Fast CNP that an access list denies.')),
  tunnelEcn: absent(number('A combination of ECN fields that is dropped where a tunnel ends (RFC 6040).')),
  wrongUsid: absent(number('A uSID that the table of a switch lacks.')),
},
  'Packets dropped, by reason; they sum up to packetsDropped. Those from bitErrors on are absent if they dropped nothing.');

export const TOTALS = record({
  packetsIn: number('Packets made.'),
  packetsOut: number('Packets delivered.'),
  packetsInFlight: number('Packets on links and in queues at the end.'),
  packetsDropped: number('Packets dropped.'),
  bytesIn: number('Bytes of the packets made.'),
  bytesOut: number('Bytes of the packets delivered.'),
  bytesInFlight: number('Bytes on links and in queues at the end.'),
  bytesDropped: number('Bytes of the packets dropped.'),
  drops: DROPS,
  dataPackets: number('Data packets made, retransmitted ones included.'),
  acks: number('ACKs made.'),
  naks: number('NAKs made.'),
  cnps: number('CNPs made.'),
  fastCnps: number('Fast CNPs made.'),
  pauses: number('Pause frames sent.'),
  resumes: number('Frames sent that end a pause.'),
  arns: absent(number('ARNs sent. Absent: none.')),
  readRequests: absent(number('READ requests sent, repeated ones included. Absent: none.')),
  rnrNaks: absent(number('RNR NAKs sent. Absent: none.')),
  nacks: absent(number('NACKs sent, of MRC and under reference-uet. Absent: none.')),
  probes: absent(number('Probes of MRC made. Absent, as the next two: none.')),
  probesAcknowledged: absent(number('Probes whose SACK arrived before the next probe of the path.')),
  probesLost: absent(number('Probes without a SACK by then.')),
  endpointRequests: absent(
    number(
      'Endpoint requests of MRC made, port status updates, retransmitted ones included. Absent, as the next one: none.',
    ),
  ),
  endpointResponses: absent(number('Endpoint responses made.')),
  trimmedPackets: absent(number('Packets that switches trimmed. Absent, as the next two: none.')),
  bytesTrimmed: absent(number('Bytes trimmed off.')),
  trimmedDropped: absent(number('Trimmed packets that a switch dropped. They count as dropped for lack of buffer.')),
  credits: absent(number('Credit packets sent, of receivers that grant credit. Absent, as the next four: none.')),
  creditsReceived: absent(number('Credit packets that reached their senders.')),
  creditsDropped: absent(
    number('Credit packets dropped, whatever the reason. Absent, as the next two, also under reference-uet.'),
  ),
  creditBytesGranted: absent(number('Bytes that receivers granted.')),
  creditBytesUsed: absent(
    number('Bytes that senders under receiver credit have sent, headers and speculative packets included.'),
  ),
  marks: number('Packets marked.'),
  dataMarks: number('Marks on data packets alone.'),
  retransmittedPackets: number('Data packets retransmitted.'),
  timeouts: number('Retransmission timeouts.'),
}, 'Conservation: in = out + in flight + dropped, in packets and, with what was trimmed off, in bytes.', 'Totals');

export const PERCENTILES = record({
  min: number('Minimum.'),
  p50: number('Median.'),
  p95: number('95th percentile.'),
  p99: number('99th percentile.'),
  max: number('Maximum.'),
  mean: number('Arithmetic mean.'),
}, 'By nearest rank: each but the mean is one of the values.', 'Percentiles');

export const SUMMARY = record({
  flowsDone: number('Flows that are done.'),
  flowsUnfinished: number('Flows that are not, and have an end.'),
  flowsEndless: absent(number('Flows without an end. Absent: none.')),
  completionPs: orNull(PERCENTILES.describe('Completion times of flows that are done, picoseconds; null: none is.')),
  slowdown: orNull(PERCENTILES.describe('Completion times over ideal ones; null: no flow is done.')),
  maxQueueBytes: number('Longest queue of any port, bytes; under reference-uet of data alone.'),
  maxQueuePort: text('Name of that port; empty under reference-uet.'),
  meanQueueBytes: absent(number('Time-weighted mean queue of that port, bytes. Absent: under reference-uet.')),
  pausedPs: number('Time that ports were paused, picoseconds, summed over ports and classes.'),
  fairFromPs: orNull(
    number(
      'First time from the last start on from which all flows running then have rates within 10 % of their mean and keep them so for 20 samples; null: never, or there are no samples.',
    ),
  ),
  meanFairness: orNull(number('Of all running flows, over the samples with at least two of them.')),
  goodputBps: number('Delivered payload over the time from the first start to the end, bits per second.'),
  outOfOrderPackets: absent(
    number('Data packets that arrived ahead of the expected byte, of all flows. Absent, as the next ones: none.'),
  ),
  reorderingDepthPackets: absent(
    number('Largest distance of an arrival ahead of the expected packet, packets; absent under reference-uet.'),
  ),
  detours: absent(number('Fast CNPs on which senders changed their UDP source port.')),
  pathFairness: absent(
    number(
      "Jain's index of the bytes that equal paths sent, mean over sets weighted by bytes. Absent: `equalPaths` is.",
    ),
  ),
}, 'A run in a few numbers.', 'Summary');

export const PORT = record({
  name: text('`node:peer`.'),
  node: text("Name of the port's node."),
  peer: text('Name of the node at the other end of the link.'),
  rateBps: number('Bits per second.'),
  txPackets: number('Packets sent.'),
  txBytes: number('Bytes sent.'),
  utilization: number("Share of the time from the first flow's start on in which it was sending."),
  maxClassQueueBytes: number("Maximum bytes of one class waiting here (the reference's measure)."),
  maxQueueBytes: number('Maximum bytes of all classes waiting here.'),
  meanQueueBytes: number("Time-weighted mean of the queue, from the first flow's start on, bytes."),
  marks: number('Packets marked.'),
  drops: number('Packets dropped.'),
  fastCnps: number('Fast CNPs made here.'),
  pausesSent: number('Pause frames that this port sent.'),
  pausesReceived: number('Pause frames received.'),
  pausedPs: number('Time that it was paused, picoseconds, summed over classes.'),
  trimmedPackets: absent(
    number(
      'Data packets that were trimmed instead of joining its queue. Absent, as the next two: none, and none dropped.',
    ),
  ),
  trimmedByClass: absent(numbers('The same by class, 0 to 7.')),
  trimmedDropped: absent(number('Trimmed packets that it dropped.')),
  kminBytes: absent(number('Queue up to which no packet is marked, bytes; of ports that mark.')),
  kmaxBytes: absent(number('Queue from which all packets are marked, bytes; of ports that mark.')),
  maxIngressBytes: absent(number('Maximum shared memory that arrivals of one class held at once; of switches.')),
  minPauseThresholdBytes: absent(number('Lowest pause threshold at such an arrival; of switches with PFC.')),
  watchdogStorms: absent(
    number('Times that the watchdog declared a queue here stormed. Absent, with the next three: never.'),
  ),
  watchdogRestored: absent(number('Times that such a queue was restored.')),
  watchdogDrops: absent(number('Packets that the watchdog dropped here.')),
  stormedPs: absent(number('How long queues counted as stormed, picoseconds, summed over classes.')),
  maxReceiveBytes: absent(number('Maximum bytes in the receive buffer of a slow receiver.')),
  receiveDrops: absent(number('Packets that found it full.')),
}, 'The result of one port.', 'PortResult');

export const EQUAL_PATHS = record({
  node: text('Name of the switch.'),
  ports: texts('Names of its ports, in the order of the hash.'),
  txBytes: numbers('Bytes that each port sent: all packets, also those without a choice.'),
  fairness: number("Jain's index of these, 1 / ports to 1."),
}, 'A set of equal paths of a switch, of which at least one was used.', 'EqualPathsResult');

export const DEADLOCK = record({
  formedPs: number('When the last queue of its cycle was paused, picoseconds.'),
  foundPs: number('When it was found, picoseconds.'),
  resolvedPs: orNull(number('When it was found resolved, picoseconds; null: it was not.')),
  ports: texts('Names of the ports, each waiting for the next, the last one for the first; at most 64.'),
  trafficClasses: numbers('The class that was stopped at each of them, 1 to 7.'),
  length: number('Number of ports in the cycle.'),
}, "Paused queues of switches whose packets waited for each other's memory, in a cycle.", 'DeadlockResult');

export const PAUSE_INTERVAL = record({
  port: text('Name of the port that was paused.'),
  trafficClass: number('The class that was paused, 0 to 7.'),
  fromPs: number('Begin, picoseconds.'),
  toPs: number('Not beyond the end of the run.'),
  endedBy: words(['resume', 'lapse', 'run-end'],
    "What ended it: a resume frame; it expired or its link failed; the run's end came first."),
  renewedPs: absent(numbers('When frames arrived that renewed it, picoseconds. Absent: none did.')),
}, 'A pause of one class of a port.', 'PauseInterval');

export const QUEUE_HISTOGRAM = record({
  polls: number('Number of samples until the end of the run.'),
  ports: columns(
    "By name of a switch's port that had a queue of at least 1,000 bytes: samples with [k, k + 1) kB, from k = 0 on.",
  ),
}, 'Histogram of the lengths of switch queues, from samples at equal intervals.', 'QueueHistogramResult');

export const SERIES = record({
  intervalPs: number('Time between samples, picoseconds.'),
  timesPs: numbers('Picoseconds.'),
  queueBytes: columns('Bytes waiting at each sample, by port name.'),
  mostQueueBytes: absent(columns('Maximum bytes waiting in the interval before each sample.')),
  utilization: columns('Share of the interval before each sample in which the port was sending.'),
  rateBps: columns('Rate of the QP at each sample, by flow index; 0 before its start and after its end.'),
  fairness: numbers(
    "Jain's index of the rates of the flows that are running; of more than 1,024, of those that started first.",
  ),
},
  'Sampled at one interval; index 0 is `intervalPs` after the start of the first flow. Bounded memory: the interval doubles when a series is full.',
  'SeriesResult');
