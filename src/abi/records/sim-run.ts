/** A run as a whole: size of the network, settings, and counters. */
import { defineSlots, u32, f64, type SlotValues } from './define-record.js';

/**
 * Size of the network, written by the host at SIM_CAPACITY_ADDRESS (src/abi/layout.ts) before `initialise`. Counts; 0
 * if a plan has none.
 */
export const SIM_CAPACITY = /* @__PURE__ */ defineSlots('SIM_CAPACITY', u32, {
  nodes: 1,
  ports: 1,
  flows: 1,
  /** Words of the routes, and of the groups that they refer to. */
  routeWords: 1,
  groupWords: 1,
  linkEvents: 1,
  /** Maximum number of packet trace records; 0 = no trace. */
  traceRecords: 1,
  /** Switches that send Fast CNPs; token buckets of all their ports and flows. */
  congestionPoints: 1,
  buckets: 1,
  /** Log2 of the number of slots of the event queue's wheel. */
  wheelBits: 1,
  /** 1: fidelity `reference-lossy`. */
  lossy: 1,
  /** Paths between leaves; words of their records. */
  paths: 1,
  pathWords: 1,
  flowlets: 1,
  forcedDrops: 1,
  /** Random generators for link errors. */
  generators: 1,
  /** 1: DRILL's table of ports is needed. */
  drill: 1,
  /** Operations of a graph; dependencies between them; lanes; channels; queues. */
  operations: 1,
  edges: 1,
  lanes: 1,
  channels: 1,
  operationQueues: 1,
  /** Bytes of the region of load balancing under `standard`. */
  balancing: 1,
  /** Bytes of records and rings of flows with a non-default transport. */
  transportBytes: 1,
  /** 1: the run ends when all operations are done. */
  endsWithJobs: 1,
  /** Messages that share records (0 = each flow has a separate record); their patterns; their jobs. */
  messages: 1,
  patterns: 1,
  messageJobs: 1,
  /** 1: there are pools of lossy classes. */
  pools: 1,
  /** A WAN with tunnels: 1; number of services. */
  services: 1,
  /** Number of ports with ARNs. */
  arnPorts: 1,
  /** PFC hazards: 1; number of pause storms. */
  hazards: 1,
  /** Keys of each port with ARNs. */
  arnKeys: 1,
  /** Number of switches, each with a row in the routes. */
  switches: 1,
  /** 1: some QP carries several messages. */
  connections: 1,
  /** Number of flows if senders check for losses by time (`tolerant`), else 0. */
  lossChecks: 1,
  /** 1: each flow has a record of its verb. */
  verbs: 1,
  /** 1: each flow has a record of its agent. */
  agents: 1,
  /** Bytes of the region of custom congestion points. */
  points: 1,
  /** Reserved flows, which `simAddStarts` adds during the run. */
  reservedFlows: 1,
  /** Total length of all QP lists; 0 = number of flows. */
  listEntries: 1,
  /** 1: switches trim packets. */
  trimming: 1,
  /** 1: some receivers grant credit. */
  receiverCredit: 1,
  /** Number of flows if senders may probe paths (`entropy-states`), else 0. */
  probes: 1,
  /** Pairs of hosts with port status updates, one in each direction. */
  statusPairs: 1,
});

/** Settings, which the host writes into the region SIM_RULES. Booleans are 0 and 1. */
export const SIM_RULE = /* @__PURE__ */ defineSlots('RULE', f64, {
  /** Round serialisation times as the ns-3 reference simulator does. */
  txNs3: 1,
  free1: 1,
  wireOverheadBytes: 1,
  pauseBytes: 1,
  cnpBytes: 1,
  fastCnpBytes: 1,
  /** Receivers send CNPs; if 0, ACKs echo the marks. */
  cnpPackets: 1,
  free7: 1,
  cnpClass: 1,
  /** Classes below this number have strict priority over all others. */
  strictClasses: 1,
  markAtEnqueue: 1,
  markEctOnly: 1,
  /** Kind of telemetry, TELEMETRY_*. */
  telemetry: 1,
  intMultiplier: 1,
  nakIntervalPs: 1,
  free15: 1,
  pacing: 1,
  resumeOffsetBytes: 1,
  reservedBytes: 1,
  /** The fidelity is that of a reference simulator. */
  reference: 1,
  seed: 1,
  /** Telemetry records per packet: switches on the longest path. */
  hops: 1,
  /** Log2 of picoseconds per slot of the event queue's wheel. */
  slotShift: 1,
  /** T of HPCC-PINT's switches; 0 = no PINT. */
  pintRttPs: 1,
  /** Logarithm base of PINT's encoding; its largest value. */
  pintBase: 1,
  pintMax: 1,
  /** Switches copy the telemetry of the path so far into their Fast CNPs. */
  fastCnpTelemetry: 1,
  /** Class whose pause blocks a host's ACKs; 0: none; SIM_NONE: the ACKs' own class. */
  ackPauseClass: 1,
  /** In the first bytes of a flow, ACKs are sent only at multiples of the chunk; 0: no such phase. */
  delayedAckBytes: 1,
  delayedAckChunkBytes: 1,
  /** For `reference-lossy`, as are all up to `checkEveryPs`: losses are repaired by IRN. */
  irn: 1,
  irnWindowBytes: 1,
  irnTimeoutLowPs: 1,
  irnTimeoutHighPs: 1,
  backToZeroBytes: 1,
  pauseTimePs: 1,
  /** Some switch sends PFC pauses. */
  anyPfc: 1,
  /** Balancing rule, BALANCING_*. */
  balancing: 1,
  /** Times of ConWeave. */
  expiryPs: 1,
  replyExtraPs: 1,
  pathPausePs: 1,
  flushExtraPs: 1,
  defaultWaitPs: 1,
  checkFromPs: 1,
  checkEveryPs: 1,
  /** Bit per class with guaranteed memory at each port; how many times it is reserved there. */
  guaranteedClasses: 1,
  timesSetAside: 1,
  /** SIM_NONE: among a host's flows, the one that began first sends next; 0: round-robin. */
  firstComeMask: 1,
  /** Bytes of the SACK field of responses under `standard`: IRN 8, `tolerant` 16, MRC 32; 0: no SACK field. */
  sackBytes: 1,
  /** Idle time (nothing in flight) after which a QP restarts at line rate; infinite: never. */
  idleRestartPs: 1,
  /** Length of a trimmed packet; its class; bit per class whose data is trimmed. */
  trimBytes: 1,
  trimClass: 1,
  trimClasses: 1,
  /** Length of a credit packet. */
  creditPacketBytes: 1,
});

/** Values of some rules. */
export type RuleValues = SlotValues<typeof SIM_RULE>;

/** Counters of the whole network, in the region SIM_TOTALS: packets, unless a name says otherwise. */
export const SIM_TOTAL = /* @__PURE__ */ defineSlots('TOTAL', f64, {
  packetsIn: 1,
  packetsOut: 1,
  bytesIn: 1,
  bytesOut: 1,
  bytesDropped: 1,
  /** Drops by reason, from DROP_BUFFER to DROP_CORRUPT. */
  drops: 5,
  /** Packets created, by kind. */
  kinds: 8,
  timeouts: 1,
  events: 1,
  hops: 1,
  flowsDone: 1,
  /** Bytes delivered. */
  delivered: 1,
  flowsFailed: 1,
  operationsDone: 1,
  /** Records of shared flows used so far. */
  recordsUsed: 1,
  /** Packets trimmed; bytes cut off; trimmed packets dropped. */
  trimmed: 1,
  bytesTrimmed: 1,
  trimmedDropped: 1,
  /** Credit: packets received by senders; packets dropped; quanta granted; bytes sent by senders under credit. */
  creditsReceived: 1,
  creditsDropped: 1,
  creditQuanta: 1,
  creditBytesUsed: 1,
  free33: 5,
  /** MRC: endpoint responses and requests made, as of kinds PACKET_ENDPOINT_*. */
  endpointResponses: 1,
  endpointRequests: 1,
  /** MRC: probes made, as of kind PACKET_PROBE; those that were acknowledged, and those that were not before the next one. */
  probes: 1,
  probesAcknowledged: 1,
  probesLost: 1,
  free43: 1,
  /** Drops by reason, from DROP_BIT_ERRORS on. */
  hazardDrops: 6,
  /**
   * Created packets of PACKET_ARN, PACKET_READ_REQUEST, PACKET_RNR_NAK, PACKET_NACK and PACKET_CREDIT, at index `kinds`
   * + kind.
   */
  lateKinds: 5,
});

export type TotalName = keyof typeof SIM_TOTAL['index'];
