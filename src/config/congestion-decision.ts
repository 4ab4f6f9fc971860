/** Input and output of a congestion point; shared by engine.wasm and the readable model. */
import { CP_BAD_ARGUMENT, CP_DISABLED, CP_FAST_CNP, CP_FLOW_LIMITED, CP_IPV4, CP_NOT_CONGESTED, CP_NOT_ECT,
  CP_PORT_LIMITED, CP_SENDER_UNABLE } from '../abi/codes.js';
import { namesByCode } from '../abi/names.js';
import type { CongestionPointConfig } from './congestion-point.js';

/** Whether a sender can process Fast CNPs, as far as the switch knows. */
export type SenderCapability = 'unknown' | 'able' | 'unable';

/** The CP_* code of each reason. */
export const REASON_CODES = {
  'not-congested': CP_NOT_CONGESTED,
  'fast-cnp': CP_FAST_CNP,
  disabled: CP_DISABLED,
  ipv4: CP_IPV4,
  'sender-unable': CP_SENDER_UNABLE,
  'flow-limited': CP_FLOW_LIMITED,
  'port-limited': CP_PORT_LIMITED,
  'not-ect': CP_NOT_ECT,
  'bad-argument': CP_BAD_ARGUMENT,
} as const;

/** Reason for a decision; each is one CP_* code. */
export type CongestionReason = keyof typeof REASON_CODES;

/** Reasons by their CP_* code. */
export const REASON_NAMES: readonly (CongestionReason | undefined)[] = namesByCode(REASON_CODES);

/** One packet at an egress queue. */
export interface CongestionEvent {
  /** Picoseconds, 0..TIME_MAX_PS. */
  readonly timePs: number;
  /** Index of the egress port, 0..ports - 1. */
  readonly port: number;
  /** Flow index, 0..flows - 1; the caller decides what a flow is. */
  readonly flow: number;
  /** Length of the egress queue, bytes, >= 0. */
  readonly queueBytes: number;
  /** ECN field of the packet: 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE. */
  readonly ecn: number;
  /** Whether the packet's sender can process Fast CNPs. */
  readonly capability: SenderCapability;
  /** Whether it is an IPv6 packet; only IPv6 packets trigger Fast CNPs. */
  readonly isIpv6: boolean;
}

/** What to do with the packet. */
export interface CongestionDecision {
  /** Whether to set the packet's ECN field to CE (11). */
  readonly markCe: boolean;
  /** Whether to send a Fast CNP to the packet's sender. */
  readonly sendFastCnp: boolean;
  /** Reason for the decision. */
  readonly reason: CongestionReason;
}

/** Decides for each packet whether to mark it or to send a Fast CNP. */
export interface CongestionPoint {
  /** Complete settings, including defaults. */
  readonly config: CongestionPointConfig;
  /** Decides on one packet: mark it, send a Fast CNP, both, or neither. */
  decide(event: CongestionEvent): CongestionDecision;
}

/** A replacement for engine.wasm that makes congestion points: `referenceBackend` of roce-cc/reference. */
export interface CongestionPointBackend {
  /** Makes a congestion point with these settings. */
  createCongestionPoint(ports: number, flows: number, config: Partial<CongestionPointConfig>): CongestionPoint;
}
