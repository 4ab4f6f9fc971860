/**
 * A congestion point: parameters with defaults, their sources, validation, and the record that the wasm code reads; input
 * and output, shared by engine.wasm and the readable model.
 */
import { CP_SWITCH_ENABLED, CP_SWITCH_MARK_WHEN_LIMITED, CP_SWITCH_MARK_WHEN_UNKNOWN, CP_BAD_ARGUMENT, CP_DISABLED,
  CP_FAST_CNP, CP_FLOW_LIMITED, CP_IPV4, CP_NOT_CONGESTED, CP_NOT_ECT, CP_PORT_LIMITED,
  CP_SENDER_UNABLE } from '../abi/congestion-point-codes.js';
import { namesByCode } from '../abi/names.js';
import { CONGESTION_POINT } from '../abi/records/congestion-point.js';
import { writeFields } from '../abi/records/fields.js';
import { RoceError } from '../errors.js';
import { checkField, checkFields, checkTogether, flag, inRange, notAbove, numberIn, wholeIn, type CrossRule,
  type FieldRules } from './field-rules.js';

/** At which queue lengths packets are marked (SIGCOMM 2015, section 3.1). */
export interface MarkingProfile {
  /** No packet is marked up to this queue length, bytes, >= 0. */
  readonly kminBytes: number;
  /** Every packet is marked above this queue length, bytes, >= kminBytes; equal = a step function. */
  readonly kmaxBytes: number;
  /** Marking probability at kmaxBytes, 0..1. */
  readonly pmax: number;
}

/** Parameters of a congestion point. */
export interface CongestionPointConfig extends MarkingProfile {
  /** Whether Fast CNPs are sent. */
  readonly enabled: boolean;
  /** Rate limit of Fast CNPs per flow, per second, >= 0. */
  readonly flowRatePerSecond: number;
  /** Fast CNPs that one flow may cause in a burst, >= 1. */
  readonly flowBurst: number;
  /** Rate limit of Fast CNPs per port, per second, >= 0. */
  readonly portRatePerSecond: number;
  /** Fast CNPs that one port may cause in a burst, >= 1. */
  readonly portBurst: number;
  /** Whether to CE-mark the packet too if the sender's Fast CNP ability is unknown. */
  readonly markWhenUnknown: boolean;
  /** Whether to CE-mark the packet if a rate limit suppresses its Fast CNP. */
  readonly markWhenLimited: boolean;
  /** Seed of the marking decisions, a 32-bit unsigned integer. */
  readonly seed: number;
}

/**
 * Defaults. `enabled`: off by default is a MUST (Fast CNP draft, section 5). `markWhenUnknown`: a MAY (section 4), on,
 * because a sender without Fast CNPs would get no other signal. `markWhenLimited`: off, because a sender with Fast CNPs
 * has just received one, and section 4 does not mark packets of such senders. Marking: the paper's values at 40 Gb/s
 * (SIGCOMM 2015, section 5). Flow limit: one per 50 us, the paper's CNP interval N (section 3.1). Port limit: our own
 * choice, the draft names none: 10^6 Fast CNPs of 118 bytes are 0.94 Gb/s. A scenario's switches have the same defaults.
 */
export const congestionPointDefaults: CongestionPointConfig = Object.freeze({
  enabled: false,
  kminBytes: 5_000,
  kmaxBytes: 200_000,
  pmax: 0.01,
  flowRatePerSecond: 20_000,
  flowBurst: 1,
  portRatePerSecond: 1_000_000,
  portBurst: 64,
  markWhenUnknown: true,
  markWhenLimited: false,
  seed: 1,
});

const LINK_RATE_RULE = inRange({ above: 0, below: Infinity, unit: 'bits per second' });
const BYTES_RULE = numberIn(0, Number.MAX_SAFE_INTEGER, 'bytes');
const RULES: FieldRules<CongestionPointConfig> = {
  kminBytes: BYTES_RULE,
  kmaxBytes: BYTES_RULE,
  pmax: numberIn(0, 1),
  flowRatePerSecond: numberIn(0, 1e12),
  flowBurst: numberIn(1, 1e9),
  portRatePerSecond: numberIn(0, 1e12),
  portBurst: numberIn(1, 1e9),
  seed: wholeIn(0, 0xffffffff),
  enabled: flag(),
  markWhenUnknown: flag(),
  markWhenLimited: flag(),
};
const CROSS_RULES: readonly CrossRule<CongestionPointConfig>[] = [notAbove('kminBytes', 'kmaxBytes', 'Kmax')];

/**
 * The marking profile used in production by the HPCC authors: Kmin = 100 KB and Kmax = 400 KB per 25 Gb/s of link
 * rate, Pmax = 0.2 (HPCC simulator, run.py).
 * @param linkRateBps bits per second, > 0
 * @throws RoceError `invalid-config` if the rate is not a positive finite number
 */
export function productionMarkingProfile(linkRateBps: number): MarkingProfile {
  checkField(linkRateBps, LINK_RATE_RULE, 'congestionPoint.linkRateBps');
  const scale = linkRateBps / 25e9;
  return { kminBytes: 100_000 * scale, kmaxBytes: 400_000 * scale, pmax: 0.2 };
}

/**
 * Applies `overrides` to the defaults and validates the result.
 * @throws RoceError `invalid-config` naming the parameter
 */
export function resolveCongestionPointConfig(overrides: Partial<CongestionPointConfig> = {}): CongestionPointConfig {
  const config = checkFields<CongestionPointConfig>({ ...congestionPointDefaults, ...overrides }, RULES,
    'congestionPoint');
  return Object.freeze(checkTogether(config, CROSS_RULES, 'congestionPoint'));
}

/** Writes the configuration part of a congestion point's record, for the wasm code. */
export function writeCongestionPointConfig(memory: DataView, base: number, config: CongestionPointConfig): void {
  if (base < 0 || base + CONGESTION_POINT.bytes > memory.byteLength) {
    throw new RoceError('invalid-argument', {
      what: 'the place of the record',
      got: base,
      allowed: { min: 0, max: memory.byteLength - CONGESTION_POINT.bytes },
      where: 'congestionPoint record',
    });
  }
  const { kminBytes, kmaxBytes, pmax, flowRatePerSecond, flowBurst, portRatePerSecond, portBurst, seed } = config;
  writeFields(memory, base, CONGESTION_POINT, {
    kminBytes,
    kmaxBytes,
    pmax,
    flowRatePerSecond,
    flowBurst,
    portRatePerSecond,
    portBurst,
    switches: switchesOf(config),
    seed,
  });
}

function switchesOf(config: CongestionPointConfig): number {
  return ((config.enabled ? CP_SWITCH_ENABLED : 0) |
    (config.markWhenUnknown ? CP_SWITCH_MARK_WHEN_UNKNOWN : 0) |
    (config.markWhenLimited ? CP_SWITCH_MARK_WHEN_LIMITED : 0));
}

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
