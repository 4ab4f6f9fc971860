/** The schema of settings, faults and records; the types are in spec.ts. */
import * as z from 'zod';
import { REFERENCE_MTU_MAX_BYTES } from './defaults.js';
import { HAZARD_KINDS } from './hazard-kinds.js';
import { ENDS } from './schema-ends.js';
import { HAZARD_FAULTS, WATCHDOG_SCHEMA } from './schema-hazards.js';
import { FLOWS_MAX } from '../workload/workload-flow.js';
import { kindsOf, flag, listOf, name, NODES_MAX, numberAboveZero, numberIn, optional, record, refusing, text,
  TIME_MAX_US, timeUs, wholeIn, wordOf } from './schema-parts.js';

const OPERATIONS_MAX = 2 ** 24;
const RATES_MAX = 1e12;
const BURST_MAX = 1e9;
const BUFFER_MAX_BYTES = 2 ** 40;
const COUNTER_MAX_BYTES = 2 ** 32 - 1;

const PARAMETER = z.union([z.number(), z.string(), z.boolean()], refusing('a number, text, true or false'));

export const ALGORITHM_SCHEMA = record({
  preset: text('Name of a preset, as dcqcn-sigcomm15 or hpcc-sigcomm19.'),
  ...optional({
    set: text('Name of a published set, of dcqcn-ns3 and hpcc-ns3.'),
    parameters: z.record(z.string(), PARAMETER, refusing('an object of parameters')).describe(
      "Any of the preset's parameters by the name that it has in the parameters' type.",
    ),
    window: wordOf(['none', 'fixed', 'variable'], 'Bound on bytes in flight. Default: as the algorithm has it.'),
    baseRtt: wordOf(['longest', 'path'],
      "Base round trip: of the longest path of all hosts, or of each flow's own. Default longest."),
  }),
}, 'A parameter set of congestion control.');

const ECN_RATE = record({
  rateGbps: numberIn(0.001, 8000, 'Rate of the port, Gb/s.'),
  kminKB: numberIn(0, 1e9, 'Up to this queue nothing is marked, kB.'),
  kmaxKB: numberIn(0, 1e9, 'Above this queue everything is marked, kB.'),
  pmax: numberIn(0, 1, 'Probability of a mark at Kmax.'),
}, 'Thresholds of ports of one rate.');

const ECN = record(optional({
  enabled: flag('Default true.'),
  kminKB: numberIn(0, 1e9, 'Up to this queue nothing is marked, kB at 100 Gb/s. Default 100.'),
  kmaxKB: numberIn(0, 1e9, 'Above this queue everything is marked, kB at 100 Gb/s. Default 400.'),
  pmax: numberIn(0, 1, 'Probability of a mark at Kmax. Default 0.2.'),
  scaleWithRate: flag('Thresholds in proportion to the rate of the port. Default true.'),
  markAt: wordOf(['dequeue', 'enqueue'], 'Where the queue is looked at. Default dequeue.'),
  byRate: listOf(ECN_RATE, 1, 1000,
    "Thresholds for each rate of port, in place of the four above; every rate of a switch's port has to be here."),
}), 'Explicit congestion notification.');

const FAST_CNP = record(optional({
  enabled: flag('Default false.'),
  option: z.union([z.literal(1), z.literal(2)], refusing([1, 2])).describe(
    '1: original destination. 2: also the telemetry of the path. Default 1.',
  ),
  flowRatePerSecond: numberIn(0, RATES_MAX, 'Fast CNPs per second of a flow. Default 20,000.'),
  flowBurst: numberIn(1, BURST_MAX, 'Fast CNPs of a flow at once. Default 1.'),
  portRatePerSecond: numberIn(0, RATES_MAX, 'Fast CNPs per second of a port. Default 1,000,000.'),
  portBurst: numberIn(1, BURST_MAX, 'Fast CNPs of a port at once. Default 64.'),
  markWhenLimited: flag('Mark CE in place of a Fast CNP that is held back. Default false.'),
}), 'A congested switch notifies the sender itself (draft-xiao-rtgwg-rocev2-fast-cnp-01).');

const BUFFER = z.discriminatedUnion('model', [
  record({ model: z.literal('ingress-share') }, 'All classes share memory by port of arrival.'),
  record({
    model: z.literal('service-pools'),
    lossyBytes: wholeIn(1, COUNTER_MAX_BYTES,
      "Bytes of each switch's memory for lossy classes, with what is reserved."),
    ...optional({
      losslessClasses: listOf(wholeIn(1, 7, 'A traffic class.'), 0, 7,
        'Classes that are paused rather than dropped. Default 3 and 4.'),
      dynamicTh: wholeIn(-7, 6, "A lossy queue's limit is 2^dynamicTh of what is free. Default 3."),
      reservedBytes: wholeIn(0, COUNTER_MAX_BYTES, 'Bytes of each lossy queue that are not shared. Default 1,518.'),
    }),
  }, 'A pool for lossless classes, and one in which each lossy queue has a limit.'),
], kindsOf(['ingress-share', 'service-pools'])).describe(
  'Under standard: how classes share the memory. Default ingress-share.',
);

export const SWITCH_SCHEMA = record(optional({
  bufferBytes: wholeIn(1, BUFFER_MAX_BYTES,
    'Shared packet memory. Default 32 MiB, and what headroom takes beyond half of it.'),
  buffer: BUFFER,
  pfc: flag('Priority flow control. Default true.'),
  ecn: ECN,
  fastCnp: FAST_CNP,
  headroomBytes: wholeIn(0, COUNTER_MAX_BYTES, 'Set aside per port and class for what arrives after a pause.'),
  strictClasses: listOf(wholeIn(1, 7, 'A traffic class.'), 0, 7,
    'Classes that every port sends before the others, the highest first, beside that of CNPs. Default none.'),
  pauseTimeUs: numberAboveZero(1e6,
    'Under reference-lossy: how long a pause lasts behind its last frame, us. Default 5.'),
  loadBalancing: wordOf([
    'ecmp',
    'random',
    'round-robin',
    'flowlet',
    'drill',
    'conga',
    'least-queue',
    'letflow',
    'conweave',
  ],
    'Which of several paths data takes. Under standard all but the last two; under reference-lossy ecmp, drill, letflow, conga, conweave. Default ecmp.'),
  flowletGapUs: timeUs(
    'Of flowlet and conga under standard: a flow that sends nothing for longer begins a new flowlet, us. Defaults 100 and 500.',
  ),
  drill: record(optional({
    samples: wholeIn(1, 16, 'd: ports drawn at random per packet. Default 2.'),
    memory: wholeIn(0, 16, 'm: ports remembered as the shortest. Default 1.'),
  }), 'DRILL(d, m) under standard.'),
  conga: record(optional({
    tauUs: numberAboveZero(1e6, 'Over which what a port sends is averaged, us. Default 160.'),
    ageingUs: numberAboveZero(1e9, 'What is known of a path for longer counts no more, us. Default 10,000.'),
  }), 'Times of CONGA under standard.'),
  conWeave: record(optional({
    expiryUs: timeUs('A flow that was silent for longer chooses anew, us. Default 1,000.'),
    replyExtraUs: timeUs("Beyond the path's delay until a reply is late, us. Default 4."),
    pathPauseUs: timeUs('How long a congested path is not chosen, us. Default 8.'),
    flushExtraUs: timeUs('Beyond the expected gap until held packets go on, us. Default 32.'),
    defaultWaitUs: timeUs('That gap where none is known, us. Default 500.'),
  }), 'Times of ConWeave.'),
  watchdog: WATCHDOG_SCHEMA,
}), 'Settings of switches.');

const TRANSPORT = wordOf(['go-back-n', 'selective-repeat', 'irn'],
  'How what is lost is sent again; under reference-lossy go-back-n or irn. Default go-back-n.');

const TRANSPORT_LIMITS = {
  reorderingWindowPackets: wholeIn(1, 65_536,
    'Under standard, of selective-repeat and irn: a packet is kept that is less than so many ahead of the one expected. Default: a BDP, at least 128.'),
  timeout: wholeIn(0, 31, 'Under standard, in place of retransmitTimeoutUs: 4.096 us x 2^timeout; 0 = none.'),
  retryCount: wholeIn(0, 7,
    'Under standard: retries in a row without progress until a flow fails. Default: any number.'),
  lossReaction: wordOf(['algorithm', 'none', 'cnp'],
    'Under standard: what a loss is to congestion control. Default algorithm, of flows of irn none.'),
};

export const HOST_SCHEMA = record(optional({
  mtuBytes: wholeIn(1, REFERENCE_MTU_MAX_BYTES,
    'RoCE payload per packet, 256 to 4,096; under reference up to 65,000. Default 1,024; under reference 1,000.'),
  cnpIntervalUs: timeUs('Least time between two CNPs of a QP, us. Default 50.'),
  cnpDelayUs: timeUs("From a marked packet's arrival until its CNP leaves, us. Default 0."),
  notificationPoint: flag('Under standard: do receivers answer marks with CNPs? Default true.'),
  acceptFastCnp: flag('Default: whether any switch sends them.'),
  onFastCnp: wordOf(['slow-down', 'slow-down-and-detour'],
    'What a sender does on a Fast CNP: congestion control alone, or it also takes the next UDP source port. Default slow-down.'),
  retransmitTimeoutUs: timeUs(
    'Retransmission timeout, us; 0 = none. Default: as long as queues on the path can hold a packet; under reference 0.',
  ),
  paced: flag("Packets are spaced by the flow's rate, or else by the port's. Default true."),
  service: wordOf(['turns', 'first-come'],
    "Which of a host's flows sends next: each in its turn, or the one that began first. Default turns; with jobs first-come."),
  acksPausable: flag("A pause of their class (under reference of class 3) holds back a host's ACKs. Default true."),
  ackIntervalBytes: wholeIn(0, COUNTER_MAX_BYTES,
    "Under reference: a flow's first so many bytes get ACKs at multiples of ackChunkBytes alone. Default 0."),
  ackChunkBytes: wholeIn(1, COUNTER_MAX_BYTES, 'Default 4,000.'),
  transport: TRANSPORT,
  irn: record(optional({
    windowBytes: wholeIn(1, COUNTER_MAX_BYTES,
      'Bytes in flight at most. Default: the largest product of round trip and least rate of all pairs of hosts.'),
    timeoutLowUs: numberAboveZero(1e6, 'Timeout with few packets in flight, us. Default 100.'),
    timeoutHighUs: numberAboveZero(1e6, 'Timeout with more, us. Default 320.'),
    fewPackets: wholeIn(0, 65_536, 'Under standard: so many packets are few. Default 3.'),
  }), 'Limits of IRN.'),
  ...TRANSPORT_LIMITS,
  nakIntervalUs: timeUs('Under reference-lossy: least time between two NAKs for the same packet, us. Default 4.'),
  backToZeroBytes: wholeIn(0, COUNTER_MAX_BYTES,
    'Under reference-lossy: go-back-n goes back to a multiple of so many bytes. Default 0: to the lost packet.'),
}), 'Settings of all hosts.');

export const OVERRIDES_SCHEMA = listOf(record({
  nodes: listOf(name('Name of a node.'), 1, NODES_MAX, 'Whose settings.'),
  ...optional({
    switch: SWITCH_SCHEMA,
    host: record(optional({
      cnpIntervalUs: timeUs('Least time between two CNPs for a flow that it receives, us.'),
      cnpDelayUs: timeUs("From a marked packet's arrival until its CNP leaves, us."),
      notificationPoint: flag('Does it answer marks of flows that it receives with CNPs?'),
      acceptFastCnp: flag('Does it accept Fast CNPs? Switches mark the packets of those that do not.'),
      retransmitTimeoutUs: timeUs('Of the flows that it sends; 0 = none.'),
      onFastCnp: wordOf(['slow-down', 'slow-down-and-detour'], 'What it does on a Fast CNP for a flow that it sends.'),
      mtuBytes: wholeIn(1, REFERENCE_MTU_MAX_BYTES,
        'RoCE payload per packet that it sends, 256 to 4,096; under reference up to 65,000.'),
      transport: TRANSPORT,
      ...TRANSPORT_LIMITS,
    }), 'What hosts may differ in.'),
  }),
}, 'Settings of single nodes in place of those of all.'), 0, NODES_MAX, 'Settings of single nodes; later ones win.');

export const FAULTS_SCHEMA = listOf(z.discriminatedUnion('kind', [
  record({
    kind: z.literal('link-down'),
    between: ENDS,
    fromUs: timeUs('When it goes down, us.'),
    toUs: timeUs('When it comes up, us.'),
  }, 'A link that is down for a while.'),
  record({
    kind: z.literal('loss'),
    between: ENDS,
    share: numberIn(0, 1, 'Share of packets lost, both ways.'),
    of: wordOf(['all', 'data', 'acks', 'cnps'], 'Which packets. Default all.').exactOptional(),
  }, 'A link that loses packets.'),
  record({
    kind: z.literal('corruption'),
    between: ENDS,
    share: numberIn(0, 1, 'Share of packets whose ICRC is wrong where they arrive.'),
  }, 'A link that corrupts packets.'),
  record({
    kind: z.literal('drop'),
    flow: wholeIn(0, FLOWS_MAX - 1, 'Number of the flow.'),
    firstByte: wholeIn(0, Number.MAX_SAFE_INTEGER, "The packet's first byte in its flow; of an ACK the byte expected."),
    arrival: wholeIn(1, 1e9, 'Which one, from 1, of all switches.'),
    of: wordOf(['data', 'ack'], 'Under standard: a data packet, or ACKs and NAKs. Default data.').exactOptional(),
  }, 'Under standard and reference-lossy: an arrival of one packet at a switch is lost.'),
  ...HAZARD_FAULTS,
], kindsOf(['link-down', 'loss', 'corruption', 'drop', ...HAZARD_KINDS])), 0, 10_000, 'What goes wrong.');

const MESSAGE_RECORDS_MAX = 2 ** 22;
const PORT_NAME = text('A port as node:peer.');

export const RECORD_SCHEMA = record(optional({
  intervalUs: numberAboveZero(1e9,
    'Interval of the series, us. Default: a 1,000th of the ideal completion of all flows, at least 1.'),
  maxSamples: wholeIn(2, 1e6, 'Most samples of each series. Default 2,000.'),
  ports: z.union([z.literal('auto'), z.literal('all'), z.array(PORT_NAME)],
    refusing("'auto', 'all', or a list of ports as node:peer")).describe(
      'Ports whose queue and utilisation are kept. Default auto: the 8 with the longest queues.',
    ),
  flows: z.union([z.literal('all'), wholeIn(0, FLOWS_MAX, 'So many.')],
    refusing(['all', { min: 0, max: FLOWS_MAX, multipleOf: 1 }])).describe(
      'Flows whose rate is kept. Default: the first 64.',
    ),
  operations: wholeIn(0, OPERATIONS_MAX,
    'Operations of each job whose times are kept, of each rank the first ones. Default 4,096.'),
  messages: z.enum(['each', 'sums'], refusing(['each', 'sums'])).describe(
    'Does each message of a job have a result of its own, or each job the sums of its messages? Default each.',
  ),
  messageRecords: wholeIn(1, MESSAGE_RECORDS_MAX, 'Of sums: messages that can be under way at a time. Default 65,536.'),
  capture: listOf(PORT_NAME, 0, 1000, 'Ports of which a capture is made.'),
  pauses: flag('Whether the result says what was paused when. Default false.'),
  queueHistogram: record({
    fromUs: timeUs('First look at the queues.'),
    toUs: timeUs('No look behind this.'),
    ...optional({ everyUs: numberIn(0.001, TIME_MAX_US, 'From one look to the next, us. Default 0.1.') }),
  }, 'When the lengths of all queues of switches are counted.'),
  victims: flag(
    'Are flows accounted that a pause holds although their own path is free? Default: where faults, watchdogs or routes in a circle make it likely.',
  ),
}), 'What a result keeps over time.');
