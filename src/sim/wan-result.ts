/** The WAN of a run's result. Times in picoseconds. */

/** Tunnels, borders and ARNs of a run. */
export interface WanResult {
  /** Gateways, provider edges and routers at which any of this happened. */
  readonly nodes: readonly WanNodeResult[];
  /** Services in the order in which flows are matched with them; the last is `default`. */
  readonly services: readonly WanServiceResult[];
  /** Ports that sent or received ARNs. Absent: there are none. */
  readonly arnPorts?: readonly ArnPortResult[];
  /** What ARNs held, longest first. Absent: nothing. */
  readonly held?: readonly HeldResult[];
}

/** Counters of a node for tunnels, and for Fast CNPs at a border. */
export interface WanNodeResult {
  /** Name of the node. */
  readonly node: string;
  /** Packets that entered a tunnel here. */
  readonly encapsulated: number;
  /** Packets that left a tunnel here, including those dropped because of their ECN fields. */
  readonly decapsulated: number;
  /** Fast CNPs sent from here to the END.CON SID of a provider edge. */
  readonly endConSent: number;
  /** Fast CNPs that arrived at an END.CON SID here. */
  readonly endConReceived: number;
  /** Fast CNPs that the access list denied on their way into the domain. */
  readonly fastCnpsDeniedIn: number;
  /** The same on their way out of it. */
  readonly fastCnpsDeniedOut: number;
  /** Packets whose inner and outer ECN fields are an unused combination: (!) of RFC 6040. */
  readonly ecnUnused: number;
  /** Packets with a potentially dangerous one, (!!!); those dropped among them. */
  readonly ecnDangerous: number;
  /** Packets dropped: outer CE over inner Not-ECT. */
  readonly ecnDropped: number;
}

/** A service, which is a tunnel both ways. */
export interface WanServiceResult {
  /** Name of the service. */
  readonly name: string;
  /** Names of its provider edges of `dc0` and `dc1`. */
  readonly edges: readonly string[];
  /** Names of the routers that its packets are routed through. */
  readonly via: readonly string[];
  /** Bytes of its outer headers. */
  readonly overheadBytes: number;
  /** Flows across the WAN that belong to it. */
  readonly flows: number;
}

/** ARNs of a port. */
export interface ArnPortResult {
  /** Name of the port. */
  readonly port: string;
  /** ARNs that it sent to begin a pause. */
  readonly arnsSent: number;
  /** ARNs that it repeated while the congestion lasted. */
  readonly arnsRefreshed: number;
  /** ARNs that it sent to end a pause. */
  readonly arnResumes: number;
  /** ARNs that it received. */
  readonly arnsReceived: number;
  /** Pauses of its egress queues that expired. */
  readonly arnsExpired: number;
  /** How long its egress queues were held, summed over services, flows or classes. */
  readonly heldPs: number;
}

/** A service, flow or class that ARNs held. */
export interface HeldResult {
  /** What ARNs of this run hold. */
  readonly level: 'service' | 'flow' | 'priority';
  /** Index of the service or flow, or the class. */
  readonly key: number;
  /** Name of the service; the index of others. */
  readonly name: string;
  /** How long, picoseconds, summed over ports. */
  readonly heldPs: number;
}
