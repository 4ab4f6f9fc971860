/** DCTCP's parameters as engine.wasm reads them: DctcpParameterSet, assembly/algorithms/dctcp/transitions.ts. */
import { commonFields, senderFields, type ParameterRecord } from '../parameter-record.js';
import type { DctcpParameters } from './parameters.js';

/** Also precomputes 1 - g. @param p must have been validated. */
export function dctcpRecord(p: DctcpParameters): ParameterRecord {
  return [
    ...commonFields(p.maxRateBps, p.minRateBps),
    ['alphaGain', p.alphaGain],
    ['alphaRetention', 1 - p.alphaGain],
    ['aiRateBps', p.aiRateBps],
    ['sequencePerPacket', p.sequencePerPacket],
    ...senderFields(p),
  ];
}
