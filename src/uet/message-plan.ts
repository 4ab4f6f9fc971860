/**
 * Messages of a connection and the events that make them due: one per distinct time. After the first comes the sender's own
 * start event, which checks that the sender is running.
 */
import { newMessage, type UetMessage } from './messages.js';
import { HEADER_BYTES } from './packet.js';
import type { UetConnection } from './traffic.js';

/** The messages in the order of lines. */
export function messagesOf(connections: readonly UetConnection[], mtuBytes: number): UetMessage[] {
  return connections.map(({ line, startPs }, at) =>
    newMessage(at + 1, line.sizeBytes, startPs, mtuBytes - HEADER_BYTES)
  );
}

/** Sorts messages by time, then line. */
export function inOrderOfDue(messages: readonly UetMessage[]): UetMessage[] {
  return [...messages].sort((a, b) => a.duePs - b.duePs || a.number - b.number);
}

/** The events in the order of insertion. */
export function feedsOf(connections: readonly UetConnection[]): { startPs: number; isCheck: boolean }[] {
  const times = [...new Set(connections.map(({ startPs }) => startPs))];
  return times.flatMap((startPs, at) => [
    { startPs, isCheck: false },
    ...(at === 0 ? [{ startPs, isCheck: true }] : []),
  ]);
}
