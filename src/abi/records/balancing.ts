/**
 * Load balancing under fidelity `standard`: one region with a header and tables, whose offsets (bytes from its start)
 * are in the header. If all switches of a network use hash ECMP, there is no region.
 */
import { array, defineRecord, f64, free, i64, part, u16, u32, u8 } from './define-record.js';
import { RANDOM } from './congestion-point.js';

/** Rules by which a data packet selects one of several equal-cost next hops. */
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
/** Also of `entropy-bits`, whose fields are masks and strides. */
export const BALANCING_RULE_SOURCE_ROUTE = 11;
/** Used only by adapters. */
export const BALANCING_RULE_PLANE_OF_ENTROPY = 10;

/** Rules by which a host selects the UDP source port of a data packet. */
export const SELECTION_RULE_FLOW = 0;
export const SELECTION_RULE_OBLIVIOUS = 1;
export const SELECTION_RULE_BITMAP = 2;
export const SELECTION_RULE_REPS = 3;
export const SELECTION_RULE_ENTROPY_STATES = 4;

/** States of an entropy, in EntropyState.state. */
export const ENTROPY_GOOD = 0;
export const ENTROPY_SKIP = 1;
export const ENTROPY_ASSUMED_BAD = 2;
export const ENTROPY_DENIED = 3;
/** EntropyState.slot: the entropy is in the reserve. */
export const NO_SLOT = 0xffff;

/** Entropies are remembered for this many packets, by packet number modulo this. */
export const SENT_ENTROPIES = 1024;
/** Maximum number of flowlets per switch: the size of LetFlow's table. */
export const FLOWLETS_MAX = 65536;
/** First UDP source port used for entropies: there are 16,384 dynamic ports. */
export const FIRST_ENTROPY_PORT = 49152;
export const ENTROPY_PORTS = 16384;
/** A denial with this number or a higher one is of a plane: this + the plane. */
export const DENIED_PLANE = 16384;
/** Maximum number of uplinks of a leaf: 255 means none. */
export const UPLINKS_MAX = 255;
/** First UDP source port for flows without a given one; after 65,535 they start again here. */
export const FIRST_SOURCE_PORT = 10000;

/** Header of the region. */
export const BALANCING = /* @__PURE__ */ defineRecord('BalancingHeader', 256, {
  /** Flowlets: a longer gap begins a new flowlet. */
  gapPs: f64,
  /** CONGA's time constant. */
  tauPs: f64,
  /** CONGA: age beyond which reported congestion is ignored. */
  ageingPs: f64,
  /** Whether any switch uses a rule other than hash ECMP. */
  any: u32,
  /** Whether any host changes its UDP source port on a Fast CNP. */
  detours: u32,
  /** DRILL's d: number of random samples. */
  samples: u32,
  /** DRILL's m: number of remembered ports. */
  memory: u32,
  /** Maximum number of flowlets of a switch. */
  flowlets: u32,
  /** CONGA: number of leaves. */
  leaves: u32,
  /** Maximum number of spine-facing ports of a leaf. */
  uplinks: u32,
  /** Balancers, by node. */
  nodesAt: u32,
  /**
   * Parallel to the groups: for each group its round-robin position and DRILL's memory, or the sum of its weights and
   * the weights.
   */
  groupsAt: u32,
  free60: free(4),
  /** By switch that keeps flowlets, and flow: Flowlet. */
  flowletsAt: u32,
  /** CONGA's estimates, by port. */
  portsAt: u32,
  /** By leaf, other leaf and uplink: PathEntry of paths to the other leaf. */
  toLeafAt: u32,
  /** By leaf, other leaf and uplink: PathEntry of paths from the other leaf. */
  fromLeafAt: u32,
  /** By leaf and other leaf: the path reported last, u32. */
  feedbackAt: u32,
  /** By flow: number of changes of its UDP source port, u32. */
  flowsAt: u32,
  /** By node: whether it changes UDP source ports, u32. */
  hostsAt: u32,
  /** Whether any host selects the UDP source port of each data packet. */
  selects: u32,
  /** Selectors, by node. */
  selectorsAt: u32,
  /** By flow: FlowEntropies, followed by the data of `bitmap` and `entropy-states`. */
  entropiesAt: u32,
  /** Bytes per flow at `entropiesAt`. */
  entropiesBytes: u32,
  /** REPS: number of packets with new entropies after freezing. */
  explore: u32,
  /** REPS: how long freezing lasts. */
  freezePs: f64,
  /** Age after which a queue class is recomputed. */
  refreshPs: f64,
  /** Queue sizes in bytes at which the next queue class begins. */
  thresholds: array(f64, 7),
  thresholdCount: u32,
  /** Queue classes, by port. */
  classesAt: u32,
  /** Entropy states: number of entropies in the reserve; minimum of usable ones in the active set; number of planes. */
  reserve: u32,
  minActive: u32,
  planes: u32,
  /** ENTROPY_*: new state of an entropy after a loss that SACKs reveal. */
  inferredLoss: u32,
  /** How long an entropy is skipped; 0: once. */
  skipPs: f64,
  /** Time between probes of an entropy; 0: the timeout of its flow. */
  probePs: f64,
  /** Number of consecutive probes that must be acknowledged; 0: none are sent. */
  probesToReturn: u32,
  /** ENTROPY_*: new state of an entropy if the last of its probes was ECN-marked. */
  markedProbe: u32,
  /** Length of a probe. */
  probeBytes: u32,
  /** By entropy, u8: whether a controller currently denies it. */
  deniedAt: u32,
  /** Entropy states: number of consecutive marked packets after which a receiver sends ALWAYS_SKIP; 0: never. */
  alwaysSkipMarks: u32,
  /** Entropy states of several planes: bytes waiting at a port from which it has no room; 0: every port has. */
  roomBytes: u32,
  /** Entropy states of several planes: the bits of a UDP source port that select the plane, and the number of bits below them. */
  planeMask: u32,
  planeShift: u32,
});

/** A switch's balancing rule and its state. */
export const BALANCER = /* @__PURE__ */ defineRecord('Balancer', 40, {
  /** Balancing rule, BALANCING_RULE_*. */
  rule: u32,
  /** Index of its flowlet table. */
  table: u32,
  /** Index among the leaves; SIM_NONE: not a leaf. */
  leaf: u32,
  /** Source routes: a packet's entropy is divided by this to select the next hop. */
  stride: u32,
  random: part(RANDOM),
  /** Source routes: the bits of the entropy that the switch reads. */
  mask: u32,
  free36: free(4),
});

/** A flowlet at a switch. */
export const FLOWLET = /* @__PURE__ */ defineRecord('Flowlet', 16, {
  /** Time of the flowlet's last packet. */
  lastPs: i64,
  /** 1 + the port that the flowlet uses; 0: none. */
  port: u32,
  free12: free(4),
});

/** CONGA's estimate of a port. */
export const ESTIMATE = /* @__PURE__ */ defineRecord('Estimate', 16, {
  /** Bytes sent, discounted at each tick. */
  bytes: u32,
  /** Index among the uplinks. */
  uplink: u32,
  /** Number of ticks applied. */
  ticks: i64,
});

/** Fill level of a port's queue. */
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

/** Fields added to a packet, after its telemetry. */
export const BALANCING_PART = /* @__PURE__ */ defineRecord('BalancingPart', 8, {
  /** CONGA: path of the data packet. */
  path: u8,
  /** CONGA: congestion on the data packet's path so far. */
  congestion: u8,
  /** Path on which feedback is given; 255: none. */
  feedbackPath: u8,
  /** Congestion of the path in `feedbackPath`. */
  feedback: u8,
  /** UDP source port, if hosts select it per packet; 0: the flow's own. */
  sourcePort: u16,
  free6: free(2),
});

/** How a host selects the UDP source port of a data packet. */
export const SELECTOR = /* @__PURE__ */ defineRecord('Selector', 32, {
  /** Selection rule, SELECTION_RULE_*. */
  rule: u32,
  /** Number of entropies per flow, a power of two. */
  entropies: u32,
  free8: free(8),
  random: part(RANDOM),
});

/**
 * Entropies of a flow. With `bitmap`, it is followed by the entropies of the last packets sent, u16 each, and the
 * penalty of each entropy, u8. With `entropy-states`, it is followed by an EntropyState for each entropy, and the
 * entropy in each slot of the active set, u16.
 */
export const FLOW_ENTROPIES = /* @__PURE__ */ defineRecord('FlowEntropies', 48, {
  /**
   * Round-robin: the next number, the mask it is combined with, and the bits above the number of entropies. Entropy
   * states: the first entropy.
   */
  turn: u16,
  mask: u16,
  upper: u16,
  isStarted: u8,
  /** REPS: one bit per position of the ring: its entropy has not been reused yet. */
  fresh: u8,
  /** Position to be written next. */
  head: u8,
  /** Number of positions written so far. */
  written: u8,
  /** Number of fresh positions. */
  freshCount: u8,
  /** Position to be read next while frozen. */
  frozenTurn: u8,
  /** Number of packets that still get new entropies after freezing. */
  explore: u16,
  isFrozen: u16,
  thawPs: i64,
  /** REPS: entropies of the latest ACKs. */
  ring: array(u16, 8),
  /**
   * Entropy states: number of entropies that are ASSUMED_BAD; number of active slots whose entropy is ASSUMED_BAD or
   * DENIED.
   */
  bad: u16,
  outActive: u16,
  /** The number of the next probe; whether its event is scheduled. */
  nextProbe: u16,
  isProbing: u16,
});

/** An entropy of a flow under `entropy-states`. */
export const ENTROPY_STATE = /* @__PURE__ */ defineRecord('EntropyState', 24, {
  /** ASSUMED_BAD: since when; timed SKIP: until when. */
  sincePs: i64,
  /** ASSUMED_BAD: time of the last probe, or of the state's start if there was none. */
  probedPs: i64,
  /** State, ENTROPY_*. */
  state: u8,
  /** Number of consecutive acknowledged probes. */
  acked: u8,
  /** Slot of the entropy in the active set; NO_SLOT: it is in the reserve. */
  slot: u16,
  /** Number of the last probe; whether its acknowledgement is still awaited. */
  probe: u16,
  awaits: u8,
  /** Receiver: number of consecutive marked packets, including the last one that arrived. */
  marksInRow: u8,
});
