/** Problems (malformed) and remarks (legal but notable) of an MRC packet: bits in a dissection, names in a reading. */

/** The TVer of the BTH is not 0. */
export const MRC_NOTE_VERSION = 1 << 0;
/** An undefined opcode of MRC's class. */
export const MRC_NOTE_OPCODE = 1 << 1;
/** A header extends beyond the packet. */
export const MRC_NOTE_HEADER_SHORT = 1 << 2;
/** More pad bytes than the packet has. */
export const MRC_NOTE_PAD = 1 << 3;
/** The UDP length exceeds the IP payload, or is shorter than the UDP header. */
export const MRC_NOTE_UDP_LENGTH = 1 << 4;
/** Bytes after the headers of a packet without payload. */
export const MRC_NOTE_EXTRA = 1 << 5;
/** An endpoint operation to a QP other than 2. */
export const MRC_NOTE_ENDPOINT_QP = 1 << 6;
/** One of the four upper bits of the flow label is set. */
export const MRC_NOTE_FLOW_LABEL = 1 << 7;
/** The DSCP is not one of MRC's. */
export const MRC_NOTE_DSCP = 1 << 8;
/** The mark of a SACK is the reserved number 3. */
export const MRC_NOTE_MARK = 1 << 9;
/** The congestion control state after a SETH has an unknown form. */
export const MRC_NOTE_CC_TYPE = 1 << 10;
/** The reason of a NACK is unknown. */
export const MRC_NOTE_REASON = 1 << 11;
/** The operation of an endpoint response may be in the other bits. */
export const MRC_NOTE_EETH_PLACE = 1 << 12;

/** Names of the bits, lowest first. */
const NOTES = [
  'transport-version',
  'reserved-opcode',
  'header-short',
  'pad-beyond-end',
  'udp-length',
  'extra-bytes',
  'endpoint-qp',
  'flow-label-upper-bits',
  'unknown-dscp',
  'reserved-mark',
  'unknown-cc-type',
  'unknown-nack-reason',
  'operation-ambiguous',
] as const;
const PROBLEM_COUNT = 7;

/** A reason why an MRC packet is malformed. */
export type MrcProblem = 'transport-version' | 'reserved-opcode' | 'header-short' | 'pad-beyond-end' | 'udp-length'
  | 'extra-bytes' | 'endpoint-qp';
/** A legal but reserved, unknown or ambiguous value in an MRC packet. */
export type MrcRemark = Exclude<(typeof NOTES)[number], MrcProblem>;

/** Descriptions of problems and remarks. */
export const MRC_NOTE_WORDS: Readonly<Record<MrcProblem | MrcRemark, string>> = {
  'transport-version': 'TVer is not 0',
  'reserved-opcode': 'a reserved opcode',
  'header-short': 'the packet ends inside a header',
  'pad-beyond-end': 'more pad bytes than the packet has',
  'udp-length': 'the UDP length does not fit the datagram',
  'extra-bytes': 'bytes after the headers',
  'endpoint-qp': 'an endpoint operation to a QP other than 2',
  'flow-label-upper-bits': 'one of the four unused bits of the flow label is set',
  'unknown-dscp': 'the DSCP is not an MRC DSCP',
  'reserved-mark': 'mark 3 is reserved',
  'unknown-cc-type': 'the congestion control state has an unknown form',
  'unknown-nack-reason': 'the reason is unknown',
  'operation-ambiguous': 'the operation may be in the other bits',
};

/** Problems among the bits. */
export function mrcProblems(notes: number): MrcProblem[] {
  return namesOf(notes, 0, PROBLEM_COUNT) as MrcProblem[];
}

/** Remarks among the bits. */
export function mrcRemarks(notes: number): MrcRemark[] {
  return namesOf(notes, PROBLEM_COUNT, NOTES.length) as MrcRemark[];
}

function namesOf(notes: number, from: number, to: number): string[] {
  return NOTES.slice(from, to).filter((_, index) => (notes & (1 << (from + index))) !== 0);
}
