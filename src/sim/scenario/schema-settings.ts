/** Settings, faults and records. */
import * as z from 'zod';
import { DEFAULT_BASE_RTT, DEFAULT_BUFFER, DEFAULT_BUFFER_BYTES, DEFAULT_DROPPED, DEFAULT_LOSSES, DEFAULT_MARK_AT,
  DEFAULT_PATHS, DEFAULT_POOLS, DEFAULT_RECORD, DEFAULT_STRICT_CLASSES, DEFAULT_SWITCH,
  DEFAULT_SWITCH_FAST_CNP } from './defaults.js';
import { PRESET_SETS } from '../compile/parameter-sets.js';
import { HAZARD_KINDS, HAZARD_FAULTS, WATCHDOG_SCHEMA } from '../features/hazards/schema.js';
import { byNetwork } from './network-presets.js';
import { ABSENT_UNLESS_GIVEN, common, ENDS, flag, kindsOf, listOf, meta, name, numberAboveZero, numberIn, optional,
  orFlag, PARAMETERS_BY_PRESET, record, rejecting, text, TIME_MAX_US, timeUs, typed, wholeIn,
  wordOf } from './schema-parts.js';
import { BALANCING_SETTINGS } from '../features/balancing/schema.js';
import { TRIMMING_SCHEMA } from '../features/transports/schema.js';
import { FLOWS_MAX } from '../workload/workload-flows.js';

const OPERATIONS_MAX = 2 ** 24;
const RATES_MAX = 1e12;
const BURST_MAX = 1e9;
const BUFFER_MAX_BYTES = 2 ** 40;
const COUNTER_MAX_BYTES = 2 ** 32 - 1;

const PARAMETER = z.union([z.number(), z.string(), z.boolean()], rejecting('a number, text, true or false'));

export const ALGORITHM_SCHEMA = record({
  ...optional({
    preset: text(
      'Name of a preset (docs/guides/scenarios.md), or of a custom algorithm that is passed with the scenario.',
    )
      .meta({
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
    window: wordOf(['none', 'fixed', 'variable'],
      'Bound on bytes in flight: none, the base window, or the base window times rate over line rate. Default: as the algorithm has it, else none.'),
    baseRtt: wordOf(['longest', 'path'],
      "Base round trip and base window: of the longest path between hosts, or of each flow's path.", DEFAULT_BASE_RTT),
  }),
},
  'A parameter set of congestion control. Line rate, base round trip and base window come from the network by default.',
  'AlgorithmSpec').meta({ allOf: PARAMETERS_BY_PRESET });

const ECN_RATE = record({
  rateGbps: numberIn(0.001, 8000, 'Rate of the port, Gb/s.'),
  kminKB: numberIn(0, 1e9, 'No packet is marked up to this queue length, kB.'),
  kmaxKB: numberIn(0, 1e9, 'All packets are marked above this queue length, kB.'),
  pmax: numberIn(0, 1, 'Probability of a mark at Kmax.'),
}, 'Thresholds of ports of one rate.', 'EcnRateSpec');

const { ecn: DEFAULT_ECN } = DEFAULT_SWITCH;
const ECN = orFlag(record(optional({
  enabled: flag('Whether packets are marked.', DEFAULT_ECN.enabled).meta(byNetwork(({ ecn }) => ecn.enabled)),
  kminKB: numberIn(0, 1e9, 'Queue length below which nothing is marked, kB at 100 Gb/s; scales with the link rate.',
    DEFAULT_ECN.kminKB),
  kmaxKB: numberIn(0, 1e9, 'All packets are marked above this queue length, kB at 100 Gb/s.', DEFAULT_ECN.kmaxKB),
  pmax: numberIn(0, 1, 'Probability of a mark at Kmax.', DEFAULT_ECN.pmax),
  scaleWithRate: flag('Thresholds in proportion to the rate of the port.', DEFAULT_ECN.scaleWithRate),
  lastHop: flag('Whether ports that lead to hosts mark; not in networks of OCP MRC 1.0, where all paths meet there.',
    DEFAULT_ECN.lastHop),
  markAt: wordOf(['dequeue', 'enqueue'], 'Where the queue is measured.', DEFAULT_MARK_AT)
    .meta(byNetwork(({ ecn }) => ecn.markAt)),
  byRate: listOf(ECN_RATE, 1, 1000,
    "Thresholds for each rate of port, instead of the four above; every rate of a switch's port has to be here."),
}), 'Explicit congestion notification: when packets are marked; true and false mean `enabled`.', 'EcnSpec'));

const FAST_CNP = orFlag(record(optional({
  enabled: flag('Whether they are sent.', DEFAULT_SWITCH.fastCnp),
  option: z.union([z.literal(1), z.literal(2)], rejecting([1, 2])).meta(
    meta('1: original destination. 2: also the telemetry of the path.', DEFAULT_SWITCH_FAST_CNP.option),
  ),
  flowRatePerSecond: numberIn(0, RATES_MAX, 'Token bucket of a flow: Fast CNPs per second.',
    DEFAULT_SWITCH_FAST_CNP.flowRatePerSecond),
  flowBurst: numberIn(1, BURST_MAX, 'Fast CNP burst of a flow.', DEFAULT_SWITCH_FAST_CNP.flowBurst),
  portRatePerSecond: numberIn(0, RATES_MAX, 'Token bucket of a port: Fast CNPs per second.',
    DEFAULT_SWITCH_FAST_CNP.portRatePerSecond),
  portBurst: numberIn(1, BURST_MAX, 'Fast CNP burst of a port.', DEFAULT_SWITCH_FAST_CNP.portBurst),
  markWhenLimited: flag('Mark CE instead of sending a Fast CNP that the limits hold back.',
    DEFAULT_SWITCH_FAST_CNP.markWhenLimited),
}),
  'A congested switch notifies the sender itself (draft-xiao-rtgwg-rocev2-fast-cnp-01); true and false mean `enabled`.',
  'SwitchFastCnpSpec'));

const POOLS = common('PoolSpec', 'The two pools of service-pools.', {
  lossyBytes: wholeIn(1, COUNTER_MAX_BYTES,
    "Bytes of each switch's memory for lossy classes, reserves included; the rest is for lossless ones."),
  ...optional({
    losslessClasses: listOf(wholeIn(1, 7, 'A traffic class.'), 0, 7,
      "Classes that are paused rather than dropped; SONiC's are 3 and 4.", DEFAULT_POOLS.losslessClasses),
    dynamicTh: wholeIn(-7, 6,
      "A lossy queue's limit is 2^dynamicTh of the free bytes; SONiC's egress_lossy_profile has 3.",
      DEFAULT_POOLS.dynamicTh),
    reservedBytes: wholeIn(0, COUNTER_MAX_BYTES, 'Bytes of each lossy queue that are not shared.',
      DEFAULT_POOLS.reservedBytes),
  }),
});
const BUFFER = typed('BufferSpec', z.discriminatedUnion('model', [
  record({ model: z.literal('ingress-share') },
    'All classes share memory, by ingress port, as in the ns-3 reference simulator; nothing limits an egress queue.',
    'IngressShareSpec'),
  record({ model: z.literal('service-pools'), ...POOLS },
    "A pool for lossless classes, by ingress port, and one in which each lossy queue has a reserve and a dynamic limit, as in SONiC's buffer model.",
    'ServicePoolsSpec'),
], kindsOf(['ingress-share', 'service-pools'])).meta(
  meta('Under standard: how classes share the memory.', DEFAULT_BUFFER),
));

const CONGESTION_POINT = record(optional({
  preset: text(
    'Name of a custom congestion point that is passed with the scenario; built-in: the rule of ecn and fastCnp.',
  ).meta({
    pattern: '^[a-z][a-z0-9-]{0,31}$',
  }),
  file: text("Instead of a preset: its file, by its path from the scenario's."),
  sourceHash: text('Hash of its source: only that code runs. Results state it. Default: any code.'),
  parameters: z.record(z.string(), PARAMETER, rejecting('an object of parameters')).describe('Any of its parameters.'),
}),
  'A custom congestion point instead of the rule of ecn and fastCnp, at ports where ecn is enabled; not under reference-lossy.',
  'CongestionPointSpec');

export const SWITCH_SCHEMA = record(optional({
  bufferBytes: wholeIn(1, BUFFER_MAX_BYTES,
    'Shared packet memory; the default grows by any headroom beyond half of it.', DEFAULT_BUFFER_BYTES),
  buffer: BUFFER,
  pfc: flag('Priority flow control.', DEFAULT_SWITCH.pfc).meta(byNetwork(({ pfc }) => pfc)),
  ecn: ECN,
  fastCnp: FAST_CNP,
  congestionPoint: CONGESTION_POINT,
  headroomBytes: wholeIn(0, COUNTER_MAX_BYTES,
    "Memory reserved per port and class for data that arrives after a pause. Default: 3 times the link's bytes in flight; under standard also 3 packets and 8 pause frames."),
  strictClasses: listOf(wholeIn(1, 7, 'A traffic class.'), 0, 7,
    'Classes that every port sends before the others, the highest first, in addition to that of CNPs.',
    DEFAULT_STRICT_CLASSES),
  pauseTimeUs: numberAboveZero(1e6, 'Under reference-lossy: how long a pause lasts after its last frame, us.',
    DEFAULT_PATHS.pauseTimeUs),
  ...BALANCING_SETTINGS,
  conWeave: record(optional({
    expiryUs: timeUs('A flow that was idle for longer chooses again, us (CONWEAVE_TX_EXPIRY_TIME).',
      DEFAULT_PATHS.conWeave.expiryUs),
    replyExtraUs: timeUs("Time beyond the path's delay until a reply is late, us (CONWEAVE_REPLY_TIMEOUT_EXTRA).",
      DEFAULT_PATHS.conWeave.replyExtraUs),
    pathPauseUs: timeUs('How long a congested path is not chosen, us (CONWEAVE_PATH_PAUSE_TIME).',
      DEFAULT_PATHS.conWeave.pathPauseUs),
    flushExtraUs: timeUs(
      'Time beyond the expected gap until held packets are released, us (CONWEAVE_EXTRA_VOQ_FLUSH_TIME).',
      DEFAULT_PATHS.conWeave.flushExtraUs,
    ),
    defaultWaitUs: timeUs('Expected gap where none is known, us (CONWEAVE_DEFAULT_VOQ_WAITING_TIME).',
      DEFAULT_PATHS.conWeave.defaultWaitUs),
  }), 'Under reference-lossy: times of ConWeave (C. H. Song et al., SIGCOMM 2023), by the keys of its simulator.',
    'ConWeaveSpec'),
  watchdog: WATCHDOG_SCHEMA,
  trimming: TRIMMING_SCHEMA,
}), 'Settings of switches.', 'SwitchSpec');

const DISCARD_REASON = typed('DiscardReason',
  wordOf(['no-bitmap', 'no-packet-buffer', 'no-resource', 'unexpected-event'],
    'The reason: no bitmap for out-of-order packets, no buffer, no other resource, or an event that ends the connection.'));

const FAULT = typed('FaultSpec', z.discriminatedUnion('kind', [
  record({
    kind: z.literal('link-down'),
    between: ENDS,
    fromUs: timeUs('When it goes down, us.'),
    toUs: timeUs('When it comes up, us.'),
  }, 'A link that is down for a while.', 'LinkDownSpec'),
  record({
    kind: z.literal('switch-down'),
    node: name('Name of the switch.'),
    fromUs: timeUs('When its links go down, us.'),
    toUs: timeUs('When they come up, us.'),
  }, 'Under standard: a switch that is down for a while.', 'SwitchDownSpec'),
  record({
    kind: z.literal('plane-down'),
    plane: wholeIn(0, 15, 'Number of the plane, from 0.'),
    fromUs: timeUs('When its links go down, us.'),
    toUs: timeUs('When they come up, us.'),
  }, 'Under standard: a plane that is down for a while.', 'PlaneDownSpec'),
  record({
    kind: z.literal('loss'),
    between: ENDS,
    share: numberIn(0, 1, 'Share of packets lost, in each direction.'),
    of: wordOf(['all', 'data', 'acks', 'cnps'], 'Which packets.', DEFAULT_LOSSES).exactOptional(),
    fromUs: timeUs('Under standard: when losses begin, us. Default: 0.').exactOptional(),
    toUs: timeUs('Under standard: when losses end, us. Default: never.').exactOptional(),
  }, 'A link that loses packets, in both directions. It stays up, so switches still use it.', 'LossSpec'),
  record({
    kind: z.literal('usid-withdrawn'),
    node: name('Name of the switch.'),
    next: name('Name of the neighbour whose uSID is missing. Default: the own uSID of the switch.').exactOptional(),
    fromUs: timeUs('When the uSID is withdrawn, us. Default: 0.').exactOptional(),
    toUs: timeUs('When it is back, us. Default: never.').exactOptional(),
  },
    'With switches.usids: the table of a switch lacks a uSID. Data and probes whose list has it are dropped there, and no sender is notified.',
    'UsidWithdrawnSpec'),
  record({
    kind: z.literal('receiver-discards'),
    host: name('A host.'),
    reason: DISCARD_REASON,
    fromUs: timeUs('When it begins, us. Default: 0.').exactOptional(),
    toUs: timeUs('When it accepts packets again, us. Default: never.').exactOptional(),
  },
    'A receiver of MRC that discards new packets and reports the reason in NACKs. Their senders retransmit them; after unexpected-event they fail.',
    'ReceiverDiscardsSpec'),
  record({
    kind: z.literal('corruption'),
    between: ENDS,
    share: numberIn(0, 1, 'Share of packets whose ICRC is wrong on arrival.'),
  }, 'A link that corrupts packets: their ICRC is wrong on arrival, and the host counts and drops them.'),
  record({
    kind: z.literal('drop'),
    flow: wholeIn(0, FLOWS_MAX - 1, 'Number of the flow.'),
    firstByte: wholeIn(0, Number.MAX_SAFE_INTEGER, "The packet's first byte in its flow; of an ACK the byte expected."),
    arrival: wholeIn(1, 1e9, 'Which arrival, from 1, counted over all switches.'),
    of: wordOf(['data', 'ack'], 'Under standard: a data packet, or ACKs and NAKs.', DEFAULT_DROPPED).exactOptional(),
  }, 'Under standard and reference-lossy: an arrival of one packet at a switch is lost.'),
  ...HAZARD_FAULTS,
], kindsOf([
  'link-down',
  'switch-down',
  'plane-down',
  'loss',
  'usid-withdrawn',
  'receiver-discards',
  'corruption',
  'drop',
  ...HAZARD_KINDS,
])), 'A fault of a link or a host.');

export const FAULTS_SCHEMA = listOf(FAULT, 0, 10_000, 'Faults of links and hosts.');

const MESSAGE_RECORDS_MAX = 2 ** 22;
const PORT_NAME = text('A port as node:peer.');

export const RECORD_SCHEMA = record(optional({
  intervalUs: numberAboveZero(1e9,
    'Interval of the series, us. Default: 1/1000 of the ideal completion of all flows, at least 1.'),
  maxSamples: wholeIn(2, 1e6,
    'Most samples of each series; beyond it, every second one is dropped and the interval doubles.',
    DEFAULT_RECORD.maxSamples),
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
    meta(
      'each: a result per message of a job; sums: per job the sums of its messages, and only those in flight need memory; with fidelity standard, jobs without other flows, plain go-back-N.',
      DEFAULT_RECORD.messages,
    ),
  ),
  messageRecords: wholeIn(1, MESSAGE_RECORDS_MAX, 'Of sums: messages that can be in flight at a time.',
    DEFAULT_RECORD.messageRecords),
  capture: listOf(PORT_NAME, 0, 1000, 'Ports to capture, as node:peer.'),
  pauses: flag('Whether the result lists all pauses and their times.', DEFAULT_RECORD.pauses),
  queueHistogram: record({
    fromUs: timeUs('First poll of the queues, us.'),
    toUs: timeUs('No poll after this time, us.'),
    ...optional({
      everyUs: numberIn(0.001, TIME_MAX_US, "Polling interval, us; the reference simulator's monitor has 0.1.",
        DEFAULT_RECORD.queueEveryUs),
    }),
  }, 'When the lengths of all switch queues are counted.', 'QueueHistogramSpec').meta(ABSENT_UNLESS_GIVEN),
  victims: flag(
    'Under standard: whether to account for flows that a pause holds although their own path is free. Default: where faults, watchdogs or routes in a cycle make it likely.',
  ),
}), 'What a result records over time.', 'RecordSpec');
