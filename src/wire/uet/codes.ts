/**
 * Numbers and names of Ultra Ethernet Transport (UE 1.0.1, tables 3-16 to 3-23, 3-32, 3-38 and 3-59;
 * docs/specs/uet-formats.md, section 6).
 */
import { requireField } from '../bytes.js';

/** Destination port of Ultra Ethernet over UDP (docs/specs/uet-formats.md, section 2). */
export const UET_PORT = 4793;

/** Types of packets of the packet delivery sublayer (PDS). */
export const UetType = {
  /** Transport security: the rest is encrypted. */
  TSS: 1,
  /** Request, reliable and unordered. */
  RUD_REQUEST: 2,
  /** Request, reliable and ordered. */
  ROD_REQUEST: 3,
  /** Request, reliable, unordered and idempotent. */
  RUDI_REQUEST: 4,
  /** Response to an idempotent request. */
  RUDI_RESPONSE: 5,
  /** Request, unreliable and unordered. */
  UUD_REQUEST: 6,
  /** Acknowledgement. */
  ACK: 7,
  /** ACK with selective acknowledgements and congestion control state. */
  ACK_CC: 8,
  /** ACK with selective acknowledgements and extended congestion control state. */
  ACK_CCX: 9,
  /** Negative acknowledgement. */
  NACK: 10,
  /** Control packet; the next header is its type, `UetControlType`. */
  CONTROL: 11,
  /** NACK with extended congestion control state. */
  NACK_CCX: 12,
  /** Request, reliable and unordered, with congestion control state. */
  RUD_CC_REQUEST: 13,
  /** Request, reliable and ordered, with congestion control state. */
  ROD_CC_REQUEST: 14,
  /** Name of a type. @returns undefined if unknown. */
  nameOf: (type: number): UetTypeName | undefined => named(TYPES, 'type', type, 0x1f),
} as const;

const TYPES = [
  'TSS',
  'RUD_REQ',
  'ROD_REQ',
  'RUDI_REQ',
  'RUDI_RESP',
  'UUD_REQ',
  'ACK',
  'ACK_CC',
  'ACK_CCX',
  'NACK',
  'CP',
  'NACK_CCX',
  'RUD_CC_REQ',
  'ROD_CC_REQ',
] as const;

/** Name of a packet's type, as spelled in the specification. */
export type UetTypeName = (typeof TYPES)[number];

/** What follows the header of the packet delivery sublayer. */
export const UetNextHeader = {
  /** No header of semantics. */
  NONE: 0,
  /** `UetSesSmall`. */
  REQUEST_SMALL: 1,
  /** `UetSesMedium`. */
  REQUEST_MEDIUM: 2,
  /** `UetSesStandard`, or `UetSesContinued` in further packets. */
  REQUEST_STANDARD: 3,
  /** `UetSesResponse`. */
  RESPONSE: 4,
  /** `UetSesResponseData`. */
  RESPONSE_DATA: 5,
  /** `UetSesResponseDataSmall`. */
  RESPONSE_DATA_SMALL: 6,
} as const;

/** Types of control packets. */
export const UetControlType = {
  /** No operation. */
  NOOP: 0,
  /** Asks for the ACK of a PSN. */
  ACK_REQUEST: 1,
  /** Clears the responses that the target has kept. */
  CLEAR_COMMAND: 2,
  /** The target asks for a clear command. */
  CLEAR_REQUEST: 3,
  /** The initiator closes the PDC. */
  CLOSE_COMMAND: 4,
  /** The target asks for a close command. */
  CLOSE_REQUEST: 5,
  /** Asks for an ACK at once. */
  PROBE: 6,
  /** Credit of the receiver. */
  CREDIT: 7,
  /** The sender asks for credit. */
  CREDIT_REQUEST: 8,
  /** Negotiates properties of the PDC. */
  NEGOTIATION: 9,
  /** Name of a type. @returns undefined if unknown. */
  nameOf: (type: number): string | undefined => {
    requireField('type', type, 0xf);
    return CONTROL_TYPES[type];
  },
} as const;

const CONTROL_TYPES: readonly string[] = [
  'NOOP',
  'ACK_REQUEST',
  'CLEAR_COMMAND',
  'CLEAR_REQUEST',
  'CLOSE_COMMAND',
  'CLOSE_REQUEST',
  'PROBE',
  'CREDIT',
  'CREDIT_REQUEST',
  'NEGOTIATION',
];

/** Reasons of NACKs, from 1; 0x0c is reserved. MRC has taken over seven of them with their numbers. */
const NACK_CODES = [
  'TRIMMED',
  'TRIMMED_LASTHOP',
  'TRIMMED_ACK',
  'NO_PDC_AVAIL',
  'NO_CCC_AVAIL',
  'NO_BITMAP',
  'NO_PKT_BUFFER',
  'NO_GTD_DEL_AVAIL',
  'NO_SES_MSG_AVAIL',
  'NO_RESOURCE',
  'PSN_OOR_WINDOW',
  undefined,
  'ROD_OOO',
  'INV_DPDCID',
  'PDC_HDR_MISMATCH',
  'CLOSING',
  'CLOSING_IN_ERR',
  'PKT_NOT_RCVD',
  'GTD_RESP_UNAVAIL',
  'ACK_WITH_DATA',
  'INVALID_SYN',
  'PDC_MODE_MISMATCH',
  'NEW_START_PSN',
  'RCVD_SES_PROCG',
  'UNEXP_EVENT',
  'RCVR_INFER_LOSS',
] as const;
const EXPERIMENTAL_NACK_CODES = ['EXP_NACK_NORMAL', 'EXP_NACK_ERR', 'EXP_NACK_FATAL'];
const FIRST_EXPERIMENTAL = 0xfd;

/** Name of a NACK's code, as spelled in the specification. @returns undefined if unknown. */
export function uetNackName(code: number): string | undefined {
  const name = named(NACK_CODES, 'code', code, 0xff);
  if (code >= FIRST_EXPERIMENTAL) return EXPERIMENTAL_NACK_CODES[code - FIRST_EXPERIMENTAL];
  return name;
}

/** Operations of requests of the semantic sublayer (SES). */
export const UetOperation = {
  /** No operation. */
  NO_OP: 0,
  /** Writes to the memory of the target. */
  WRITE: 1,
  /** Reads the memory of the target. */
  READ: 2,
  /** Atomic operation without a result. */
  ATOMIC: 3,
  /** Atomic operation that returns the old value. */
  FETCHING_ATOMIC: 4,
  /** Message for a posted buffer. */
  SEND: 5,
  /** Message whose rest the target reads. */
  RENDEZVOUS_SEND: 6,
  /** Message of one packet. */
  DATAGRAM_SEND: 7,
  /** Message that the target may defer. */
  DEFERRABLE_SEND: 8,
  /** Message for the buffer with its tag. */
  TAGGED_SEND: 9,
  /** Tagged message whose rest the target reads. */
  RENDEZVOUS_TSEND: 10,
  /** Tagged message that the target may defer. */
  DEFERRABLE_TSEND: 11,
  /** The target is ready for a deferred message. */
  DEFERRABLE_RTR: 12,
  /** Atomic operation on the buffer with its tag. */
  TSEND_ATOMIC: 13,
  /** The same, returning the old value. */
  TSEND_FETCH_ATOMIC: 14,
  /** The initiator ends a message with an error. */
  MSG_ERROR: 15,
  /** Name of an operation. @returns undefined if unknown. */
  nameOf: (operation: number): string | undefined => {
    requireField('operation', operation, 0x3f);
    return OPERATIONS[operation];
  },
} as const;

const OPERATIONS: readonly string[] = [
  'NO_OP',
  'WRITE',
  'READ',
  'ATOMIC',
  'FETCHING_ATOMIC',
  'SEND',
  'RENDEZVOUS_SEND',
  'DATAGRAM_SEND',
  'DEFERRABLE_SEND',
  'TAGGED_SEND',
  'RENDEZVOUS_TSEND',
  'DEFERRABLE_TSEND',
  'DEFERRABLE_RTR',
  'TSEND_ATOMIC',
  'TSEND_FETCH_ATOMIC',
  'MSG_ERROR',
];

const RESPONSES: readonly string[] = ['DEFAULT_RESPONSE', 'RESPONSE', 'RESPONSE_W_DATA', 'NO_RESPONSE'];
const RETURN_CODES: readonly string[] = [
  'NULL',
  'OK',
  'BAD_GENERATION',
  'DISABLED',
  'DISABLED_GEN',
  'NO_MATCH',
  'UNSUPPORTED_OP',
  'UNSUPPORTED_SIZE',
  'AT_INVALID',
  'AT_PERM',
  'AT_ATS_ERROR',
  'AT_NO_TRANS',
  'AT_OUT_OF_RANGE',
  'HOST_POISONED',
  'HOST_UNSUCCESS_CMPL',
  'AMO_UNSUPPORTED_OP',
  'AMO_UNSUPPORTED_DT',
  'AMO_UNSUPPORTED_SIZE',
  'AMO_UNALIGNED',
  'AMO_FP_NAN',
  'AMO_FP_UNDERFLOW',
  'AMO_FP_OVERFLOW',
  'AMO_FP_INEXACT',
  'PERM_VIOLATION',
  'OP_VIOLATION',
  'BAD_INDEX',
  'BAD_PID',
  'BAD_JOB_ID',
  'BAD_MKEY',
  'BAD_ADDR',
  'CANCELLED',
  'UNDELIVERABLE',
  'UNCOR',
  'UNCOR_TRNSNT',
  'TOO_LONG',
  'INITIATOR_ERROR',
  'DROPPED',
];
const ATOMICS: readonly string[] = [
  'MIN',
  'MAX',
  'SUM',
  'DIFF',
  'PROD',
  'LOR',
  'LAND',
  'BOR',
  'BAND',
  'LXOR',
  'BXOR',
  'READ',
  'WRITE',
  'CSWAP',
  'CSWAP_NE',
  'CSWAP_LE',
  'CSWAP_LT',
  'CSWAP_GE',
  'CSWAP_GT',
  'MSWAP',
  'INVAL',
];
const ATOMIC_TYPES: readonly string[] = [
  'INT8',
  'UINT8',
  'INT16',
  'UINT16',
  'INT32',
  'UINT32',
  'INT64',
  'UINT64',
  'INT128',
  'UINT128',
  'FLOAT',
  'DOUBLE',
  'FLOAT_COMPLEX',
  'DOUBLE_COMPLEX',
  'LONG_DOUBLE',
  'LONG_DOUBLE_COMPLEX',
  'BF16',
  'FP16',
];
const FIRST_COMPARING = ATOMICS.indexOf('CSWAP');
const LAST_COMPARING = ATOMICS.indexOf('MSWAP');

/** Name of a response's kind. @returns undefined if unknown. */
export function uetResponseName(response: number): string | undefined {
  requireField('response', response, 0x3f);
  return RESPONSES[response];
}

/** Name of a return code, without its prefix `RC_`. @returns undefined if unknown. */
export function uetReturnName(code: number): string | undefined {
  requireField('code', code, 0x3f);
  return RETURN_CODES[code];
}

/** Name of an atomic operation. @returns undefined if unknown. */
export function uetAtomicName(operation: number): string | undefined {
  requireField('operation', operation, 0xff);
  return ATOMICS[operation];
}

/** Name of the type of an atomic operation's operands. @returns undefined if unknown. */
export function uetAtomicTypeName(type: number): string | undefined {
  requireField('type', type, 0xff);
  return ATOMIC_TYPES[type];
}

/** Whether an atomic operation has two operands, which a header of 32 bytes holds. */
export function isUetCompareSwap(operation: number): boolean {
  requireField('operation', operation, 0xff);
  return operation >= FIRST_COMPARING && operation <= LAST_COMPARING;
}

/** Names that begin at number 1. */
function named<Name>(names: readonly Name[], where: string, number: number, max: number): Name | undefined {
  requireField(where, number, max);
  return number === 0 ? undefined : names[number - 1];
}
