/** Display names for the codes in `codes.ts`, used by stats, actions and reports. */
import * as code from './codes.js';

/** Outcome names; some are counter names known to NIC operators. */
export const OUTCOME_NAMES = {
  sent: code.OUTCOME_SENT,
  received: code.OUTCOME_RECEIVED,
  'cnp-due': code.OUTCOME_CNP_DUE,
  'cnp-suppressed': code.OUTCOME_CNP_SUPPRESSED,
  'cnp-handled': code.OUTCOME_CNP_HANDLED,
  'fast-cnp-accepted': code.OUTCOME_FAST_CNP_ACCEPTED,
  touched: code.OUTCOME_TOUCHED,
  'ack-applied': code.OUTCOME_ACK_APPLIED,
  'loss-applied': code.OUTCOME_LOSS_APPLIED,
  'credit-applied': code.OUTCOME_CREDIT_APPLIED,
  'not-roce-v2': code.OUTCOME_NOT_ROCE_V2,
  pfc: code.OUTCOME_PFC,
  'roce-v1': code.OUTCOME_ROCE_V1,
  ack: code.OUTCOME_ACK,
  nak: code.OUTCOME_NAK,
  'not-local': code.OUTCOME_NOT_LOCAL,
  'cnp-duplicate': code.OUTCOME_CNP_DUPLICATE,
  'cnp-not-used': code.OUTCOME_CNP_NOT_USED,
  'ack-not-used': code.OUTCOME_ACK_NOT_USED,
  'ack-no-signal': code.OUTCOME_ACK_NO_SIGNAL,
  'loss-not-used': code.OUTCOME_LOSS_NOT_USED,
  'credit-not-used': code.OUTCOME_CREDIT_NOT_USED,
  malformed: code.OUTCOME_MALFORMED,
  cut: code.OUTCOME_CUT,
  discarded: code.OUTCOME_DISCARDED,
  'icrc-wrong': code.OUTCOME_ICRC_WRONG,
  'unknown-qp': code.OUTCOME_UNKNOWN_QP,
  'unknown-kind': code.OUTCOME_UNKNOWN_KIND,
  'bad-time': code.OUTCOME_BAD_TIME,
  'time-backwards': code.OUTCOME_TIME_BACKWARDS,
  'bad-descriptor': code.OUTCOME_BAD_DESCRIPTOR,
  'fast-cnp-disabled': code.OUTCOME_FAST_CNP_DISABLED,
  'fast-cnp-rejected': code.OUTCOME_FAST_CNP_DENIED,
  'fast-cnp-option': code.OUTCOME_FAST_CNP_OPTION,
  'fast-cnp-unknown-flow': code.OUTCOME_FAST_CNP_UNKNOWN_FLOW,
  'fast-cnp-duplicate': code.OUTCOME_FAST_CNP_DUPLICATE,
} as const;

/** Frame classes. */
export const CLASS_NAMES = {
  other: code.CLASS_OTHER,
  data: code.CLASS_DATA,
  ack: code.CLASS_ACK,
  nak: code.CLASS_NAK,
  cnp: code.CLASS_CNP,
  'fast-cnp-1': code.CLASS_FAST_CNP_1,
  'fast-cnp-2': code.CLASS_FAST_CNP_2,
  'roce-v1': code.CLASS_ROCE_V1,
  pfc: code.CLASS_PFC,
  malformed: code.CLASS_MALFORMED,
  cut: code.CLASS_CUT,
  discard: code.CLASS_DISCARD,
} as const;

/** Why a frame is malformed, cut or discarded. */
export const WHY_NAMES = {
  none: code.WHY_NONE,
  'link-short': code.WHY_LINK_SHORT,
  'ip-short': code.WHY_IP_SHORT,
  'ip-version': code.WHY_IP_VERSION,
  ihl: code.WHY_IHL,
  'ip-length': code.WHY_IP_LENGTH,
  'extension-length': code.WHY_EXTENSION_LENGTH,
  'option-length': code.WHY_OPTION_LENGTH,
  'udp-length': code.WHY_UDP_LENGTH,
  'bth-short': code.WHY_BTH_SHORT,
  'aeth-short': code.WHY_AETH_SHORT,
  'fast-cnp-option': code.WHY_FAST_CNP_OPTION,
  'extension-header': code.WHY_EXTENSION_HEADER,
  'ipv4-fields': code.WHY_IPV4_FIELDS,
  'unknown-option': code.WHY_UNKNOWN_OPTION,
  'qp-zero': code.WHY_QP_ZERO,
  fragment: code.WHY_FRAGMENT,
  opcode: code.WHY_OPCODE,
} as const;

export const CAUSE_NAMES = {
  time: code.CAUSE_TIME,
  bytes: code.CAUSE_BYTES,
  cnp: code.CAUSE_CNP,
  'fast-cnp': code.CAUSE_FAST_CNP,
  ack: code.CAUSE_ACK,
  loss: code.CAUSE_LOSS,
} as const;

/** Outcome of an event or a frame. */
export type OutcomeName = keyof typeof OUTCOME_NAMES;
/** Class of a frame. */
export type ClassName = keyof typeof CLASS_NAMES;
/** Why a frame is malformed, cut or to be discarded. */
export type WhyName = keyof typeof WHY_NAMES;
/** Cause of a rate change. */
export type CauseName = keyof typeof CAUSE_NAMES;

/** Converts a table from names to codes into an array from code to name. */
export function namesByCode<Name extends string>(table: Readonly<Record<Name, number>>): readonly (Name | undefined)[] {
  const names: (Name | undefined)[] = [];
  for (const name of Object.keys(table) as Name[]) names[table[name]] = name;
  return names;
}
