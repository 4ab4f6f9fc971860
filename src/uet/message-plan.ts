/**
 * Messages of a connection and the events by which they become due: one per distinct time, and behind the first of them the
 * sender's own start, which checks that it runs.
 */
import { newMessage, type UetMessage } from './messages.js';
import { HEADER_BYTES } from './packet.js';
import type { UetConnection } from './traffic.js';

/** In the order of lines. */
export function messagesOf(connections: readonly UetConnection[], mtuBytes: number): UetMessage[] {
  return connections.map(({ line, startPs }, at) =>
    newMessage(at + 1, line.sizeBytes, startPs, mtuBytes - HEADER_BYTES)
  );
}

/** In the order of time, then line. */
export function inOrderOfDue(messages: readonly UetMessage[]): UetMessage[] {
  return [...messages].sort((a, b) => a.duePs - b.duePs || a.number - b.number);
}

/** Events in the order in which they are listed. */
export function feedsOf(connections: readonly UetConnection[]): { startPs: number; isCheck: boolean }[] {
  const times = [...new Set(connections.map(({ startPs }) => startPs))];
  return times.flatMap((startPs, at) => [
    { startPs, isCheck: false },
    ...(at === 0 ? [{ startPs, isCheck: true }] : []),
  ]);
}
