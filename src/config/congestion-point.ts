/**
 * Parameters of a congestion point: names, defaults with their sources, validation, and the record that the wasm code
 * reads.
 */
import { RoceError } from '../errors.js';
import { checkField, checkFields, checkTogether, flag, inRange, notAbove, numberIn, wholeIn, type CrossRule,
  type FieldRules } from './field-rules.js';
import { CP_SWITCH_ENABLED, CP_SWITCH_MARK_WHEN_LIMITED, CP_SWITCH_MARK_WHEN_UNKNOWN } from '../abi/codes.js';
import { CONGESTION_POINT } from '../abi/records/congestion-point.js';
import { writeFields } from '../abi/records/define-record.js';

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
