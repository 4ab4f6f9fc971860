/** Settings of a WAN with tunnels: nodes and links, tunnels, services, access lists, flow control. Fidelity `standard` only. */
import type { LinkSpec } from './link-spec.js';

/**
 * The WAN between two data centres. Rate and delay are those of each of its links. With `edges` it has the roles of
 * draft-hu-rtgwg-rocev2-fcn-00, figure 1: gateways `dc0.gateway`, `dc1.gateway`; provider edges `pe0`, `pe1`, …, those of `dc0`
 * first; routers `r0`, `r1`, …, path by path. Without, it is one link between the border switches `wan0` and `wan1`.
 */
export interface WanTopologySpec extends LinkSpec {
  /** Provider edges of each data centre, 1 to 16. Default: none, and no tunnels. */
  readonly edges?: number;
  /** Rows of routers side by side, each linked to all provider edges; 1 to 64. Default 1. */
  readonly paths?: number;
  /** Routers in a row, 1 to 16. Default 1. */
  readonly routers?: number;
  /** Links of each row from `dc0` to `dc1`, routers + 1 of them; unset keys are as at the WAN's own. */
  readonly links?: readonly LinkSpec[];
  /** Links between gateways and provider edges. Default: as those between leaves and spines. */
  readonly access?: LinkSpec;
}

/** Settings of the nodes of a WAN with provider edges. */
export interface WanSpec {
  /** The tunnels. */
  readonly tunnel?: TunnelSpec;
  /** Separate tunnels for some of the flows; the first that matches a flow. The others share a service `default`. */
  readonly services?: readonly ServiceSpec[];
  /** Switches whose Fast CNPs pass the borders. Default: none, as draft-xiao-rtgwg-rocev2-fast-cnp-01, section 5 requires. */
  readonly accessLists?: readonly AccessListSpec[];
  /** How the WAN keeps buffers from overflowing. */
  readonly flowControl?: WanFlowControlSpec;
}

/** RoCEv2 over IPv6 encapsulated in IPv6. */
export interface TunnelSpec {
  /** The outer ECN field at the entry (RFC 6040): copied, or Not-ECT. Default `normal`, which the draft requires. */
  readonly ecn?: 'normal' | 'compatibility';
  /** Provider edges with another mode, by name. */
  readonly ecnOfEdges?: Readonly<Record<string, 'normal' | 'compatibility'>>;
  /** ECN field of data as senders write it. Default `ect0`. */
  readonly dataEcn?: 'ect0' | 'ect1' | 'not-ect';
  /** Which packets congested nodes of the WAN mark: ECN-capable ones, or, against RFC 3168, all. Default `ect`. */
  readonly routersMark?: 'ect' | 'all';
  /** Longest IP packet on links of the WAN, 1,280 to 65,535 bytes. Default 9,000. */
  readonly mtuBytes?: number;
}

/** A tunnel between two provider edges, both ways. */
export interface ServiceSpec {
  /** Its name. */
  readonly name: string;
  /** Flows with one of these hosts at either end belong to it. Default: any. */
  readonly hosts?: readonly string[];
  /** Flows with data in one of these classes belong to it, 1 to 7. Default: any. */
  readonly trafficClasses?: readonly number[];
  /** Provider edges of `dc0` and `dc1`. Default: the first of each. */
  readonly edges?: readonly [string, string];
  /** Routers that a Segment Routing Header names, from `dc0` to `dc1`. Default: none, and no such header. */
  readonly via?: readonly string[];
}

/** Switches whose Fast CNPs a border lets through, out of its domain or into it. Lists for one node add up. */
export interface AccessListSpec {
  /** `gateways`, `edges`, or the name of one of them. */
  readonly at: string;
  /** `in`: into its own domain; `out`: out of it. Default: both. */
  readonly direction?: 'in' | 'out';
  /** Switches whose Fast CNPs pass, by name, or all of a domain: `dc0`, `dc1`, `wan`. */
  readonly permit: readonly string[];
}

/** Flow control on the links of the WAN. */
export interface WanFlowControlSpec {
  /** `pfc`: pause frames, hop by hop; `arn`: pauses of a service, flow or priority; `none`. Default `pfc`. */
  readonly kind?: 'pfc' | 'arn' | 'none';
  /** What an ARN pauses: draft-hu-rtgwg-rocev2-fcn-00, section 4.1.2. Default `service`. */
  readonly level?: 'service' | 'flow' | 'priority';
  /** How long an ARN pauses, us, at most 2^32 - 1. Default 335: as the longest PFC pause at 100 Gb/s. */
  readonly pauseTimeUs?: number;
  /** Refresh time of ARNs while the congestion lasts, us; below `pauseTimeUs`. Default: half of that. */
  readonly refreshUs?: number;
  /** Bytes of a service, flow or priority, by port of arrival, from which on it is paused. Default: Kmax of the port. */
  readonly xoffBytes?: number;
  /** Bytes at which it may resume. Default: Kmin of the port. */
  readonly xonBytes?: number;
  /** What gateways support: `arn`, or only pause frames. Default `pfc`. */
  readonly gateways?: 'pfc' | 'arn';
  /** Whether resuming ARNs are sent. Default true; if not, pauses end when their time expires. */
  readonly resumes?: boolean;
}
