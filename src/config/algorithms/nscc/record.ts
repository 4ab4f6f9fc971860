/** NSCC's parameters as engine.wasm reads them: NsccParameterSet, assembly/algorithms/nscc/transitions.ts. */
import { commonFields, type ParameterRecord } from '../parameter-record.js';
import type { NsccParameters } from './parameters.js';

/** The network for which the constants are stated: 100 Gb/s times 12 µs, and that delay. */
const REFERENCE_BDP_BYTES = 150_000;
const REFERENCE_DELAY_PS = 12e6;
/** NSCC has a minimum window instead of a minimum rate. */
const NO_MIN_RATE = 0;

/** Gains of the increases, scaled to a network (parameters.ts). */
export interface NsccGains {
  /** alpha: bytes squared per byte and picosecond. */
  readonly alpha: number;
  /** fi: bytes squared per byte. */
  readonly fairBytes: number;
  /** eta. */
  readonly fixedBytes: number;
  /** fi_scale. */
  readonly fastFactor: number;
}

/** Bandwidth-delay product of the network, bytes. @param p must have been validated. */
export function nsccBdpBytes({ baseRttPs, maxRateBps }: NsccParameters): number {
  return Math.floor((baseRttPs / 1e12) * Math.floor(maxRateBps / 8));
}

/** @param p must have been validated. */
export function nsccGains(p: NsccParameters): NsccGains {
  const { payloadBytes, targetDelayPs } = p;
  const scale = nsccBdpBytes(p) / REFERENCE_BDP_BYTES;
  return {
    alpha: (p.proportionalGain * payloadBytes * scale * (targetDelayPs / REFERENCE_DELAY_PS)) / targetDelayPs,
    fairBytes: p.fairGain * payloadBytes * scale,
    fixedBytes: p.fixedGain * payloadBytes * scale,
    fastFactor: p.fastGain * scale,
  };
}

/** @param p must have been validated. */
export function nsccRecord(p: NsccParameters): ParameterRecord {
  const { alpha, fairBytes, fixedBytes, fastFactor } = nsccGains(p);
  return [
    ...commonFields(p.maxRateBps, NO_MIN_RATE),
    ['packetBytes', p.packetBytes],
    ['baseRttPs', p.baseRttPs],
    ['targetDelayPs', p.targetDelayPs],
    ['bdpBytes', nsccBdpBytes(p)],
    ['maxWindowBdps', p.maxWindowBdps],
    ['initialWindowBytes', p.initialWindowBytes],
    ['alpha', alpha],
    ['fairBytes', fairBytes],
    ['fixedBytes', fixedBytes],
    ['fastFactor', fastFactor],
    ['fastDelayPs', p.fastDelayPs],
    ['decreaseGain', p.decreaseGain],
    ['leastFactor', 1 - p.maxDecrease],
    ['delayWeight', p.delayWeight],
    ['fulfilBytes', p.fulfilPackets * p.packetBytes],
    ['quickAdapt', Number(p.quickAdapt)],
    ['gateFactor', 2 ** -p.adaptGate],
    ['adaptDelayPs', p.adaptTargets === 0 ? Infinity : p.adaptTargets * p.targetDelayPs],
    ['inferredLoss', Number(p.inferredLoss === 'reduce')],
    ['lastHopTrims', Number(p.lastHopTrims === 'leave')],
    ['nackRtt', Number(p.nackRtt === 'ignore')],
    ['increaseSum', Number(p.increaseSum === 'exact')],
  ];
}
