/** Names for people of the codes in `codes.ts`: what stats, actions and reports print. */
import * as code from './codes.js';

/** Outcome names; NIC operators know some of them as counters. */
export const OUTCOME_NAMES = {
  sent: code.OUTCOME_SENT,
  received: code.OUTCOME_RECEIVED,
  cnpDue: code.OUTCOME_CNP_DUE,
  cnpSuppressed: code.OUTCOME_CNP_SUPPRESSED,
  cnpHandled: code.OUTCOME_CNP_HANDLED,
  fastCnpAccepted: code.OUTCOME_FAST_CNP_ACCEPTED,
  touched: code.OUTCOME_TOUCHED,
  ackApplied: code.OUTCOME_ACK_APPLIED,
  lossApplied: code.OUTCOME_LOSS_APPLIED,
  notRoceV2: code.OUTCOME_NOT_ROCE_V2,
  pfc: code.OUTCOME_PFC,
  roceV1: code.OUTCOME_ROCE_V1,
  ack: code.OUTCOME_ACK,
  nak: code.OUTCOME_NAK,
  notLocal: code.OUTCOME_NOT_LOCAL,
  cnpDuplicate: code.OUTCOME_CNP_DUPLICATE,
  cnpNotUsed: code.OUTCOME_CNP_NOT_USED,
  ackNotUsed: code.OUTCOME_ACK_NOT_USED,
  ackNoSignal: code.OUTCOME_ACK_NO_SIGNAL,
  lossNotUsed: code.OUTCOME_LOSS_NOT_USED,
  malformed: code.OUTCOME_MALFORMED,
  cut: code.OUTCOME_CUT,
  discarded: code.OUTCOME_DISCARDED,
  icrcWrong: code.OUTCOME_ICRC_WRONG,
  unknownQp: code.OUTCOME_UNKNOWN_QP,
  unknownKind: code.OUTCOME_UNKNOWN_KIND,
  badTime: code.OUTCOME_BAD_TIME,
  timeBackwards: code.OUTCOME_TIME_BACKWARDS,
  badDescriptor: code.OUTCOME_BAD_DESCRIPTOR,
  fastCnpDisabled: code.OUTCOME_FAST_CNP_DISABLED,
  fastCnpDenied: code.OUTCOME_FAST_CNP_DENIED,
  fastCnpOption: code.OUTCOME_FAST_CNP_OPTION,
  fastCnpUnknownFlow: code.OUTCOME_FAST_CNP_UNKNOWN_FLOW,
  fastCnpDuplicate: code.OUTCOME_FAST_CNP_DUPLICATE,
} as const;

/** Frame classes. */
export const CLASS_NAMES = {
  other: code.CLASS_OTHER,
  data: code.CLASS_DATA,
  ack: code.CLASS_ACK,
  nak: code.CLASS_NAK,
  cnp: code.CLASS_CNP,
  fastCnp1: code.CLASS_FAST_CNP_1,
  fastCnp2: code.CLASS_FAST_CNP_2,
  roceV1: code.CLASS_ROCE_V1,
  pfc: code.CLASS_PFC,
  malformed: code.CLASS_MALFORMED,
  cut: code.CLASS_CUT,
  discard: code.CLASS_DISCARD,
} as const;

/** Why a frame is malformed, cut or discarded. */
export const WHY_NAMES = {
  none: code.WHY_NONE,
  linkShort: code.WHY_LINK_SHORT,
  ipShort: code.WHY_IP_SHORT,
  ipVersion: code.WHY_IP_VERSION,
  ihl: code.WHY_IHL,
  ipLength: code.WHY_IP_LENGTH,
  extensionLength: code.WHY_EXTENSION_LENGTH,
  optionLength: code.WHY_OPTION_LENGTH,
  udpLength: code.WHY_UDP_LENGTH,
  bthShort: code.WHY_BTH_SHORT,
  aethShort: code.WHY_AETH_SHORT,
  fastCnpOption: code.WHY_FAST_CNP_OPTION,
  extensionHeader: code.WHY_EXTENSION_HEADER,
  ipv4Fields: code.WHY_IPV4_FIELDS,
  unknownOption: code.WHY_UNKNOWN_OPTION,
  qpZero: code.WHY_QP_ZERO,
  fragment: code.WHY_FRAGMENT,
  opcode: code.WHY_OPCODE,
} as const;

export const CAUSE_NAMES = {
  time: code.CAUSE_TIME,
  bytes: code.CAUSE_BYTES,
  cnp: code.CAUSE_CNP,
  fastCnp: code.CAUSE_FAST_CNP,
  ack: code.CAUSE_ACK,
  loss: code.CAUSE_LOSS,
} as const;

/** What became of an event or a frame. */
export type OutcomeName = keyof typeof OUTCOME_NAMES;
/** What kind of packet a frame is. */
export type ClassName = keyof typeof CLASS_NAMES;
/** Why a frame is malformed, cut or to be discarded. */
export type WhyName = keyof typeof WHY_NAMES;
/** What caused a new rate. */
export type CauseName = keyof typeof CAUSE_NAMES;

/** An array from code to name, for a table of names to codes. */
export function namesByCode<Name extends string>(table: Readonly<Record<Name, number>>): readonly (Name | undefined)[] {
  const names: (Name | undefined)[] = [];
  for (const name of Object.keys(table) as Name[]) names[table[name]] = name;
  return names;
}
