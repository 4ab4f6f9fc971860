/** RCCC's parameters as engine.wasm reads them: RcccParameterSet, assembly/algorithms/rccc/transitions.ts. */
import { commonFields, type ParameterRecord } from '../parameter-record.js';
import type { RcccParameters } from './parameters.js';

/** RCCC has no minimum rate: it controls credit. */
const NO_MIN_RATE = 0;

/** Maximum credit, whole bytes, at least a packet. @param p must have been validated. */
export function rcccMaxWindowBytes({ baseRttPs, maxRateBps, maxWindowBdps, packetBytes }: RcccParameters): number {
  const bdpBytes = Math.floor((baseRttPs / 1e12) * Math.floor(maxRateBps / 8));
  return Math.max(packetBytes, Math.floor(maxWindowBdps * bdpBytes));
}

/** Speculative credit of a new QP, bytes. @param p must have been validated. */
export function rcccInitialCreditBytes(p: RcccParameters): number {
  return p.initialCreditBytes === 0 ? rcccMaxWindowBytes(p) : p.initialCreditBytes;
}

/** Minimum credit after a timeout, bytes; 0 = the credit is unchanged. @param p must have been validated. */
export function rcccTimeoutCreditBytes({ timeoutCredit, packetBytes }: RcccParameters): number {
  return timeoutCredit === 'packet' ? packetBytes : 0;
}

/** @param p must have been validated. */
export function rcccRecord(p: RcccParameters): ParameterRecord {
  return [
    ...commonFields(p.maxRateBps, NO_MIN_RATE),
    ['packetBytes', p.packetBytes],
    ['maxWindowBytes', rcccMaxWindowBytes(p)],
    ['initialCreditBytes', rcccInitialCreditBytes(p)],
    ['timeoutCreditBytes', rcccTimeoutCreditBytes(p)],
  ];
}
