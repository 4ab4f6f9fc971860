/** Settings of a uet-htsim network: one for each option of the program that no other setting of a scenario covers. */
import { DEFAULT_UET } from '../../scenario/defaults.js';
import { flag, numberAboveZero, numberIn, optional, record, typed, wholeIn,
  wordOf } from '../../scenario/schema-parts.js';
import { UET_CONTROLS, UET_NEXT_HOPS, UET_PATH_SELECTIONS } from '../../scenario/setting-words.js';

/** `COUNT_MAX`, `US_MAX` and `PACKET_BYTES_MAX` of the program's arguments (src/uet/arguments.ts). */
const COUNT_MAX = 2 ** 31 - 1;
const TIME_MAX_US = 1e9;
const PACKET_MAX_BYTES = 65_535;
const PATHS_MAX = 2 ** 16;
const GATE_MAX = 63;
/** Maximum rate of a NIC; the program takes whole Mb/s. */
const RATE_MAX_GBPS = 8000;
const DELAY_MAX_NS = 1e12;
const PICOSECOND_US = 1e-6;

const packets = (least: number, meaning: string): ReturnType<typeof wholeIn> => wholeIn(least, COUNT_MAX, meaning);
const part = (meaning: string, given: number): ReturnType<typeof numberIn> => numberIn(0, 1, meaning, given);

const CONTROL = typed('UetControl',
  wordOf(UET_CONTROLS,
    'Congestion control of all flows (-sender_cc_algo, -sender_cc_only, -receiver_cc_only, -receiver_cc).',
    DEFAULT_UET.control),
  'Congestion control of a network of uet-htsim: nscc, dctcp or constant windows by senders; rccc by receivers, who grant credit; or both.');

const PATH_SELECTION = typed('UetPathSelection',
  wordOf(UET_PATH_SELECTIONS, 'How a sender chooses the entropy value of a packet (-load_balancing_algo).',
    DEFAULT_UET.pathSelection),
  'How senders of a network of uet-htsim choose entropy values: oblivious round-robin; bitmap round-robin but for those with a penalty; reps those whose ACK came without a mark, and reps-legacy its older form; mixed oblivious at first, then bitmap.');

const NEXT_HOPS = typed('UetNextHops',
  wordOf(UET_NEXT_HOPS, 'How a switch chooses among next hops (-strat).', DEFAULT_UET.nextHops),
  'How switches of a network of uet-htsim choose among next hops: ecmp-host by a hash of flow and entropy value; ecmp-rr round-robin; rr-ecmp round-robin at leaves, by the hash above; ecmp-ar the least loaded; ecmp-host-ar by the hash unless another is less loaded; ecmp-host-ecn and reactive-ecn by the hash, with marks from half of a queue on.');

const ADAPTIVE = record(optional({
  compare: wordOf(['queue', 'bandwidth'], 'What next hops are compared by (-ar_method).', DEFAULT_UET.adaptive.compare),
  per: wordOf(['packet', 'flow'], 'What is assigned a next hop (-ar_granularity).', DEFAULT_UET.adaptive.per),
  stickyUs: numberIn(0, TIME_MAX_US, 'Idleness after which a flow may move, us (-ar_sticky_delta).',
    DEFAULT_UET.adaptive.stickyUs),
}), 'Of nextHops ecmp-ar and ecmp-host-ar: adaptive routing.', 'UetAdaptiveSpec');

const ECN = record({
  lowPackets: packets(0, 'Packets in a queue at which marks begin.'),
  highPackets: packets(0, 'Packets from which on all are marked; at least lowPackets.'),
}, 'Thresholds of marks (-ecn). Default: 0.2 and 0.8 of the bandwidth-delay product of the longest path.',
  'UetEcnSpec');

const OVERSUBSCRIBED = record(optional({
  enabled: flag(
    'Whether receivers slow down their credit when the network is congested (-oversubscribed_cc, -force_disable_oversubscribed_cc). Default: with control rccc where leaves have more capacity below than above; otherwise not.',
  ),
  increase: part('Increase of the rate per interval (-Ai).', DEFAULT_UET.oversubscribed.increase),
  decrease: part('Decrease of the rate per excess of marks (-Md).', DEFAULT_UET.oversubscribed.decrease),
  weight: part('Weight of the newest share of marks (-alpha).', DEFAULT_UET.oversubscribed.weight),
}), 'Control of an oversubscribed network by receivers.', 'UetOversubscribedSpec');

export const UET_SCHEMA = record(optional({
  control: CONTROL,
  windowPackets: packets(1, 'First window of a sender, packets (-cwnd). Default: 1.5 bandwidth-delay products.'),
  targetDelayUs: numberIn(PICOSECOND_US, TIME_MAX_US,
    'Queuing delay that NSCC aims at, us (-target_q_delay). Default: 0.75 of the longest round trip, without trimming all of it.'),
  quickAdaptGate: wholeIn(0, GATE_MAX,
    'NSCC adapts quickly where less than the largest window over 2^gate was acknowledged (-qa_gate).',
    DEFAULT_UET.quickAdaptGate),
  pairBaseRtt: flag(
    'Whether a flow begins with the base round trip of its hosts, not of the longest path (-enable_accurate_base_rtt).',
    DEFAULT_UET.pairBaseRtt,
  ),
  nackBaseRtt: flag('Whether NACKs lower the base round trip (not -disable_base_rtt_update_on_nack).',
    DEFAULT_UET.nackBaseRtt),
  sleek: flag('Whether losses are recovered by SLEEK, for networks without trimming (-sleek). Not with control rccc.',
    DEFAULT_UET.sleek),
  oversubscribed: OVERSUBSCRIBED,
  ackBytes: wholeIn(0, COUNT_MAX, 'Bytes that a receiver accepts per ACK (-sack_threshold).', DEFAULT_UET.ackBytes),
  pathSelection: PATH_SELECTION,
  paths: wholeIn(1, PATHS_MAX,
    'Entropy values of a flow, a power of two (-paths); with nextHops ecmp-rr and ecmp-ar there is one.',
    DEFAULT_UET.paths),
  nextHops: NEXT_HOPS,
  adaptive: ADAPTIVE,
  queuePackets: packets(1, 'Limit of a queue of data, packets (-q). Default: as queueBdps has it.'),
  queueBdps: packets(1,
    'The same in bandwidth-delay products of the longest path, instead of queuePackets (-queue_size_bdp_factor). Default: 1, without trimming 5.'),
  ecn: ECN,
  trimming: flag('Whether switches trim what does not fit into a queue; otherwise they drop it (not -disable_trim).',
    DEFAULT_UET.trimming),
  trimmedBytes: wholeIn(DEFAULT_UET.trimmedBytes, PACKET_MAX_BYTES, 'Bytes of a trimmed packet (-trimsize).',
    DEFAULT_UET.trimmedBytes),
  slowLinks: wholeIn(0, COUNT_MAX,
    'Slow links, at a quarter of their rate: of a leaf-spine all links of that many spines, of a fat-tree that many links down from cores (-failed).',
    DEFAULT_UET.slowLinks),
  nicGbps: numberAboveZero(RATE_MAX_GBPS,
    "Rate of a host's NIC, Gb/s, in whole Mb/s (-linkspeed). Default: that of its link."),
  switchDelayNs: wholeIn(0, DELAY_MAX_NS, 'Latency of a switch, ns (Switch_Latency_ns of a topology file).',
    DEFAULT_UET.switchDelayNs),
}), 'Under reference-uet: a network of uet-htsim at commit 40ccb05, by the options of that program.', 'UetSpec');
