/** The transport `mrc`, and packet trimming in switches, which is for its packets. */
import { DEFAULT_MRC, DEFAULT_TRIMMING, REORDER_SHARES, TIMEOUTS_FOR_EVER,
  TRIMMING_BDPS } from '../../scenario/defaults.js';
import { ABSENT_UNLESS_GIVEN, flag, listOf, optional, orFlag, record, timeUs, typed, wholeIn,
  wordOf } from '../../scenario/schema-parts.js';

const QUEUE_MAX_BYTES = 2 ** 32 - 2;
/** Minimum size of a trimmed packet: Ethernet, IPv6, UDP, BTH, METH and TSETH, which a receiver needs for a NACK. */
export const TRIMMED_MIN_BYTES = 82;
const TRIMMED_MAX_BYTES = 4096;

/** The schema of a queue limit. */
const limit = (meaning: string, bdps: number): ReturnType<typeof wholeIn> =>
  wholeIn(1, QUEUE_MAX_BYTES,
    `${meaning} Default: ${bdps === 1 ? 'a BDP' : `${bdps} BDPs`}, the largest of all pairs of hosts.`);

export const TRIMMING_SCHEMA = orFlag(record(optional({
  enabled: flag('Whether packets are trimmed. Default: true where trimming is given.'),
  sizeBytes: wholeIn(TRIMMED_MIN_BYTES, TRIMMED_MAX_BYTES,
    'Bytes kept of a packet, from the Ethernet header on, without FCS.', DEFAULT_TRIMMING.sizeBytes),
  trafficClass: wholeIn(1, 7, 'Class of trimmed packets; 6 is that of CNPs, which ports send before the data.',
    DEFAULT_TRIMMING.trafficClass),
  dataClasses: listOf(wholeIn(1, 7, 'A traffic class.'), 1, 7,
    'Classes whose data are trimmed. Default: all in which flows of mrc send.'),
  queueBytes: limit(
    'A packet is trimmed if its queue would exceed this, at ports that lead to switches; without room in the packet memory it is trimmed in any case.',
    TRIMMING_BDPS.queue,
  ),
  lastHopQueueBytes: limit('The same at ports that lead to hosts.', TRIMMING_BDPS.lastHopQueue),
  trimmedQueueBytes: limit('A trimmed packet is dropped if its queue would exceed this.', TRIMMING_BDPS.trimmedQueue),
}),
  'Under standard: a switch cuts the payload off data packets of mrc for whose queue it has no room, and sends the rest in another class; the receiver requests them again at once. true and false mean `enabled`.',
  'TrimmingSpec').meta(ABSENT_UNLESS_GIVEN));

export const MRC_SCHEMA = record(optional({
  sackBytes: wholeIn(0, 2 ** 31,
    'A receiver sends a SACK once more bytes than this have arrived since the last one, in addition to those that are sent at once; 0: for each packet.',
    DEFAULT_MRC.sackBytes),
  reorderUs: timeUs(
    `A packet that later ones have overtaken is lost if one sent this much later is acknowledged, us; 0: never, only NACKs and timeouts find losses. Default: the longest base round trip, with trimming ${REORDER_SHARES.trimming} of it.`,
  ),
  reorderPackets: wholeIn(0, 65_536,
    'A packet is also lost if one this many packets later is acknowledged, a retransmission if one this many packets after the newest one that it followed; 0: never.',
    DEFAULT_MRC.reorderPackets),
  receiverRangePackets: wholeIn(1, 65_536,
    'Packets that a receiver accepts from the expected one on, its range (MPR, which the packets of MRC count in units of 128). Default: as many as senders send ahead, reorderingWindowPackets; a longer one has no effect.'),
  dynamicRange: flag(
    'Receivers announce their range in each SACK, in units of 128 packets, and senders begin no new packet beyond the last one announced (dynamic MPR). It can change during the run (changes, hosts.mrc.receiverRangePackets), must be a multiple of 128 up to 32,640, and is by default reorderingWindowPackets, rounded down to such a multiple, at least 128.',
    DEFAULT_MRC.dynamicRange,
  ),
  oorPolicy: typed('OorPolicy',
    wordOf(['nack', 'drop'],
      'What a receiver does with a packet beyond its range: nack, it sends a NACK PSN_OOR_WINDOW; drop, nothing.',
      DEFAULT_MRC.oorPolicy),
    'What a receiver of mrc does with a packet beyond its range: nack, it sends a NACK, and the sender retransmits the packet; drop, nothing.'),
  ackRequest: typed('AckRequest',
    wordOf(['idle', 'small-window'],
      'Which packets ask for a SACK at once. small-window: also while the window of congestion control has less room than a packet, or is smaller than sackBytes.',
      DEFAULT_MRC.ackRequest),
    'Which packets of mrc ask for a SACK at once: idle, one after which nothing may leave; small-window, also those of a small window.'),
  windowRule: typed('MrcWindowRule',
    wordOf(['below-window', 'packet-fits'],
      'When the window of congestion control lets another packet leave: while less than it is in flight, so that the last packet may exceed it; or if a full packet more fits into it, or nothing is in flight.',
      DEFAULT_MRC.windowRule),
    'When a window lets a packet of mrc leave: below-window, while less than it is in flight; packet-fits, if a full packet more fits into it.'),
  inFlight: typed('MrcInFlight',
    wordOf(['unacknowledged', 'received-bytes'],
      'Bytes in flight that the window of congestion control limits: payload sent that no SACK has acknowledged; or nominal bytes, each packet with 88 bytes of headers, less the received bytes that SACKs report. Lost packets count again once they are retransmitted.',
      DEFAULT_MRC.inFlight),
    'Bytes in flight of mrc that a window limits: payload that no SACK has acknowledged; or nominal bytes, less the received bytes that SACKs report.'),
  maxWriteImms: wholeIn(0, 65_535,
    'Messages of a QP with several that may be unacknowledged at a time (max_wimm, which limits WRITEs with immediate); 0: any number. Packets have no immediate data.',
    DEFAULT_MRC.maxWriteImms),
  windowPenalty: wholeIn(0, 127,
    'Penalty of the window that receivers demand in each SACK; 0: none. NSCC takes penalty/128 of each acknowledged byte off its window and does not increase it: 64 halves it in a round trip, 127 leaves about a packet per round trip. It can change during the run (changes).',
    DEFAULT_MRC.windowPenalty),
  restoreWindow: flag(
    'Whether SACKs demand that NSCC restores the window it had before the penalty, once windowPenalty has become 0 again.',
    DEFAULT_MRC.restoreWindow,
  ),
  windowProbes: flag(
    'A sender whose window or announced range is closed sends a probe if no packet in flight requests a SACK, so it need not wait for its timeout.',
    DEFAULT_MRC.windowProbes,
  ),
  controlClass: wholeIn(1, 7, 'Traffic class of SACKs and NACKs.', DEFAULT_MRC.controlClass),
  timer: typed('MrcTimer',
    wordOf(['per-packet', 'per-flow'],
      'Scope of the retransmission timer. Default: per-packet with pathSelection entropy-states, otherwise per-flow.'),
    'Scope of the retransmission timer of mrc: per-packet, one from the last transmission of each packet, and only that packet is lost; per-flow, one from the last progress, and all unacknowledged packets are lost.'),
  linearTimeouts: wholeIn(1, 7,
    'Of per-packet timers: consecutive timeouts with the same interval; then each doubles it.',
    DEFAULT_MRC.linearTimeouts),
  exponentialTimeouts: wholeIn(0, TIMEOUTS_FOR_EVER,
    `Of per-packet timers: consecutive timeouts with doubled intervals; the last one fails the flow; ${TIMEOUTS_FOR_EVER}: any number. hosts.retryCount takes precedence.`,
    DEFAULT_MRC.exponentialTimeouts),
  timeoutsCount: typed('TimeoutsCount',
    wordOf(['rounds', 'packets'],
      'Of per-packet timers: which timeouts count as retries and double the interval: those of packets sent after the last one that counted, or all.',
      DEFAULT_MRC.timeoutsCount), 'Which timeouts of packets count: once per round of packets, or each.'),
  portDetectUs: timeUs(
    "In a network of several planes: how long adapters do not know that their port into a plane is down or up again, or that of the destination's adapter, us. Until then they send into a dead plane, where packets are lost, or leave out one that works again; switches forward around a dead link at once.",
    DEFAULT_MRC.portDetectUs,
  ),
  portStatus: flag(
    'In a network of several planes: a host whose port into a plane goes down or comes up tells the hosts with which it shares QPs of mrc, by endpoint requests in controlClass; these send to it into its other planes from when they have the request. A request is retransmitted after the timeout of a QP; without one (retransmitTimeoutUs 0) it is sent once. Otherwise their adapters know of its ports as soon as it does.',
    DEFAULT_MRC.portStatus,
  ),
}),
  'Under standard, of mrc, the same for all hosts: choices that OCP MRC 1.0 leaves open (docs/reference/sources.md, O6, O9, O10, O14, O27, O28, port status updates and its timers).',
  'MrcSpec');
