/** The schema of settings, faults and records; the types are in spec.ts. */
import * as z from 'zod';
import { DEFAULT_BASE_RTT, DEFAULT_BUFFER, DEFAULT_BUFFER_BYTES, DEFAULT_DROPPED, DEFAULT_HOSTS, DEFAULT_IRN,
  DEFAULT_LOSSES, DEFAULT_MARK_AT, DEFAULT_PATHS, DEFAULT_POOLS, DEFAULT_RECORD, DEFAULT_STRICT_CLASSES, DEFAULT_SWITCH,
  DEFAULT_SWITCH_FAST_CNP, DEFAULT_TOLERANT, MIN_REORDERING_WINDOW_PACKETS, MIN_TOLERANT_WINDOW_PACKETS,
  REFERENCE_MTU_MAX_BYTES } from './defaults.js';
import { PRESET_SETS } from '../compile/parameter-sets.js';
import { HAZARD_KINDS } from './hazard-kinds.js';
import { byNetwork } from './network-presets.js';
import { ENDS } from './schema-ends.js';
import type { Fidelity } from './spec.js';
import { BALANCING_SETTINGS, PATH_SELECTION, PATH_SELECTION_SETTINGS } from './schema-balancing.js';
import { HAZARD_FAULTS, WATCHDOG_SCHEMA } from './schema-hazards.js';
import { PARAMETERS_BY_PRESET } from './schema-parameters.js';
import { FLOWS_MAX } from '../workload/workload-flow.js';
import { ABSENT_UNLESS_GIVEN, kindsOf, flag, listOf, meta, name, NODES_MAX, numberAboveZero, numberIn, optional, orFlag,
  record, rejecting, text, TIME_MAX_US, timeUs, wholeIn, wordOf } from './schema-parts.js';
import { MRC_SCHEMA, TRIMMING_SCHEMA } from './schema-trimming.js';
import { TRANSPORTS } from './setting-words.js';
import { RNR_OF_HOST, RNR_OF_HOSTS } from './schema-verbs.js';

const OPERATIONS_MAX = 2 ** 24;
const RATES_MAX = 1e12;
const BURST_MAX = 1e9;
const BUFFER_MAX_BYTES = 2 ** 40;
const COUNTER_MAX_BYTES = 2 ** 32 - 1;

const PARAMETER = z.union([z.number(), z.string(), z.boolean()], rejecting('a number, text, true or false'));

export const ALGORITHM_SCHEMA = record({
  ...optional({
    preset: text('Name of a preset, or of a custom algorithm that is passed with the scenario.').meta({
      anyOf: [{ enum: Object.keys(PRESET_SETS) }, { pattern: '^[a-z][a-z0-9-]{0,31}$' }],
    }),
    file: text('Instead of a preset: file of a custom algorithm, next to the scenario.'),
    sourceHash: text("Hash of a custom algorithm's source: only that code runs. Results state it. Default: any code."),
    set: text('Name of a published set, for presets that have several. Default: the first of them.').meta({
      enum: Object.values(PRESET_SETS).flat(),
    }),
    parameters: z.record(z.string(), PARAMETER, rejecting('an object of parameters')).describe(
      "Any of the preset's parameters by its name in the parameters' type.",
    ),
    window: wordOf(['none', 'fixed', 'variable'], 'Bound on bytes in flight. Default: as the algorithm has it.'),
    baseRtt: wordOf(['longest', 'path'], "Base round trip: of the longest path between hosts, or of each flow's path.",
      DEFAULT_BASE_RTT),
  }),
}, 'A parameter set of congestion control.').meta({ allOf: PARAMETERS_BY_PRESET });

const ECN_RATE = record({
  rateGbps: numberIn(0.001, 8000, 'Rate of the port, Gb/s.'),
  kminKB: numberIn(0, 1e9, 'No packet is marked up to this queue length, kB.'),
  kmaxKB: numberIn(0, 1e9, 'All packets are marked above this queue length, kB.'),
  pmax: numberIn(0, 1, 'Probability of a mark at Kmax.'),
}, 'Thresholds of ports of one rate.');

const { ecn: DEFAULT_ECN } = DEFAULT_SWITCH;
const ECN = orFlag(record(optional({
  enabled: flag('Whether packets are marked.', DEFAULT_ECN.enabled).meta(byNetwork(({ ecn }) => ecn.enabled)),
  kminKB: numberIn(0, 1e9, 'Queue length below which nothing is marked, kB at 100 Gb/s; scales with the link rate.',
    DEFAULT_ECN.kminKB),
  kmaxKB: numberIn(0, 1e9, 'All packets are marked above this queue length, kB at 100 Gb/s.', DEFAULT_ECN.kmaxKB),
  pmax: numberIn(0, 1, 'Probability of a mark at Kmax.', DEFAULT_ECN.pmax),
  scaleWithRate: flag('Thresholds in proportion to the rate of the port.', DEFAULT_ECN.scaleWithRate),
  markAt: wordOf(['dequeue', 'enqueue'], 'Where the queue is measured.', DEFAULT_MARK_AT)
    .meta(byNetwork(({ ecn }) => ecn.markAt)),
  byRate: listOf(ECN_RATE, 1, 1000,
    "Thresholds for each rate of port, instead of the four above; every rate of a switch's port has to be here."),
}), 'Explicit congestion notification; true and false mean `enabled`.'));

const FAST_CNP = orFlag(record(optional({
  enabled: flag('Whether they are sent.', DEFAULT_SWITCH.fastCnp),
  option: z.union([z.literal(1), z.literal(2)], rejecting([1, 2])).meta(
    meta('1: original destination. 2: also the telemetry of the path.', DEFAULT_SWITCH_FAST_CNP.option),
  ),
  flowRatePerSecond: numberIn(0, RATES_MAX, 'Fast CNPs per second of a flow.',
    DEFAULT_SWITCH_FAST_CNP.flowRatePerSecond),
  flowBurst: numberIn(1, BURST_MAX, 'Fast CNPs of a flow at once.', DEFAULT_SWITCH_FAST_CNP.flowBurst),
  portRatePerSecond: numberIn(0, RATES_MAX, 'Fast CNPs per second of a port.',
    DEFAULT_SWITCH_FAST_CNP.portRatePerSecond),
  portBurst: numberIn(1, BURST_MAX, 'Fast CNPs of a port at once.', DEFAULT_SWITCH_FAST_CNP.portBurst),
  markWhenLimited: flag('Mark CE instead of sending a Fast CNP that the limits hold back.',
    DEFAULT_SWITCH_FAST_CNP.markWhenLimited),
}), 'A congested switch notifies the sender itself (draft-xiao-rtgwg-rocev2-fast-cnp-01).'));

const BUFFER = z.discriminatedUnion('model', [
  record({ model: z.literal('ingress-share') }, 'All classes share memory by port of arrival.'),
  record({
    model: z.literal('service-pools'),
    lossyBytes: wholeIn(1, COUNTER_MAX_BYTES,
      "Bytes of each switch's memory for lossy classes, with what is reserved."),
    ...optional({
      losslessClasses: listOf(wholeIn(1, 7, 'A traffic class.'), 0, 7, 'Classes that are paused rather than dropped.',
        DEFAULT_POOLS.losslessClasses),
      dynamicTh: wholeIn(-7, 6, "A lossy queue's limit is 2^dynamicTh of what is free.", DEFAULT_POOLS.dynamicTh),
      reservedBytes: wholeIn(0, COUNTER_MAX_BYTES, 'Bytes of each lossy queue that are not shared.',
        DEFAULT_POOLS.reservedBytes),
    }),
  }, 'A pool for lossless classes, and one in which each lossy queue has a limit.'),
], kindsOf(['ingress-share', 'service-pools'])).meta(
  meta('Under standard: how classes share the memory.', DEFAULT_BUFFER),
);

const CONGESTION_POINT = record(optional({
  preset: text(
    'Name of a custom congestion point that is passed with the scenario; built-in: the rule of ecn and fastCnp.',
  ).meta({
    pattern: '^[a-z][a-z0-9-]{0,31}$',
  }),
  file: text("Instead of a preset: its file, by its path from the scenario's."),
  sourceHash: text('Hash of its source: only that code runs. Results state it. Default: any code.'),
  parameters: z.record(z.string(), PARAMETER, rejecting('an object of parameters')).describe('Any of its parameters.'),
}), 'A custom congestion point instead of the rule of ecn and fastCnp, at ports where ecn is enabled.');

export const SWITCH_SCHEMA = record(optional({
  bufferBytes: wholeIn(1, BUFFER_MAX_BYTES, 'Shared packet memory. Default: plus any headroom beyond half of it.',
    DEFAULT_BUFFER_BYTES),
  buffer: BUFFER,
  pfc: flag('Priority flow control.', DEFAULT_SWITCH.pfc).meta(byNetwork(({ pfc }) => pfc)),
  ecn: ECN,
  fastCnp: FAST_CNP,
  congestionPoint: CONGESTION_POINT,
  headroomBytes: wholeIn(0, COUNTER_MAX_BYTES, 'Reserved per port and class for data that arrives after a pause.'),
  strictClasses: listOf(wholeIn(1, 7, 'A traffic class.'), 0, 7,
    'Classes that every port sends before the others, the highest first, in addition to that of CNPs.',
    DEFAULT_STRICT_CLASSES),
  pauseTimeUs: numberAboveZero(1e6, 'Under reference-lossy: how long a pause lasts after its last frame, us.',
    DEFAULT_PATHS.pauseTimeUs),
  ...BALANCING_SETTINGS,
  conWeave: record(optional({
    expiryUs: timeUs('A flow that was idle for longer chooses again, us.', DEFAULT_PATHS.conWeave.expiryUs),
    replyExtraUs: timeUs("Beyond the path's delay until a reply is late, us.", DEFAULT_PATHS.conWeave.replyExtraUs),
    pathPauseUs: timeUs('How long a congested path is not chosen, us.', DEFAULT_PATHS.conWeave.pathPauseUs),
    flushExtraUs: timeUs('Time beyond the expected gap until held packets are released, us.',
      DEFAULT_PATHS.conWeave.flushExtraUs),
    defaultWaitUs: timeUs('Expected gap where none is known, us.', DEFAULT_PATHS.conWeave.defaultWaitUs),
  }), 'Times of ConWeave.'),
  watchdog: WATCHDOG_SCHEMA,
  trimming: TRIMMING_SCHEMA,
}), 'Settings of switches.');

type HostKey = keyof (typeof DEFAULT_HOSTS)['standard'];
/** A default of all hosts, by fidelity. */
const ofHosts = <Key extends HostKey>(key: Key): Record<Fidelity, (typeof DEFAULT_HOSTS)[Fidelity][Key]> => ({
  standard: DEFAULT_HOSTS.standard[key],
  reference: DEFAULT_HOSTS.reference[key],
  'reference-lossy': DEFAULT_HOSTS['reference-lossy'][key],
});
const { standard: LEAST_TIMEOUT_US, ...TIMEOUTS_US } = ofHosts('retransmitTimeoutUs');

const TRANSPORT = wordOf(TRANSPORTS, 'How losses are retransmitted; under reference-lossy go-back-n or irn.',
  ofHosts('transport')).meta(byNetwork(({ hosts }) => hosts.transport));
const REORDERING = wordOf(['none', 'selective-repeat', 'tolerant'],
  'Under standard: transport by what receivers do with packets out of order; none is go-back-n. Default: as transport.');

const TRANSPORT_LIMITS = {
  reorderingWindowPackets: wholeIn(1, 65_536,
    `Under standard, of all transports but go-back-n: out-of-order packets are kept if fewer packets ahead of the expected one. Default: a BDP, at least ${MIN_REORDERING_WINDOW_PACKETS}; of tolerant and mrc ${MIN_TOLERANT_WINDOW_PACKETS}.`),
  timeout: wholeIn(0, 31, 'Under standard, instead of retransmitTimeoutUs: 4.096 µs x 2^timeout; 0 = none.'),
  retryCount: wholeIn(0, 7,
    'Under standard: retries in a row without progress until a flow fails. Default: any number.'),
  lossReaction: wordOf(['algorithm', 'none', 'cnp'],
    'Under standard: how congestion control reacts to a loss. Default: algorithm; for flows of irn none.')
    .meta(byNetwork(({ hosts }) => hosts.lossReaction)),
};

export const HOST_SCHEMA = record(optional({
  mtuBytes: wholeIn(1, REFERENCE_MTU_MAX_BYTES, 'RoCE payload per packet, 256 to 4,096; under reference up to 65,000.',
    ofHosts('mtuBytes')),
  cnpIntervalUs: timeUs('Least time between two CNPs of a QP, us.', ofHosts('cnpIntervalUs')),
  cnpDelayUs: timeUs("From a marked packet's arrival until its CNP leaves, us.", ofHosts('cnpDelayUs')),
  notificationPoint: flag('Under standard: whether receivers send CNPs for marks.', ofHosts('notificationPoint')),
  acceptFastCnp: flag('Whether senders accept Fast CNPs. Default: whether any switch sends them.'),
  onFastCnp: wordOf(['slow-down', 'slow-down-and-detour'],
    'Reaction of a sender to a Fast CNP: congestion control only, or also the next UDP source port.',
    ofHosts('onFastCnp')),
  ...PATH_SELECTION_SETTINGS,
  retransmitTimeoutUs: timeUs(
    `Retransmission timeout, us; 0 = none. Default under standard: as long as queues on the path can hold a packet, at least ${LEAST_TIMEOUT_US}.`,
    TIMEOUTS_US,
  ),
  paced: flag("Packets are spaced by the flow's rate, or else by the port's.", ofHosts('paced')),
  service: wordOf(['turns', 'first-come'],
    "Which of a host's flows sends next: each in its turn, or the one that began first. Default: turns; first-come where all flows are of jobs."),
  acksPausable: flag("A pause of their class (under reference of class 3) holds back a host's ACKs.",
    ofHosts('acksPausable')),
  ackIntervalBytes: wholeIn(0, COUNTER_MAX_BYTES,
    'Under reference: until this many bytes of a flow have arrived, ACKs are sent at multiples of ackChunkBytes only.',
    ofHosts('ackIntervalBytes')),
  ackChunkBytes: wholeIn(1, COUNTER_MAX_BYTES, 'Under reference: see ackIntervalBytes.', ofHosts('ackChunkBytes')),
  transport: TRANSPORT,
  idleRestartUs: timeUs('Under standard: idle time after which a QP restarts at line rate, us. Default: never.'),
  irn: record(optional({
    windowBytes: wholeIn(1, COUNTER_MAX_BYTES,
      'Maximum bytes in flight. Default: the largest product of round trip and least rate of all pairs of hosts.'),
    timeoutLowUs: numberAboveZero(1e6, 'Timeout with few packets in flight, us.', DEFAULT_IRN.timeoutLowUs),
    timeoutHighUs: numberAboveZero(1e6, 'Timeout with more, us.', DEFAULT_IRN.timeoutHighUs),
    fewPackets: wholeIn(0, 65_536, 'Under standard: at most this many packets are few.', DEFAULT_IRN.fewPackets),
  }), 'Limits of IRN.'),
  reordering: REORDERING,
  tolerant: record(optional({
    distancePackets: wholeIn(0, 65_536, 'A packet is lost if one this many packets later is acknowledged; 0: never.',
      DEFAULT_TOLERANT.distancePackets),
    lossTimeUs: timeUs('A packet is lost this long after the first later one was acknowledged, us; 0: never.',
      DEFAULT_TOLERANT.lossTimeUs),
  }), 'Under standard: losses of tolerant.'),
  mrc: MRC_SCHEMA,
  ...TRANSPORT_LIMITS,
  ...RNR_OF_HOSTS,
  nakIntervalUs: timeUs('Under reference-lossy: least time between two NAKs for the same packet, us.',
    ofHosts('nakIntervalUs')),
  backToZeroBytes: wholeIn(0, COUNTER_MAX_BYTES,
    'Under reference-lossy: go-back-n goes back to a multiple of this many bytes; 0: to the lost packet.',
    ofHosts('backToZeroBytes')),
}), 'Settings of all hosts.');

export const OVERRIDES_SCHEMA = listOf(record({
  nodes: listOf(name('Name of a node.'), 1, NODES_MAX, 'Nodes with these settings.'),
  ...optional({
    switch: SWITCH_SCHEMA,
    host: record(optional({
      cnpIntervalUs: timeUs('Least time between two CNPs for a flow that it receives, us.'),
      cnpDelayUs: timeUs("From a marked packet's arrival until its CNP leaves, us."),
      notificationPoint: flag('Whether it sends CNPs for marks of flows that it receives.'),
      acceptFastCnp: flag('Whether it accepts Fast CNPs. Switches mark the packets of those that do not.'),
      retransmitTimeoutUs: timeUs('Retransmission timeout of the flows that it sends, us; 0 = none.'),
      onFastCnp: wordOf(['slow-down', 'slow-down-and-detour'], 'Reaction to a Fast CNP for a flow that it sends.'),
      pathSelection: PATH_SELECTION,
      mtuBytes: wholeIn(1, REFERENCE_MTU_MAX_BYTES,
        'RoCE payload per packet that it sends, 256 to 4,096; under reference up to 65,000.'),
      transport: TRANSPORT,
      reordering: REORDERING,
      ...TRANSPORT_LIMITS,
      ...RNR_OF_HOST,
    }), 'Settings in which hosts may differ.'),
  }),
}, 'Settings of single nodes instead of those of all.'), 0, NODES_MAX, 'Settings of single nodes; later ones win.');

export const FAULTS_SCHEMA = listOf(z.discriminatedUnion('kind', [
  record({
    kind: z.literal('link-down'),
    between: ENDS,
    fromUs: timeUs('When it goes down, us.'),
    toUs: timeUs('When it comes up, us.'),
  }, 'A link that is down for a while.'),
  record({
    kind: z.literal('switch-down'),
    node: name('Name of the switch.'),
    fromUs: timeUs('When its links go down, us.'),
    toUs: timeUs('When they come up, us.'),
  }, 'Under standard: a switch that is down for a while.'),
  record({
    kind: z.literal('plane-down'),
    plane: wholeIn(0, 15, 'Number of the plane, from 0.'),
    fromUs: timeUs('When its links go down, us.'),
    toUs: timeUs('When they come up, us.'),
  }, 'Under standard: a plane that is down for a while.'),
  record({
    kind: z.literal('loss'),
    between: ENDS,
    share: numberIn(0, 1, 'Share of packets lost, both ways.'),
    of: wordOf(['all', 'data', 'acks', 'cnps'], 'Which packets.', DEFAULT_LOSSES).exactOptional(),
  }, 'A link that loses packets.'),
  record({
    kind: z.literal('corruption'),
    between: ENDS,
    share: numberIn(0, 1, 'Share of packets whose ICRC is wrong on arrival.'),
  }, 'A link that corrupts packets.'),
  record({
    kind: z.literal('drop'),
    flow: wholeIn(0, FLOWS_MAX - 1, 'Number of the flow.'),
    firstByte: wholeIn(0, Number.MAX_SAFE_INTEGER, "The packet's first byte in its flow; of an ACK the byte expected."),
    arrival: wholeIn(1, 1e9, 'Which arrival, from 1, counted over all switches.'),
    of: wordOf(['data', 'ack'], 'Under standard: a data packet, or ACKs and NAKs.', DEFAULT_DROPPED).exactOptional(),
  }, 'Under standard and reference-lossy: an arrival of one packet at a switch is lost.'),
  ...HAZARD_FAULTS,
], kindsOf(['link-down', 'switch-down', 'plane-down', 'loss', 'corruption', 'drop', ...HAZARD_KINDS])), 0, 10_000,
  'Faults.');

const MESSAGE_RECORDS_MAX = 2 ** 22;
const PORT_NAME = text('A port as node:peer.');

export const RECORD_SCHEMA = record(optional({
  intervalUs: numberAboveZero(1e9,
    'Interval of the series, us. Default: a 1,000th of the ideal completion of all flows, at least 1.'),
  maxSamples: wholeIn(2, 1e6, 'Most samples of each series.', DEFAULT_RECORD.maxSamples),
  ports: z.union([z.literal('auto'), z.literal('all'), z.array(PORT_NAME)],
    rejecting("'auto', 'all', or a list of ports as node:peer")).meta(
      meta('Ports whose queue and utilisation are kept; auto: the 8 with the longest queues.', DEFAULT_RECORD.ports),
    ),
  flows: z.union([z.literal('all'), wholeIn(0, FLOWS_MAX, 'Number of flows, from the first.')],
    rejecting(['all', { min: 0, max: FLOWS_MAX, multipleOf: 1 }])).meta(
      meta('Flows whose rate is kept, from the first.', DEFAULT_RECORD.flows),
    ),
  operations: wholeIn(0, OPERATIONS_MAX, 'Operations of each job whose times are kept: the first of each rank.',
    DEFAULT_RECORD.operations),
  messages: z.enum(['each', 'sums'], rejecting(['each', 'sums'])).meta(
    meta('each: a result per message of a job; sums: per job the sums of its messages.', DEFAULT_RECORD.messages),
  ),
  messageRecords: wholeIn(1, MESSAGE_RECORDS_MAX, 'Of sums: messages that can be in flight at a time.',
    DEFAULT_RECORD.messageRecords),
  capture: listOf(PORT_NAME, 0, 1000, 'Ports of which a capture is made.'),
  pauses: flag('Whether the result lists all pauses and their times.', DEFAULT_RECORD.pauses),
  queueHistogram: record({
    fromUs: timeUs('First poll of the queues, us.'),
    toUs: timeUs('No poll after this time, us.'),
    ...optional({
      everyUs: numberIn(0.001, TIME_MAX_US, 'Polling interval, us.', DEFAULT_RECORD.queueEveryUs),
    }),
  }, 'When the lengths of all switch queues are counted.').meta(ABSENT_UNLESS_GIVEN),
  victims: flag(
    'Whether to account for flows that a pause holds although their own path is free. Default: where faults, watchdogs or routes in a cycle make it likely.',
  ),
}), 'What a result records over time.');
