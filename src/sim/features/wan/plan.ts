/** A WAN with tunnels, in the form that the kernel reads. Nodes, ports, services and flows are identified by index. */

/** The WAN of a plan; omitted if there are no provider edges. */
export interface WanPlan {
  /** Domain of each node: data centre 0 or 1; 2: the WAN. */
  readonly domains: readonly number[];
  /** Provider edges of `dc0` and of `dc1`. */
  readonly edges: readonly [readonly number[], readonly number[]];
  /** Provider edges that write Not-ECT into the outer header. */
  readonly compatibilityEdges: readonly number[];
  /** ECN field of data as senders write it, 0 to 2. */
  readonly dataEcn: number;
  /** Whether nodes of the WAN also mark packets that are not ECN-capable. */
  readonly marksAll: boolean;
  /** Longest IP packet on links of the WAN. */
  readonly mtuBytes: number;
  /** Tunnels. */
  readonly services: readonly WanServicePlan[];
  /** Index of each flow's service. */
  readonly serviceOfFlow: readonly number[];
  /** Borders between domains, and the switches whose Fast CNPs they permit. */
  readonly borders: readonly WanBorderPlan[];
  /** Bytes that END.CON puts before a Fast CNP. */
  readonly wrapperBytes: number;
  /** Flow control between the ports of the WAN. */
  readonly flowControl: WanFlowControlPlan;
}

/** A tunnel between two provider edges in both directions. */
export interface WanServicePlan {
  /** Its name. */
  readonly name: string;
  /** Provider edges of `dc0` and `dc1`. */
  readonly edges: readonly [number, number];
  /** Routers that its packets are routed through, from `dc0` to `dc1`. */
  readonly segments: readonly number[];
  /** Bytes of the outer headers. */
  readonly overheadBytes: number;
}

/** A gateway or provider edge, and the switches whose Fast CNPs it permits into and out of its domain. */
export interface WanBorderPlan {
  /** Index of the node. */
  readonly node: number;
  /** Indices of switches whose Fast CNPs may enter the domain. */
  readonly permitIn: readonly number[];
  /** Indices of switches whose Fast CNPs may leave the domain. */
  readonly permitOut: readonly number[];
}

/** Flow control of the WAN. */
export interface WanFlowControlPlan {
  /** What an ARN pauses. */
  readonly level: 'service' | 'flow' | 'priority';
  /** How long an ARN pauses, picoseconds. */
  readonly pauseTimePs: number;
  /** Refresh time of ARNs, picoseconds. */
  readonly refreshPs: number;
  /** Whether resuming ARNs are sent. */
  readonly resumes: boolean;
  /** Length of an ARN frame. */
  readonly arnBytes: number;
  /** Ports without pause frames. */
  readonly ports: readonly WanPortPlan[];
}

/** A port of the WAN that has no pause frames. */
export interface WanPortPlan {
  /** Index of the port. */
  readonly port: number;
  /** Its flow control instead of pause frames. */
  readonly control: 'arn' | 'none';
  /** Buffered bytes of a service, flow or priority from which it is paused. */
  readonly xoffBytes: number;
  /** Buffered bytes at which it may resume. */
  readonly xonBytes: number;
}
