/**
 * Collectives over servers of g ranks each; messages within a server do not enter the network. All-reduce:
 * reduce-scatter in each server, all-reduce of each part between servers, all-gather in each server.
 */
import type { MessageList } from './message-list.js';
import { partBytes } from './message-list.js';
import { addRing } from './ring.js';

export function addHierarchicalAllReduce(list: MessageList, n: number, sizeBytes: number, perServer: number): void {
  const servers = n / perServer;
  const inServer = (server: number): number[] => Array.from({ length: perServer }, (_, i) => server * perServer + i);
  const received: number[][] = Array.from({ length: n }, () => []);
  const keep = (ranks: readonly number[], last: readonly number[][]): void => {
    ranks.forEach((rank, place) => {
      received[rank] = last[place];
    });
  };
  const within = (firstStep: number, stream: number): void => {
    for (let server = 0; server < servers; server++) {
      const ranks = inServer(server);
      const before = ranks.map((rank) => received[rank]);
      keep(ranks, addRing(list, { ranks, sizeBytes, steps: perServer - 1, isLocal: true, firstStep, stream, before }));
    }
  };
  within(0, 0);
  for (let place = 0; place < perServer; place++) {
    const ranks = Array.from({ length: servers }, (_, server) => server * perServer + place);
    const before = ranks.map((rank) => received[rank]);
    const part = partBytes(sizeBytes, perServer, place);
    const firstStep = perServer - 1;
    keep(ranks, addRing(list, { ranks, sizeBytes: part, steps: 2 * (servers - 1), firstStep, before }));
  }
  within(perServer - 1 + 2 * (servers - 1), 1);
}
