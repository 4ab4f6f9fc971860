/**
 * Rings of SimAI's channels (docs/specs/workloads.md, 4.4): channel c visits the servers in order, and the members of
 * each cyclically from its c-th on. Each ring carries an equal part of the bytes.
 *
 *   2 servers of 4, channel 1:  1 2 3 0  5 6 7 4
 *
 * Without PXN, the last member of a server sends to the first of the next, which is at a different position. With PXN,
 * it passes the message to its server's member on the same rail as that first one, which then sends it.
 */
import { partBytes, type MessageList } from '../../collectives/message-list.js';
import { addRing } from '../../collectives/ring.js';
import type { GroupServers } from './group-servers.js';

/** The rings of a collective. */
export interface RingChannels {
  readonly group: GroupServers;
  readonly sizeBytes: number;
  /** Number of steps of each ring. */
  readonly steps: number;
  readonly channels: number;
  readonly pxn: boolean;
}

export function addRingChannels(list: MessageList, { group, sizeBytes, steps, channels, pxn }: RingChannels): void {
  for (let channel = 0; channel < channels; channel++) {
    const ring = {
      ranks: ringOrder(group, channel),
      sizeBytes: partBytes(sizeBytes, channels, channel),
      steps,
      stream: channel,
    };
    if (pxn && hasRelays(group)) addRelayedRing(list, ring, group.perServer);
    else addRing(list, ring);
  }
}

/** Whether PXN has an effect: the last member of a server is not its first, and there is a next server. */
export function hasRelays({ servers, perServer }: GroupServers): boolean {
  return servers > 1 && perServer > 1;
}

/** Group indices of the members, in ring order. */
export function ringOrder({ servers, perServer }: GroupServers, channel: number): number[] {
  return Array.from({ length: servers * perServer }, (_, place) => {
    const local = place % perServer;
    return place - local + ((local + channel) % perServer);
  });
}

interface Ring {
  readonly ranks: readonly number[];
  readonly sizeBytes: number;
  readonly steps: number;
  readonly stream: number;
}

function addRelayedRing(list: MessageList, { ranks, sizeBytes, steps, stream }: Ring, perServer: number): void {
  const n = ranks.length;
  let received: (readonly number[])[] = ranks.map(() => []);
  for (let step = 0; step < steps; step++) {
    const sent = received.map((before, place) => {
      const bytes = partBytes(sizeBytes, n, (((place - step) % n) + n) % n);
      const to = ranks[(place + 1) % n];
      const isLast = place % perServer === perServer - 1;
      if (!isLast) return list.add({ step, from: ranks[place], to, bytes, stream }, before);
      const relay = ranks[place + 1 - perServer];
      const passed = list.add({ step, from: ranks[place], to: relay, bytes, stream }, before);
      return list.add({ step, from: relay, to, bytes, stream }, [passed]);
    });
    received = sent.map((_, place) => [sent[(place - 1 + n) % n]]);
  }
}
