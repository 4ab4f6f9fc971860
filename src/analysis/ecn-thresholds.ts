/**
 * ECN thresholds by link rate, each with its source.
 *
 *   production  Kmin 100 KB and Kmax 400 KB per 25 Gb/s, Pmax 0.2 (HPCC simulator, run.py): 400/1600 KB at 100 Gb/s
 *   paper       Kmin 5 KB, Kmax 200 KB, Pmax 0.01 (SIGCOMM 2015, section 5), given for 40 Gb/s, not scaled
 *
 * Why they differ so much: the HPCC authors found that the paper's numbers don't work in production, and that thresholds
 * have to grow with the link rate (alibaba-edu/High-Precision-Congestion-Control, issue 21): a queue of k bytes drains in
 * 8 k / rate, so the same bytes at four times the rate are a quarter of the delay.
 */
import { congestionPointDefaults, productionMarkingProfile, type MarkingProfile } from '../config/congestion-point.js';
import { checkField, oneOf } from '../config/field-rules.js';
import { BITS_PER_BYTE, PS_PER_SECOND } from '../units.js';

/** Origin of thresholds: production networks, as in the HPCC authors' simulator, or the DCQCN paper. */
export type EcnThresholdProfile = 'production' | 'paper';

/** Thresholds for one link rate. */
export interface EcnThresholds extends MarkingProfile {
  /** Origin of these thresholds. */
  readonly parameterSet: EcnThresholdProfile;
  /** Link rate that they apply to, bits per second. */
  readonly linkRateBps: number;
  /** How long a queue of kminBytes takes to drain, to the nearest picosecond. */
  readonly kminDrainPs: number;
  /** How long a queue of kmaxBytes takes to drain, to the nearest picosecond. */
  readonly kmaxDrainPs: number;
  /** Whether the source covers this rate: it states the rate, or its thresholds scale with the rate. */
  readonly coversRate: boolean;
  /** The source document. */
  readonly source: string;
}

/** The rate that the paper gives its thresholds for. */
export const PAPER_LINK_RATE_BPS = 40e9;
/** Link rates that {@link ecnThresholdTable} lists. */
export const COMMON_LINK_RATES_BPS: readonly number[] = Object.freeze([10e9, 25e9, 40e9, 50e9, 100e9, 200e9, 400e9]);

const SOURCES: Readonly<Record<EcnThresholdProfile, string>> = {
  production: 'HPCC simulator, run.py; alibaba-edu/High-Precision-Congestion-Control, issue 21',
  paper: 'Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, section 5',
};

/**
 * Thresholds for a link.
 *
 * @param linkRateBps bits per second, > 0.
 * @param parameterSet default 'production': the only one whose source explains how it scales.
 * @throws RoceError `invalid-config` for a rate that is not positive, or an unknown parameter set.
 */
export function ecnThresholds(linkRateBps: number, parameterSet: EcnThresholdProfile = 'production'): EcnThresholds {
  checkField(parameterSet, oneOf(...Object.keys(SOURCES)), 'parameterSet');
  const scaled = productionMarkingProfile(linkRateBps);
  const { kminBytes, kmaxBytes, pmax } = parameterSet === 'production' ? scaled : congestionPointDefaults;
  return {
    parameterSet,
    linkRateBps,
    kminBytes,
    kmaxBytes,
    pmax,
    kminDrainPs: drainPs(kminBytes, linkRateBps),
    kmaxDrainPs: drainPs(kmaxBytes, linkRateBps),
    coversRate: parameterSet === 'production' || linkRateBps === PAPER_LINK_RATE_BPS,
    source: SOURCES[parameterSet],
  };
}

/** Thresholds for each of {@link COMMON_LINK_RATES_BPS}. */
export function ecnThresholdTable(parameterSet: EcnThresholdProfile = 'production'): EcnThresholds[] {
  return COMMON_LINK_RATES_BPS.map((rateBps) => ecnThresholds(rateBps, parameterSet));
}

function drainPs(bytes: number, rateBps: number): number {
  return Math.round((bytes * BITS_PER_BYTE * PS_PER_SECOND) / rateBps);
}
