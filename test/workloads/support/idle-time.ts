/**
 * The time of messages on an idle network, message by message: latency 1000 ns, 1 byte per ns, one full-duplex port per
 * rank, which sends messages in the order in which they become ready.
 */
import type { MessageList } from '../../../src/workloads/collectives/message-list.js';

const LATENCY_NS = 1000;

export function idleTimeNs(list: MessageList): number {
  const waits = Array.from({ length: list.length }, (_, message) => list.afterOf(message).length);
  const followers: number[][] = waits.map(() => []);
  waits.forEach((_, message) => {
    for (const before of list.afterOf(message)) followers[before]?.push(message);
  });
  const readyNs = waits.map(() => 0);
  const portNs = new Map<number, number>();
  let end = 0;
  let ready = waits.flatMap((count, message) => (count === 0 ? [message] : []));
  while (ready.length > 0) {
    const firstNs = ready.reduce((least, message) => Math.min(least, readyNs[message] ?? 0), Infinity);
    const now = ready.filter((message) => readyNs[message] === firstNs);
    ready = ready.filter((message) => readyNs[message] !== firstNs);
    for (const message of now) {
      const from = list.from[message] ?? 0;
      const sentNs = Math.max(firstNs, portNs.get(from) ?? 0) + (list.bytes[message] ?? 0);
      portNs.set(from, sentNs);
      end = Math.max(end, sentNs + LATENCY_NS);
      const next = followers[message] ?? [];
      for (const one of next) readyNs[one] = Math.max(readyNs[one] ?? 0, sentNs + LATENCY_NS);
      for (const one of next) waits[one] = (waits[one] ?? 0) - 1;
      ready.push(...next.filter((one) => waits[one] === 0));
    }
  }
  return end;
}
