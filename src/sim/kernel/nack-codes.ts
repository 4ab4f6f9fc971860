/** Codes in the kernel of the reasons for which receivers of MRC reject untrimmed packets. */
import { NACK_NO_BITMAP, NACK_NO_PACKET_BUFFER, NACK_NO_RESOURCE, NACK_OUT_OF_RANGE,
  NACK_UNEXPECTED_EVENT } from '../../abi/records/transports.js';
import type { NackReason } from '../result.js';

export const NACK_CODES: Readonly<Record<NackReason, number>> = {
  'out-of-range': NACK_OUT_OF_RANGE,
  'no-bitmap': NACK_NO_BITMAP,
  'no-packet-buffer': NACK_NO_PACKET_BUFFER,
  'no-resource': NACK_NO_RESOURCE,
  'unexpected-event': NACK_UNEXPECTED_EVENT,
};
