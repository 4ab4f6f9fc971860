/**
 * Parameters given in the names of the reference simulator's per-ACK traces; all others are the simulator's values for 100 Gb/s.
 * An unknown part of a name is an error.
 */
import type { DctcpParameters } from '../../src/config/algorithms/dctcp.js';
import type { HpccPintParameters } from '../../src/config/algorithms/hpcc-pint.js';
import type { TimelyParameters } from '../../src/config/algorithms/timely.js';
import { us } from '../../src/units.js';

/** The files of each family. */
export const TIMELY_TRACES = /^timely__.*\.csv$/;
export const DCTCP_TRACES = /^dctcp__.*\.csv$/;
export const PINT_TRACES = /^hpcc_pint__.*\.csv$/;

const TIMELY_NAME = /^timely__rai([\d.]+[kMG])_rhai([\d.]+[kMG])_min([\d.]+[kMG])\.csv/;
const DCTCP_NAME = /^dctcp__g([\d.]+)_ai([\d.]+[kMG])_min([\d.]+[kMG])\.csv/;
const PINT_NAME = /^hpcc_pint__base([\d.]+)_mi(\d+)\.csv/;
const UNITS: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, G: 1e9 };

function partsOf(pattern: RegExp, name: string): string[] {
  const found = pattern.exec(name);
  if (found === null) throw new Error(`${name} does not state its parameters as ${pattern.source}`);
  return found.slice(1);
}

/** Such as 100M; products of decimals and powers of ten are rounded to the whole rate that is meant. */
function rateOf(text: string): number {
  return Math.round(Number.parseFloat(text) * UNITS[text.at(-1)!]!);
}

export function timelyGolden(name: string): TimelyParameters {
  const [aiRateBps, haiRateBps, minRateBps] = partsOf(TIMELY_NAME, name).map(rateOf) as [number, number, number];
  return {
    algorithm: 'timely',
    numbers: 'whole-bps',
    maxRateBps: 100e9,
    minRateBps,
    ewmaAlpha: 0.875,
    decreaseBeta: 0.8,
    lowRttPs: us(50),
    highRttPs: us(500),
    minRttPs: us(20),
    aiRateBps,
    haiRateBps,
    hyperAfterSteps: 5,
    lowRttIncrease: 'staged',
    updateOn: 'round-trip',
    sequence: 'u32',
    sendGap: 'ns3-nanoseconds',
  };
}

export function dctcpGolden(name: string): DctcpParameters {
  const [gain, ai, min] = partsOf(DCTCP_NAME, name) as [string, string, string];
  return {
    algorithm: 'dctcp',
    numbers: 'whole-bps',
    maxRateBps: 100e9,
    minRateBps: rateOf(min),
    alphaGain: Number(gain),
    aiRateBps: rateOf(ai),
    sequencePerPacket: 1000,
    sequence: 'u32',
    sendGap: 'ns3-nanoseconds',
  };
}

/** Base 1.05 fits one byte, base 1.01 takes 11 bits (docs/specs/reference.md, section 6). */
export function pintGolden(name: string): HpccPintParameters {
  const [base, maxStage] = partsOf(PINT_NAME, name).map(Number) as [number, number];
  return {
    algorithm: 'hpcc-pint',
    numbers: 'whole-bps',
    maxRateBps: 100e9,
    minRateBps: 1e9,
    windowBytes: 52_000,
    windowMode: 'variable',
    targetUtilization: 0.95,
    maxStage,
    aiRateBps: 40e6,
    fastReact: true,
    pintBase: base,
    pintBits: base < 1.05 ? 11 : 8,
    pintProbability: 1,
    sequence: 'u32',
    sendGap: 'ns3-nanoseconds',
  };
}
