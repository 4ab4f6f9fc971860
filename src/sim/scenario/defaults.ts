/** Default values of a scenario's settings, each with its source. */
import { congestionPointDefaults } from '../../config/congestion-point.js';
import type { AlgorithmSpec, BitErrorsSpec, BufferSpec, DiscoverySpec, EcnSpec, FaultSpec, Fidelity, IterationSpec,
  MessageSpec, Operation, ScenarioSpec, TunnelSpec, WanFlowControlSpec } from './spec.js';
import type { ValidAlgorithm, ValidBalancing, ValidDiscoveryRouter, ValidFastCnp, ValidHost, ValidPaths, ValidSwitch,
  ValidWatchdog } from './valid-scenario.js';

type FaultOf<Kind extends FaultSpec['kind']> = Extract<FaultSpec, { kind: Kind }>;

export const DEFAULT_FIDELITY: Fidelity = 'standard';

export const DEFAULT_SEED = 1;
export const DEFAULT_END: NonNullable<ScenarioSpec['end']> = 'all';
/** FLOWGEN_START_TIME 0 (docs/specs/reference-lossy.md, section 10). */
export const DEFAULT_END_CHECK_FROM_US = 0;
/** How long a run continues after the last start. */
export const DEFAULT_DURATION_AFTER_LAST_START_PS = 1e12;
/** The class of RoCE data in the reference's files and in vendors' guides. */
export const DEFAULT_TRAFFIC_CLASS = 3;
/** NCCL and the collectives of MPI send data by WRITE, and all flows did before there was a choice. */
export const DEFAULT_OPERATION: Operation = 'write';
/** The paper's parameters (SIGCOMM 2015). */
export const DEFAULT_ALGORITHM: ValidAlgorithm = { name: 'default', preset: 'dcqcn-sigcomm15' };

export const DEFAULT_BASE_RTT: NonNullable<AlgorithmSpec['baseRtt']> = 'longest';

/** Shared packet memory: BUFFER_SIZE 32 of the reference's `run.py` at 100 Gb/s, 32 MiB. */
export const DEFAULT_BUFFER_BYTES = 32 * 2 ** 20;

/** The port rate that ECN thresholds refer to. */
export const ECN_REFERENCE_RATE_BPS = 100e9;

/** Hashing of flows, the usual default of switches. */
export const DEFAULT_RULE = 'ecmp';

export const DEFAULT_SWITCH: ValidSwitch = {
  bufferBytes: null,
  headroomBytes: null,
  pfc: true,
  balancingRule: DEFAULT_RULE,
  /** The draft requires it to be off by default (MUST, Fast CNP draft, section 5). */
  fastCnp: false,
  congestionPoint: null,
  /**
   * Kmin 100 kB, Kmax 400 kB, Pmax 0.2: the values of the reference's `run.py` for 25 Gb/s (100 kB take 32 us to drain there),
   * used here for 100 Gb/s, where they take 8 us: about one round trip of a small network. `run.py` itself has 400 and 1,600 kB
   * at 100 Gb/s.
   */
  ecn: { enabled: true, kminKB: 100, kmaxKB: 400, pmax: 0.2, scaleWithRate: true, lastHop: true, byRate: null },
  watchdog: null,
};

export const DEFAULT_MARK_AT: NonNullable<EcnSpec['markAt']> = 'dequeue';
export const DEFAULT_STRICT_CLASSES: readonly number[] = [];
export const DEFAULT_BUFFER: BufferSpec = { model: 'ingress-share' };

/** A watchdog that is configured is enabled. */
export const WATCHDOG_ENABLED_WHERE_GIVEN = true;
/** `pfcwd start_default` of SONiC, up to 32 ports: 200 ms each, drop; other documents differ (docs/reference/sources.md). */
export const DEFAULT_WATCHDOG: ValidWatchdog = {
  detectionUs: 200_000,
  restorationUs: 200_000,
  pollUs: 200_000,
  action: 'drop',
};

/** A ConnectX adapter's buffer as its driver configures it (Mellanox community, DOC-2933: `buffer_size`). */
export const DEFAULT_RECEIVE_BUFFER_BYTES = 130_944;

/** Packets that a `loss` affects, and those that a `drop` affects. */
export const DEFAULT_LOSSES: NonNullable<FaultOf<'loss'>['of']> = 'all';
export const DEFAULT_DROPPED: NonNullable<FaultOf<'drop'>['of']> = 'data';
export const DEFAULT_BIT_ERRORS: Required<Pick<BitErrorsSpec, 'perBit' | 'perFrame' | 'direction'>> = {
  perBit: 0,
  perFrame: 0,
  direction: 'both',
};
/** One plane, without adapters as nodes. */
export const DEFAULT_PLANES = 1;
/** Error rate of links of `edges`. */
export const DEFAULT_ERROR_RATE = 0;

/**
 * Defaults of ConWeave's simulator: LB_MODE 0, PAUSE_TIME 5 (docs/specs/reference-lossy.md, section 10), ConWeave's times
 * (section 9).
 */
export const DEFAULT_PATHS: ValidPaths = {
  loadBalancing: 'ecmp',
  conWeave: { expiryUs: 1000, replyExtraUs: 4, pathPauseUs: 8, flushExtraUs: 32, defaultWaitUs: 500 },
  pauseTimeUs: 5,
};

/**
 * `flowlet`: from ConWeave's simulator (docs/specs/reference-lossy.md, section 9). `conga`: from its paper (SIGCOMM 2014,
 * section 3.6).
 */
export const DEFAULT_FLOWLET_GAPS_US = { flowlet: 100, conga: 500 } as const;

/**
 * DRILL(2, 1) from its paper (SIGCOMM 2017, section 3.2); CONGA's times from its paper (SIGCOMM 2014, sections 3.3 and 3.6);
 * classes are at most 100 ns old, as in uet-htsim (docs/reference/sources.md).
 */
export const DEFAULT_BALANCING: ValidBalancing = {
  flowletGapUs: null,
  drill: { samples: 2, memory: 1 },
  conga: { tauUs: 160, ageingUs: 10_000 },
  adaptive: { thresholdsKB: null, refreshNs: 100 },
  usids: null,
  entropyBits: { plane: null, tiers: null },
};

/** Prefixes of SRv6 SIDs are in 5f00::/16 (RFC 9602). */
export const DEFAULT_USIDS = { block: '5f00:1::/32' } as const;
export const USIDS_ENABLED_WHERE_GIVEN = true;

/** Shares of a queue's limit at which the next class begins: uet-htsim, adaptive routing (docs/reference/sources.md). */
export const DEFAULT_CLASS_SHARES: readonly number[] = [0.05, 0.1, 0.2];

/**
 * `bitmap`: `-paths` of uet-htsim, one byte of state each. `oblivious` and `reps` keep no state: all dynamic UDP ports, 49,152
 * to 65,535 (RFC 6335, section 6), the part of the REPS paper's 16 bits that RoCEv2 can use. `entropy-states`: O21 of OCP MRC
 * 1.0 (docs/reference/sources.md): sets have one to two windows of packets, with little gain beyond 100.
 */
export const DEFAULT_ENTROPIES = { 'oblivious': 16_384, 'bitmap': 64, 'reps': 16_384, 'entropy-states': 128 } as const;
/** The number of dynamic UDP ports. */
export const ENTROPIES_MAX = 16_384;

/** From uet-htsim, written by REPS' author (docs/reference/sources.md). */
export const DEFAULT_REPS = { freezeUs: 10_000, explorePackets: 16 } as const;

/** O15 to O18, O21 and O29 of OCP MRC 1.0 (docs/reference/sources.md). */
export const DEFAULT_ENTROPY_STATES = {
  reserve: 32,
  minActive: 1,
  skip: 'rotation',
  inferredLoss: null,
  portRoomBytes: 8192,
  probes: false,
  probeIntervalUs: null,
  probesToReturn: 3,
  markedProbe: 'skip',
  alwaysSkipMarks: 0,
  denied: [],
} as const;

/**
 * RTO_low, RTO_high and N of IRN (SIGCOMM 2018, section 4.1), as in ConWeave's simulator (docs/specs/reference-lossy.md, 5.4,
 * where N is fixed).
 */
export const DEFAULT_IRN = { timeoutLowUs: 100, timeoutHighUs: 320, fewPackets: 3 } as const;

/**
 * Minimum window if a BDP is less: the size of the bitmaps of IRN's implementation (SIGCOMM 2018, section 6). Vendors of
 * adapters publish none.
 */
export const MIN_REORDERING_WINDOW_PACKETS = 128;

/**
 * Minimum window of `tolerant` and `mrc` if a BDP is less: bitmaps of OCP MRC 1.0 are announced in units of 128 packets, and
 * implementations have 8 units or more.
 */
export const MIN_TOLERANT_WINDOW_PACKETS = 1024;

/**
 * `tolerant` detects losses only by the timeout, so that a network without drops has no retransmissions, however its paths
 * differ. OCP MRC 1.0 requires no more, and in Ultra Ethernet's reference simulator the rule by distance (SLEEK) is an option.
 * RACK's quarter of a round trip (RFC 8985, 6.2) is for paths that rarely reorder.
 */
export const DEFAULT_TOLERANT = { distancePackets: 0, lossTimeUs: 0 } as const;

/**
 * Choices on open points of OCP MRC 1.0 (docs/reference/sources.md). O9, `sackBytes`: the threshold of Ultra Ethernet 1.0,
 * about every fourth packet of 4,096 bytes. `controlClass`: MRC sends SACKs in a class of control packets, here that of CNPs.
 * Timers ("Timers of MRC"): `timer` depends on path selection; the number of linear timeouts is one reader's; doubling timeouts
 * are unlimited, like `retryCount`. O10: a packet may be sent while less than the window is in flight. O6: NACKs for packets
 * beyond the range, which SACKs do not announce. O14: losses by time, not by distance. O28: a loss of signal is detected immediately.
 */
export const DEFAULT_MRC = {
  sackBytes: 16_384,
  reorderUs: null,
  reorderPackets: 0,
  receiverRangePackets: null,
  dynamicRange: false,
  oorPolicy: 'nack',
  ackRequest: 'idle',
  windowRule: 'below-window',
  inFlight: 'unacknowledged',
  maxWriteImms: 0,
  windowPenalty: 0,
  restoreWindow: false,
  windowProbes: false,
  controlClass: 6,
  timer: null,
  linearTimeouts: 3,
  exponentialTimeouts: 25,
  timeoutsCount: 'rounds',
  portDetectUs: 0,
  portStatus: false,
} as const;
/** This number of doubling timeouts means any number. */
export const TIMEOUTS_FOR_EVER = 25;

/**
 * O14: target_delay of NSCC as a share of the longest base round trip, with trimming and without (docs/specs/mrc-transport.md).
 */
export const REORDER_SHARES = { trimming: 0.75, none: 1 } as const;

/** Trimming that is configured is enabled. */
export const TRIMMING_ENABLED_WHERE_GIVEN = true;
/** 128 bytes: SAI's default, O7 (docs/reference/sources.md). Trimmed packets use the class of control packets, as SACKs do. */
export const DEFAULT_TRIMMING = { sizeBytes: 128, trafficClass: 6 } as const;
/** Queue limits in units of the plane's BDP (Ultra Ethernet 1.0.1, recommended thresholds; docs/specs/mrc-transport.md). */
export const TRIMMING_BDPS = { queue: 1, lastHopQueue: 1.5, trimmedQueue: 1 } as const;

/** The limits of a congestion point; their sources are in src/config/congestion-point.ts. */
export const DEFAULT_SWITCH_FAST_CNP: ValidFastCnp = {
  option: 1,
  flowRatePerSecond: congestionPointDefaults.flowRatePerSecond,
  flowBurst: congestionPointDefaults.flowBurst,
  portRatePerSecond: congestionPointDefaults.portRatePerSecond,
  portBurst: congestionPointDefaults.portBurst,
  markWhenLimited: congestionPointDefaults.markWhenLimited,
};

/** Range of InfiniBand's MTUs; the reference accepts any payload that fits its IP header. */
export const MTU_MIN_BYTES = 256;
export const MTU_MAX_BYTES = 4096;
export const REFERENCE_MTU_MAX_BYTES = 65_000;

type HostDefaults = Omit<ValidHost, 'acceptFastCnp' | 'service'>;

/**
 * From the reference's files: RATE_BOUND 1, ACK_HIGH_PRIO 0, L2_ACK_INTERVAL 1 and L2_CHUNK_SIZE 4000, which mean an ACK per
 * packet.
 */
const SHARED_HOST_DEFAULTS = {
  notificationPoint: true,
  paced: true,
  acksPausable: true,
  ackIntervalBytes: 0,
  ackChunkBytes: 4000,
  /** The first reaction that the draft names (Fast CNP draft, section 4): the same as to a CNP. */
  onFastCnp: 'slow-down',
  /** One UDP source port for all packets of a QP, the usual default of adapters, as RC expects packets in order. */
  pathSelection: 'flow',
  entropies: null,
  reps: DEFAULT_REPS,
  entropyStates: DEFAULT_ENTROPY_STATES,
  transport: 'go-back-n',
  irn: DEFAULT_IRN,
  tolerant: DEFAULT_TOLERANT,
  mrc: DEFAULT_MRC,
  reorderingWindowPackets: null,
  retryCount: null,
  lossReaction: null,
  /** Neither IBTA nor adapter documentation resets the rate of an idle QP; DCQCN's timers recover it (SIGCOMM 2015, section 5). */
  idleRestartUs: null,
  /** NCCL, `net_ib`: `min_rnr_timer` 12 (IBTA vol. 1, 9.7.5.2.8: 640 us) and `rnr_retry` 7, without limit. */
  rnrTimerCode: 12,
  rnrRetryCount: 7,
  /** From ConWeave's simulator (docs/specs/reference-lossy.md, section 4). */
  nakIntervalUs: 4,
  backToZeroBytes: 0,
} as const;

export const DEFAULT_HOSTS: Readonly<Record<Fidelity, HostDefaults>> = {
  standard: {
    /** The InfiniBand MTU that fits an Ethernet frame of 1,500. */
    mtuBytes: 1024,
    /** N of SIGCOMM 2015, section 3.1. */
    cnpIntervalUs: 50,
    cnpDelayUs: 0,
    /**
     * Our choice. If the scenario sets none, it is longer for paths whose queues can hold a packet longer:
     * compile/paths.ts.
     */
    retransmitTimeoutUs: 500,
    ...SHARED_HOST_DEFAULTS,
  },
  reference: {
    /** PACKET_PAYLOAD_SIZE in all files of the reference. */
    mtuBytes: 1000,
    /** The reference has no CNP packets: each ACK echoes its packet's mark. */
    cnpIntervalUs: 0,
    cnpDelayUs: 0,
    /** The reference has no timeout. */
    retransmitTimeoutUs: 0,
    ...SHARED_HOST_DEFAULTS,
  },
  'reference-lossy': {
    mtuBytes: 1000,
    cnpIntervalUs: 0,
    cnpDelayUs: 0,
    /** The timeout of go-back-N (docs/specs/reference-lossy.md, section 4). */
    retransmitTimeoutUs: 4000,
    ...SHARED_HOST_DEFAULTS,
  },
  /** Other settings do not exist in a uet-htsim network. */
  'reference-uet': {
    /** `-mtu` 4150, which counts a header of 64 bytes. */
    mtuBytes: 4086,
    cnpIntervalUs: 0,
    cnpDelayUs: 0,
    retransmitTimeoutUs: 0,
    ...SHARED_HOST_DEFAULTS,
  },
};

/** Options of uet-htsim with the program's own defaults (docs/guides/uet-reference.md). */
export const DEFAULT_UET = {
  control: 'nscc',
  quickAdaptGate: 3,
  pairBaseRtt: false,
  nackBaseRtt: true,
  sleek: false,
  ackBytes: 16_384,
  pathSelection: 'mixed',
  paths: 64,
  nextHops: 'ecmp-host',
  adaptive: { compare: 'queue', per: 'packet', stickyUs: 10 },
  trimming: true,
  trimmedBytes: 64,
  slowLinks: 0,
  switchDelayNs: 0,
  oversubscribed: { increase: 0.01, decrease: 0.5, weight: 0.5 },
} as const;

/**
 * SONiC: lossless classes 3 and 4; `egress_lossy_profile` of its sample configuration, dynamic_th 3 (alpha 8), size 1518
 * (docs/reference/sources.md).
 */
export const DEFAULT_POOLS = { losslessClasses: [3, 4], dynamicTh: 3, reservedBytes: 1518 } as const;

/** `queueEveryUs`: the interval of the reference simulator's queue monitor. */
export const DEFAULT_RECORD = {
  maxSamples: 2000,
  ports: 'auto',
  flows: 64,
  operations: 4096,
  messages: 'each',
  messageRecords: 65_536,
  pauses: false,
  queueEveryUs: 0.1,
} as const;
/** Maximum number of queue polls: one second at 0.1 us. */
export const QUEUE_SAMPLES_MAX = 10_000_000;

export const DEFAULT_START_US = 0;
export const DEFAULT_STAGGER_US = 0;
export const DEFAULT_RANKS_PER_HOST = 1;
export const DEFAULT_ITERATIONS: Required<IterationSpec> = { iterations: 1, barrier: false };
/** Messages take time only in the network, none at their hosts. */
export const DEFAULT_MESSAGES: Required<MessageSpec> = {
  sendDone: 'acked',
  eagerBytes: 0,
  receiveDone: 'last-byte',
  sendOverheadNs: 0,
  receiveOverheadNs: 0,
};
/**
 * NCCL opens its QPs with the communicator and keeps them, by default one per channel and peer (NCCL_IB_QPS_PER_CONNECTION).
 * `choose`: the order in which it uses its channels.
 */
export const DEFAULT_CONNECTIONS = { ofJobs: 'per-pair', ofOthers: 'per-message', choose: 'round-robin' } as const;
export const DEFAULT_COLLECTIVE = { chunks: 1, repeat: 1, computeUs: 0 } as const;
/** Links within a server take no time. */
export const DEFAULT_SERVERS = { rateGbps: 0, latencyNs: 0 } as const;

/** The timeout is that of `createOriginator`. */
export const DEFAULT_DISCOVERY: Required<Omit<DiscoverySpec, 'routers'>> = {
  form: 'ipv6',
  onMismatch: 'report',
  timeoutUs: 1_000_000,
};
/** A switch that takes part in discovery as intended. */
export const PLAIN_ROUTER: ValidDiscoveryRouter = {
  responses: 'always',
  dropsReplies: false,
  takesPolicies: true,
  rocePriority: null,
};

export const DEFAULT_WAN_ROWS = { paths: 1, routers: 1 } as const;
/**
 * The draft requires `normal` mode, and RFC 3168 allows marks only on ECN-capable packets. The MTU is that of jumbo frames,
 * which data centre switches and WAN links usually carry.
 */
export const DEFAULT_TUNNEL: Required<Omit<TunnelSpec, 'ecnOfEdges'>> = {
  ecn: 'normal',
  dataEcn: 'ect0',
  routersMark: 'ect',
  mtuBytes: 9000,
};
/** `pauseTimeUs`: the longest PFC pause at 100 Gb/s, 65,535 quanta of 512 bits (IEEE 802.1Qbb). */
export const DEFAULT_WAN_FLOW_CONTROL: Required<Omit<WanFlowControlSpec, 'refreshUs' | 'xoffBytes' | 'xonBytes'>> = {
  kind: 'pfc',
  level: 'service',
  pauseTimeUs: 335,
  gateways: 'pfc',
  resumes: true,
};
