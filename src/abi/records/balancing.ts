/**
 * Load balancing under fidelity `standard`: one region, a header and tables whose places it has, in bytes from its start. A network whose
 * switches all choose by the hash has no region.
 */
import { array, defineRecord, f64, free, i64, part, u16, u32, u8 } from './define-record.js';
import { RANDOM } from './random.js';

/** Which of several equal next hops a data packet takes. */
export const BALANCING_RULE_ECMP = 0;
export const BALANCING_RULE_RANDOM = 1;
export const BALANCING_RULE_ROUND_ROBIN = 2;
export const BALANCING_RULE_FLOWLET = 3;
export const BALANCING_RULE_DRILL = 4;
export const BALANCING_RULE_CONGA = 5;
export const BALANCING_RULE_LEAST_QUEUE = 6;
export const BALANCING_RULE_ADAPTIVE = 7;
export const BALANCING_RULE_WCMP = 8;
export const BALANCING_RULE_WEIGHTED_RANDOM = 9;
export const BALANCING_RULE_SOURCE_ROUTE = 11;
/** Of adapters alone. */
export const BALANCING_RULE_PLANE_OF_ENTROPY = 10;

/** Which UDP source port a data packet of a host has. */
export const SELECTION_RULE_FLOW = 0;
export const SELECTION_RULE_OBLIVIOUS = 1;
export const SELECTION_RULE_BITMAP = 2;
export const SELECTION_RULE_REPS = 3;
export const SELECTION_RULE_ENTROPY_STATES = 4;

/** EntropyState.state. */
export const ENTROPY_GOOD = 0;
export const ENTROPY_SKIP = 1;
export const ENTROPY_ASSUMED_BAD = 2;
export const ENTROPY_DENIED = 3;
/** EntropyState.slot: it is in the reserve. */
export const NO_SLOT = 0xffff;

/** Packets whose entropy is remembered, by their number modulo this. */
export const SENT_ENTROPIES = 1024;
/** Flowlets of a switch at most: the size of LetFlow's table. */
export const FLOWLETS_MAX = 65536;
/** UDP source ports of packets, by entropy: the dynamic ports, of which there are 16,384. */
export const FIRST_ENTROPY_PORT = 49152;
export const ENTROPY_PORTS = 16384;
/** Uplinks of a leaf at most: 255 means none. */
export const UPLINKS_MAX = 255;
/** The first UDP source port of flows that are given none; after 65,535 it is used again. */
export const FIRST_SOURCE_PORT = 10000;

/** Header. */
export const BALANCING = /* @__PURE__ */ defineRecord('BalancingHeader', 256, {
  /** Flowlets: gap that begins a new one. */
  gapPs: f64,
  /** CONGA's time constant. */
  tauPs: f64,
  /** CONGA: age beyond which reported congestion is ignored. */
  ageingPs: f64,
  /** Whether any switch chooses by another rule than the hash. */
  any: u32,
  /** Whether any host changes its UDP source port on a Fast CNP. */
  detours: u32,
  /** DRILL's d. */
  samples: u32,
  /** DRILL's m. */
  memory: u32,
  /** Flowlets that a switch remembers. */
  flowlets: u32,
  /** CONGA's leaves. */
  leaves: u32,
  /** Ports towards spines of the leaf that has most. */
  uplinks: u32,
  /** By node: Balancer. */
  nodesAt: u32,
  /** As long as the groups: of each group its turns and what DRILL remembers, or the sum of its weights and the weights. */
  groupsAt: u32,
  free60: free(4),
  /** By switch that keeps flowlets, and flow: Flowlet. */
  flowletsAt: u32,
  /** By port: Estimate. */
  portsAt: u32,
  /** By leaf, other leaf and uplink: PathEntry, of paths to the other leaf. */
  toLeafAt: u32,
  /** By leaf, other leaf and uplink: PathEntry, of paths from the other leaf. */
  fromLeafAt: u32,
  /** By leaf and other leaf: which path was reported last, u32. */
  feedbackAt: u32,
  /** By flow: how often it has changed its UDP source port, u32. */
  flowsAt: u32,
  /** By node: whether it changes UDP source ports, u32. */
  hostsAt: u32,
  /** Whether any host chooses the UDP source port of each data packet. */
  selects: u32,
  /** By node: Selector. */
  selectorsAt: u32,
  /** By flow: FlowEntropies, and behind it what `bitmap` and `entropy-states` keep. */
  entropiesAt: u32,
  /** Bytes of a flow's entropies. */
  entropiesBytes: u32,
  /** REPS: packets with new entropies after freezing. */
  explore: u32,
  /** REPS: how long freezing lasts. */
  freezePs: f64,
  /** Age beyond which a queue class is computed again. */
  refreshPs: f64,
  /** Bytes from which the next queue class begins. */
  thresholds: array(f64, 7),
  thresholdCount: u32,
  /** By port: QueueClass. */
  classesAt: u32,
  /** Entropy states: entropies of the reserve; usable ones of the active set at least; planes of the network. */
  reserve: u32,
  minActive: u32,
  planes: u32,
  /** ENTROPY_*: what a loss that SACKs show makes of an entropy. */
  inferredLoss: u32,
  /** How long an entropy is skipped; 0: once. */
  skipPs: f64,
  /** Time between probes of an entropy; 0: the timeout of its flow. */
  probePs: f64,
  /** Probes in a row that have to be acknowledged; 0: none are sent. */
  probesToReturn: u32,
  /** ENTROPY_*: what the last of them makes of its entropy if it was marked. */
  markedProbe: u32,
  /** Length of a probe. */
  probeBytes: u32,
  /** By number of an entropy, u8: whether a controller denies it now. */
  deniedAt: u32,
  /** Entropy states: marked packets in a row to which a receiver answers ALWAYS_SKIP; 0: it never does. */
  alwaysSkipMarks: u32,
  /** Entropy states of several planes: bytes waiting at a port from which it has no room; 0: every port has. */
  roomBytes: u32,
  free248: free(8),
});

/** A switch's balancing rule and its state. */
export const BALANCER = /* @__PURE__ */ defineRecord('Balancer', 32, {
  /** BALANCING_RULE_*. */
  rule: u32,
  /** Number of its table of flowlets. */
  table: u32,
  /** Number among the leaves; SIM_NONE: it is none. */
  leaf: u32,
  /** Of source routes: what a packet's entropy is divided by before it is a place among the next hops. */
  stride: u32,
  random: part(RANDOM),
});

/** A flowlet at a switch. */
export const FLOWLET = /* @__PURE__ */ defineRecord('Flowlet', 16, {
  /** Time of its last packet. */
  lastPs: i64,
  /** Port that it took, and 1; 0: none. */
  port: u32,
  free12: free(4),
});

/** CONGA's estimate of a port. */
export const ESTIMATE = /* @__PURE__ */ defineRecord('Estimate', 16, {
  /** Bytes sent, discounted at each tick. */
  bytes: u32,
  /** Number among the uplinks. */
  uplink: u32,
  /** Ticks applied. */
  ticks: i64,
});

/** How full a port's queue is. */
export const QUEUE_CLASS = /* @__PURE__ */ defineRecord('QueueClass', 16, {
  /** When it was computed. */
  atPs: i64,
  /** Number of thresholds that the queue has reached. */
  cls: u32,
  free12: free(4),
});

/** CONGA's state of a path. */
export const PATH_ENTRY = /* @__PURE__ */ defineRecord('PathEntry', 16, {
  congestion: u8,
  known: u8,
  /** Whether it has changed since its last report. */
  changed: u8,
  free3: free(5),
  sincePs: i64,
});

/** The additional part of a packet, after its telemetry. */
export const BALANCING_PART = /* @__PURE__ */ defineRecord('BalancingPart', 8, {
  /** CONGA: path of data. */
  path: u8,
  /** Congestion that it has met. */
  congestion: u8,
  /** Path that is reported; 255: none. */
  feedbackPath: u8,
  /** Congestion of that path. */
  feedback: u8,
  /** UDP source port, where hosts choose those of packets; 0: that of the flow. */
  sourcePort: u16,
  free6: free(2),
});

/** How a host chooses the UDP source port of a data packet. */
export const SELECTOR = /* @__PURE__ */ defineRecord('Selector', 32, {
  /** SELECTION_RULE_*. */
  rule: u32,
  /** Number of entropies of a flow, a power of two. */
  entropies: u32,
  free8: free(8),
  random: part(RANDOM),
});

/**
 * Entropies of a flow. Under `bitmap` follow the entropies of the last packets sent, u16 each, then the penalty of each entropy, u8. Under
 * `entropy-states` an EntropyState for each entropy, then by slot of the active set the number of its entropy, u16.
 */
export const FLOW_ENTROPIES = /* @__PURE__ */ defineRecord('FlowEntropies', 48, {
  /** Round-robin: the next number, what it is combined with, and the bits above the number of entropies; of entropy states the first entropy. */
  turn: u16,
  mask: u16,
  upper: u16,
  isStarted: u8,
  /** REPS: bit per place of the ring: its entropy has not been used again. */
  fresh: u8,
  /** Place that is written next. */
  head: u8,
  /** Number of places written so far. */
  written: u8,
  /** How many of them are fresh. */
  freshCount: u8,
  /** Place that is read next while frozen. */
  frozenTurn: u8,
  /** Packets that still get new entropies after freezing. */
  explore: u16,
  isFrozen: u16,
  thawPs: i64,
  /** REPS: entropies of the last ACKs. */
  ring: array(u16, 8),
  /** Entropy states: entropies that are ASSUMED_BAD; slots of the active set whose entropy is ASSUMED_BAD or DENIED. */
  bad: u16,
  outActive: u16,
  /** The number of the next probe; whether its event is scheduled. */
  nextProbe: u16,
  isProbing: u16,
});

/** An entropy of a flow under `entropy-states`. */
export const ENTROPY_STATE = /* @__PURE__ */ defineRecord('EntropyState', 24, {
  /** ASSUMED_BAD: since when; SKIP for a time: until when. */
  sincePs: i64,
  /** ASSUMED_BAD: when it was probed last, or else since when. */
  probedPs: i64,
  /** ENTROPY_*. */
  state: u8,
  /** Probes in a row that were acknowledged. */
  acked: u8,
  /** Its place in the active set; NO_SLOT: it is in the reserve. */
  slot: u16,
  /** Number of the last probe; whether that may still be acknowledged. */
  probe: u16,
  awaits: u8,
  /** Of the receiver: its packets in a row that were marked, up to the last one that has arrived. */
  marksInRow: u8,
});
