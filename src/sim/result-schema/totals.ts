/** Counters of the whole network, and the run in a few numbers. */
import { absent, number, orNull, record, text } from './parts.js';

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
