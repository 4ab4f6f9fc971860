/** Size of the network, which the host states from SIM_CAPACITY_ADDRESS on (layout.ts) before `initialise`. */
import { defineSlots, u32 } from './define-record.js';

/** 0 where a plan has none of what is counted. */
export const SIM_CAPACITY = /* @__PURE__ */ defineSlots('SIM_CAPACITY', u32, {
  nodes: 1,
  ports: 1,
  flows: 1,
  /** Words of the routes, and of the groups that they name. */
  routeWords: 1,
  groupWords: 1,
  linkEvents: 1,
  /** Packet records; 0 = none are written. */
  traceRecords: 1,
  /** Switches that send Fast CNPs, and token buckets of all their ports and flows. */
  congestionPoints: 1,
  buckets: 1,
  /** Log2 of the slots of the event queue's wheel. */
  wheelBits: 1,
  /** 1: fidelity `reference-lossy`. */
  lossy: 1,
  /** Paths between leaves, and words of their records. */
  paths: 1,
  pathWords: 1,
  flowlets: 1,
  forcedDrops: 1,
  /** Generators of link errors. */
  generators: 1,
  /** 1: DRILL's table of ports is needed. */
  drill: 1,
  /** Operations of a graph, the dependencies between them, their lanes, channels and queues. */
  operations: 1,
  edges: 1,
  lanes: 1,
  channels: 1,
  operationQueues: 1,
  /** Bytes of the region of load balancing under `standard`. */
  balancing: 1,
  /** Bytes of records and rings of flows with another transport than the default. */
  transportBytes: 1,
  /** 1: the run is over when all operations are done. */
  endsWithJobs: 1,
  /** Messages that share records; 0 = each flow has its own record. Their patterns, and their jobs. */
  messages: 1,
  patterns: 1,
  messageJobs: 1,
  /** 1: there are pools of lossy classes. */
  pools: 1,
  /** A WAN with tunnels: 1, and the number of services. */
  services: 1,
  /** Ports with ARNs. */
  arnPorts: 1,
  /** PFC's hazards: 1, and the number of pause storms. */
  hazards: 1,
  /** Keys of each port with ARNs. */
  arnKeys: 1,
  /** Switches, which have a row each in the routes. */
  switches: 1,
  /** 1: some QP carries several messages. */
  connections: 1,
  /** Flows whose sender checks for losses by time (`tolerant`): all of them, or 0. */
  lossChecks: 1,
  /** 1: each flow has a record of its verb. */
  verbs: 1,
  /** 1: each flow has a record of its agent. */
  agents: 1,
  /** Bytes of the region of custom congestion points. */
  points: 1,
  /** Flows for which there is memory, and which are added while the run goes (`simAddStarts`). */
  reservedFlows: 1,
  /** Length of all QP lists; 0 = as many as flows. */
  listEntries: 1,
  /** 1: switches trim packets. */
  trimming: 1,
  /** 1: receivers of some flow grant credit. */
  receiverCredit: 1,
  /** Flows whose sender may probe paths (`entropy-states`): all of them, or 0. */
  probes: 1,
});
