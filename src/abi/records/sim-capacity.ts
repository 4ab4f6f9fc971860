/** Size of the network, written by the host at SIM_CAPACITY_ADDRESS (layout.ts) before `initialise`. */
import { defineSlots, u32 } from './define-record.js';

/** Counts; 0 if a plan has none. */
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
