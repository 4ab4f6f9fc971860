/**
 * Acknowledge extended transport header, AETH (IBTA volume 1, sections 9.3 and 9.7.5.2).
 *
 *   0 syndrome | 1 message sequence number, MSN (3)
 *   syndrome: 000 credit code 5 (ACK) | 001 timer code 5 (RNR NAK) | 010 reserved | 011 NAK code 5 | 1xx reserved
 *
 * RDMA READ responses, except middle ones, also have an AETH.
 */
import { requireField } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';

/** Meaning of an AETH's syndrome. */
export type AethKind = 'ack' | 'rnr-nak' | 'reserved' | 'nak';

/** Reason of a NAK, by its code. */
export type NakName = 'psn-sequence-error' | 'invalid-request' | 'remote-access-error' | 'remote-operational-error'
  | 'invalid-rd-request';

/** Meaning by the top three bits of the syndrome. */
const KINDS: readonly AethKind[] = ['ack', 'rnr-nak', 'reserved', 'nak'];
/** Names by NAK code. */
const NAK_NAMES: readonly NakName[] = [
  'psn-sequence-error',
  'invalid-request',
  'remote-access-error',
  'remote-operational-error',
  'invalid-rd-request',
];
/** Unit of the RNR timer. */
const RNR_UNIT_US = 10;
/** Timer code 0 is the value after code 31. */
const RNR_CODE_ZERO = 32;

const AETH = /* @__PURE__ */ defineHeader({
  title: 'AETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'aeth',
  fields: (field) => ({
    /** 8 bits; see `Aeth.kind`. */
    syndrome: field.bits(8),
    /** 24 bits: number of the last completed request message, modulo 2^24. */
    msn: field.bits(24),
  }),
});

/** The ACK extended header, as a value. */
export interface Aeth extends ValueOf<typeof AETH> {}

/** The ACK extended header: 4 bytes. */
export const Aeth = /* @__PURE__ */ extendHeader(AETH, {
  /** Top three bits of the syndrome of an ACK, in place: 000 (IBTA volume 1, section 9.7.5.2). */
  SYNDROME_ACK: 0x00,
  /** Top three bits of the syndrome of an RNR NAK ("receiver not ready"), in place: 001. */
  SYNDROME_RNR_NAK: 0x20,
  /** Top three bits of the syndrome of a NAK, in place: 011; the low five are its code. */
  SYNDROME_NAK: 0x60,
  /** The low five bits of the syndrome: credit, timer or NAK code, depending on the top three. */
  SYNDROME_CODE_MASK: 0x1f,
  /** Credit code of an ACK that neither grants nor limits credits. */
  CREDIT_CODE_INVALID: 0x1f,
  /** Whole syndrome of a NAK, code 0: a PSN was not the expected one (IBTA volume 1, section 9.7.5.2). */
  NAK_PSN_SEQUENCE_ERROR: 0x60,
  /** Whole syndrome of a NAK, code 1: the responder does not support the request. */
  NAK_INVALID_REQUEST: 0x61,
  /** Whole syndrome of a NAK, code 2: the R_Key does not permit the access. */
  NAK_REMOTE_ACCESS_ERROR: 0x62,
  /** Whole syndrome of a NAK, code 3: the responder failed to complete the request. */
  NAK_REMOTE_OPERATIONAL_ERROR: 0x63,
  /** Whole syndrome of a NAK, code 4: invalid request of a reliable datagram (RD). */
  NAK_INVALID_RD_REQUEST: 0x64,
  /** Meaning of a syndrome's top three bits (IBTA volume 1, section 9.7.5.2). */
  kind(syndrome: number): AethKind {
    requireField('syndrome', syndrome, 0xff);
    return KINDS[syndrome >> 5] ?? 'reserved';
  },
  /** The low five bits: credit code of an ACK, timer code of an RNR NAK, NAK code of a NAK. */
  code(syndrome: number): number {
    requireField('syndrome', syndrome, 0xff);
    return syndrome & Aeth.SYNDROME_CODE_MASK;
  },
  /**
   * Credits that an ACK grants: 0, 1, 2, 3, 4, 6, 8, 12, 16, …, 32768 (IBTA volume 1, section 9.7.7; values as in
   * Linux, rdmavt).
   * @returns `undefined` if the syndrome is not an ACK, or its credit code is undefined.
   */
  credits(syndrome: number): number | undefined {
    const code = Aeth.code(syndrome);
    return Aeth.kind(syndrome) === 'ack' && code !== Aeth.CREDIT_CODE_INVALID ? expandCode(code) : undefined;
  },
  /**
   * Minimum time that a requester waits after an RNR NAK, in microseconds: code 0 means 655,360, then 10, 20, 30, 40,
   * 60, 80, …, 491,520 (IBTA volume 1, table 45, "Encoding for RNR NAK Timer Field"; values as in OpenUCX).
   * @returns `undefined` if the syndrome is not an RNR NAK.
   */
  rnrTimerUs(syndrome: number): number | undefined {
    if (Aeth.kind(syndrome) !== 'rnr-nak') return undefined;
    return RNR_UNIT_US * expandCode(Aeth.code(syndrome) || RNR_CODE_ZERO);
  },
  /** @returns the name of a NAK; `undefined` if the syndrome is not a NAK, or its code is reserved. */
  nakName(syndrome: number): NakName | undefined {
    return Aeth.kind(syndrome) === 'nak' ? NAK_NAMES[Aeth.code(syndrome)] : undefined;
  },
});

/** Two steps per power of two: 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, … */
function expandCode(code: number): number {
  return code < 2 ? code : (2 + (code & 1)) << ((code >> 1) - 1);
}
