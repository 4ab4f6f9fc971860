/**
 * Parameters of a congestion point: names, defaults with their sources, validation, and the record that the wasm code
 * reads.
 */
import { RoceError } from '../errors.js';
import { CP_BYTES, CP_FLOW_BURST, CP_FLOW_RATE, CP_KMAX, CP_KMIN, CP_PMAX, CP_PORT_BURST, CP_PORT_RATE, CP_SEED,
  CP_SWITCHES, CP_SWITCH_ENABLED, CP_SWITCH_MARK_WHEN_LIMITED,
  CP_SWITCH_MARK_WHEN_UNKNOWN } from '../abi/congestion-point-codes.js';

/** When a queue marks (SIGCOMM 2015, section 3.1). */
export interface MarkingProfile {
  /** Up to this queue length nothing is marked, bytes, >= 0. */
  readonly kminBytes: number;
  /** Above this queue length everything is marked, bytes, >= kminBytes; equal = a pure step. */
  readonly kmaxBytes: number;
  /** Probability at kmaxBytes, 0..1. */
  readonly pmax: number;
}

/** Parameters of a congestion point. */
export interface CongestionPointConfig extends MarkingProfile {
  /** Is the Fast CNP feature on? */
  readonly enabled: boolean;
  /** Fast CNPs per second of one flow, >= 0. */
  readonly flowRatePerSecond: number;
  /** Fast CNPs that a flow may cause at once after a rest, >= 1. */
  readonly flowBurst: number;
  /** Fast CNPs per second of one port, >= 0. */
  readonly portRatePerSecond: number;
  /** Fast CNPs that a port may cause at once after a rest, >= 1. */
  readonly portBurst: number;
  /** Sender of unknown ability: CE mark beside the Fast CNP. */
  readonly markWhenUnknown: boolean;
  /** The buckets refuse a Fast CNP: CE mark in its place. */
  readonly markWhenLimited: boolean;
  /** Seed of the marking decisions, a 32-bit unsigned integer. */
  readonly seed: number;
}

/**
 * Defaults. `enabled`: off by default is a MUST (Fast CNP draft, section 5). `markWhenUnknown`: a MAY (section 4), on,
 * because an unable sender would hear of nothing else. `markWhenLimited`: off, because an able sender has heard of the
 * congestion a moment ago, and section 4 keeps marks from such senders. Marking: the paper's values at 40 Gb/s
 * (SIGCOMM 2015, section 5). Flow limit: one per 50 us, the paper's CNP interval N (section 3.1). Port limit: our own
 * choice, the draft names none: 10^6 Fast CNPs of 118 bytes are 0.94 Gb/s.
 */
export const congestionPointDefaults: CongestionPointConfig = Object.freeze({
  enabled: false,
  kminBytes: 5_000,
  kmaxBytes: 200_000,
  pmax: 0.01,
  flowRatePerSecond: 20_000,
  flowBurst: 1,
  portRatePerSecond: 1_000_000,
  portBurst: 128,
  markWhenUnknown: true,
  markWhenLimited: false,
  seed: 1,
});

/**
 * The marking profile used in production by the HPCC authors: Kmin = 100 KB and Kmax = 400 KB per 25 Gb/s of link
 * rate, Pmax = 0.2 (HPCC simulator, run.py).
 * @param linkRateBps bits per second, > 0
 * @throws RoceError `invalid-config` if the rate is not a positive finite number
 */
export function productionMarkingProfile(linkRateBps: number): MarkingProfile {
  if (!(linkRateBps > 0) || linkRateBps === Infinity) {
    throw invalid('linkRateBps', linkRateBps, 'a positive finite number of bits per second');
  }
  const scale = linkRateBps / 25e9;
  return { kminBytes: 100_000 * scale, kmaxBytes: 400_000 * scale, pmax: 0.2 };
}

/**
 * The defaults with `overrides` on top, checked by name.
 * @throws RoceError `invalid-config` naming the parameter
 */
export function resolveCongestionPointConfig(overrides: Partial<CongestionPointConfig> = {}): CongestionPointConfig {
  const config = { ...congestionPointDefaults, ...overrides };
  for (const name of Object.keys(config)) {
    if (!(name in congestionPointDefaults)) {
      throw invalid(name, 'this name', `one of ${Object.keys(congestionPointDefaults).join(', ')}`);
    }
  }
  requireNumber('kminBytes', config.kminBytes, 0, Number.MAX_SAFE_INTEGER);
  requireNumber('kmaxBytes', config.kmaxBytes, config.kminBytes, Number.MAX_SAFE_INTEGER);
  requireNumber('pmax', config.pmax, 0, 1);
  requireNumber('flowRatePerSecond', config.flowRatePerSecond, 0, 1e12);
  requireNumber('flowBurst', config.flowBurst, 1, 1e9);
  requireNumber('portRatePerSecond', config.portRatePerSecond, 0, 1e12);
  requireNumber('portBurst', config.portBurst, 1, 1e9);
  requireNumber('seed', config.seed, 0, 0xffffffff);
  if (!Number.isInteger(config.seed)) throw invalid('seed', config.seed, 'a 32-bit unsigned integer');
  requireBoolean('enabled', config.enabled);
  requireBoolean('markWhenUnknown', config.markWhenUnknown);
  requireBoolean('markWhenLimited', config.markWhenLimited);
  return Object.freeze(config);
}

/** Writes the configuration part of a congestion point's record (CP_* offsets), for the wasm code. */
export function writeCongestionPointConfig(memory: DataView, base: number, config: CongestionPointConfig): void {
  if (base < 0 || base + CP_BYTES > memory.byteLength) {
    throw new RoceError('invalid-argument', 'no room for the record', {
      got: base,
      allowed: `0..${memory.byteLength - CP_BYTES}`,
      where: 'congestionPoint record',
    });
  }
  memory.setFloat64(base + CP_KMIN, config.kminBytes, true);
  memory.setFloat64(base + CP_KMAX, config.kmaxBytes, true);
  memory.setFloat64(base + CP_PMAX, config.pmax, true);
  memory.setFloat64(base + CP_FLOW_RATE, config.flowRatePerSecond, true);
  memory.setFloat64(base + CP_FLOW_BURST, config.flowBurst, true);
  memory.setFloat64(base + CP_PORT_RATE, config.portRatePerSecond, true);
  memory.setFloat64(base + CP_PORT_BURST, config.portBurst, true);
  memory.setUint32(base + CP_SWITCHES, switchesOf(config), true);
  memory.setUint32(base + CP_SEED, config.seed, true);
}

function switchesOf(config: CongestionPointConfig): number {
  return ((config.enabled ? CP_SWITCH_ENABLED : 0) |
    (config.markWhenUnknown ? CP_SWITCH_MARK_WHEN_UNKNOWN : 0) |
    (config.markWhenLimited ? CP_SWITCH_MARK_WHEN_LIMITED : 0));
}

function requireNumber(name: string, value: unknown, low: number, high: number): void {
  // Written as "not (good)" so that NaN is bad.
  if (typeof value !== 'number' || !(value >= low && value <= high)) throw invalid(name, value, `${low}..${high}`);
}

function requireBoolean(name: string, value: unknown): void {
  if (typeof value !== 'boolean') throw invalid(name, value, 'true or false');
}

function invalid(name: string, got: unknown, allowed: string): RoceError {
  return new RoceError('invalid-config', `congestion point parameter ${name} is out of range`, {
    got,
    allowed,
    where: `congestionPoint.${name}`,
  });
}
