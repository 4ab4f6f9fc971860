/** Ports of a result: counters, pauses, deadlocks, equal paths, series. */
import { absent, columns, number, numbers, orNull, record, text, texts, words } from './parts.js';

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
  looks: number('Number of samples until the end of the run.'),
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
