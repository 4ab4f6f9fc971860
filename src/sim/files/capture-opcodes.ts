/**
 * Opcodes of data packets by their position in a message. A flow with its own QP is one message, or several of the maximum
 * size.
 */
import { Opcode } from '../../wire/roce/opcodes.js';
import type { FlowPlan } from '../plan.js';
import type { MessagePlace as PlaceOnQp, PacketRecord } from '../result.js';

/** Largest message (IBTA volume 1, section 9.4.3). */
export const MESSAGE_MAX_BYTES = 2 ** 31;

/** Bytes of the longest message: all whole packets that fit into 2^31 bytes. */
export function messageBytes(mtuBytes: number): number {
  return Math.floor(MESSAGE_MAX_BYTES / mtuBytes) * mtuBytes;
}

export type MessagePlace = 'first' | 'middle' | 'last' | 'only';

const SEND_OPCODES: Readonly<Record<MessagePlace, number>> = {
  first: Opcode.SEND_FIRST,
  middle: Opcode.SEND_MIDDLE,
  last: Opcode.SEND_LAST,
  only: Opcode.SEND_ONLY,
};
const READ_OPCODES: Readonly<Record<MessagePlace, number>> = {
  first: Opcode.READ_RESPONSE_FIRST,
  middle: Opcode.READ_RESPONSE_MIDDLE,
  last: Opcode.READ_RESPONSE_LAST,
  only: Opcode.READ_RESPONSE_ONLY,
};

/** Opcode of a data packet: that of a READ response or of a SEND. */
export function opcodeOf(place: MessagePlace, isRead: boolean): number {
  return isRead ? READ_OPCODES[place] : SEND_OPCODES[place];
}

/** A packet's position in its message. */
export function placeOf({ sizeBytes }: FlowPlan, { sequence, payloadBytes }: PacketRecord,
  mtuBytes: number): MessagePlace {
  const message = messageBytes(mtuBytes);
  const isFirst = sequence % message === 0;
  const end = sequence + payloadBytes;
  const isLast = end >= sizeBytes || end % message === 0;
  return placeInMessage({ isFirst, isLast });
}

/** A packet's position in its message on a QP with several messages. */
export function placeInMessage({ isFirst, isLast }: Pick<PlaceOnQp, 'isFirst' | 'isLast'>): MessagePlace {
  if (isFirst) return isLast ? 'only' : 'first';
  return isLast ? 'last' : 'middle';
}
