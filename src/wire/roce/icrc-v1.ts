/**
 * Invariant CRC of RoCEv1 (IBTA Annex A16; volume 1, section 7.8.1): like that of RoCEv2 (icrc.ts), with a GRH instead
 * of the IP and UDP headers.
 *
 * Input     64 one-bits for the LRH that RoCEv1 lacks, then the bytes from GRH to ICRC, with these fields as ones: the
 * GRH's traffic class, flow label and hop limit; the BTH's byte 4 (Resv8a).
 */
import { lengthOf, requireBytes, requireField } from '../bytes.js';
import { Bth } from './bth.js';
import { updateCrc32 } from './crc32.js';
import { Grh } from './grh.js';
import { REGISTER_AFTER_ONES } from './icrc.js';

const GRH_HOP_LIMIT = Grh.offsetOf('hopLimit');
/** Masks traffic class and flow label: all of the first four bytes but the version. */
const VERSION_ONLY = 0xf0;
const FIRST_WORD_BYTES = 4;
const RESV8A = Grh.lenBytes + Bth.offsetOf('fecn');

/** Buffer for the masked headers; allocated once. */
let scratch: Uint8Array | undefined;

/**
 * The ICRC of a RoCEv1 packet.
 *
 * @param grhOffset of the GRH in `bytes`; the BTH follows it.
 * @param icrcOffset end of the covered bytes.
 * @returns 32 bits, unsigned, as `Icrc.read` returns them.
 * @throws RoceError `invalid-packet` if the bytes are too short for GRH and BTH, `invalid-argument` for offsets outside
 * the bytes.
 */
export function computeRoceV1Icrc(bytes: Uint8Array, grhOffset: number, icrcOffset: number): number {
  requireField('grhOffset', grhOffset, lengthOf('bytes', bytes));
  requireField('icrcOffset', icrcOffset, bytes.length);
  const headersBytes = Grh.lenBytes + Bth.lenBytes;
  requireBytes('grh', bytes, grhOffset, headersBytes, icrcOffset);
  const masked = (scratch ??= new Uint8Array(headersBytes));
  for (let i = 0; i < headersBytes; i++) masked[i] = bytes[grhOffset + i];
  masked[0] |= 0xff & ~VERSION_ONLY;
  for (let i = 1; i < FIRST_WORD_BYTES; i++) masked[i] = 0xff;
  masked[GRH_HOP_LIMIT] = 0xff;
  masked[RESV8A] = 0xff;
  const register = updateCrc32(REGISTER_AFTER_ONES, masked, 0, headersBytes);
  return ~updateCrc32(register, bytes, grhOffset + headersBytes, icrcOffset) >>> 0;
}
