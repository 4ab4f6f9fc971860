/**
 * Rings of SimAI's channels (docs/specs/workloads.md, 4.4): channel c visits the servers in order, and the members of
 * each cyclically from its c-th on. Each ring carries an equal part of the bytes.
 *
 *   2 servers of 4, channel 1:  1 2 3 0  5 6 7 4
 *
 * Without PXN, the last member of a server sends to the first of the next, which is at a different position. With PXN,
 * it passes the message to its server's member on the same rail as that first one, which then sends it.
 */
import { addRing } from '../../collectives/algorithms.js';
import { partBytes, type MessageList, type NewMessage } from '../../collectives/message-list.js';
import type { GroupServers } from './nccl-settings.js';

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

/** Number of chunks in SimAI's all-reduce by trees. */
export const TREE_CHUNKS = 64;
const TREES = 2;

/** A tree over members. */
interface Tree {
  /** Parent of each member; -1 for the root. */
  readonly parentOf: readonly number[];
  /** Children of each member, in the order in which they are attached: the chain first, then servers. */
  readonly childrenOf: readonly (readonly number[])[];
}

/**
 * Trees of SimAI's channels for all-reduce (docs/specs/workloads.md, 4.4): two binary trees over the servers, the
 * second equal to the first with every server replaced by the next one; in each server, a chain starting at the member
 * in the tree. There are as many pairs of trees as members in a server, each starting at a different member. Each tree
 * carries an equal part in 64 chunks, up to the root and down again; a leaf sends a chunk after it has sent the
 * previous one.
 *
 * @param channels number of pairs of trees, at most the number of members in a server.
 */
export function addTreeChannels(list: MessageList, group: GroupServers, sizeBytes: number, channels: number): void {
  const trees = channels * TREES;
  for (let number = 0; number < trees; number++) {
    const tree = treeOf(group, Math.floor(number / TREES), number % TREES);
    const bytes = partBytes(sizeBytes, trees, number);
    const last: number[] = tree.parentOf.map(() => -1);
    for (let chunk = 0; chunk < TREE_CHUNKS; chunk++) {
      addUpAndDown(list, tree, { step: chunk, bytes: partBytes(bytes, TREE_CHUNKS, chunk), stream: number }, last);
    }
  }
}

interface Chunk {
  readonly step: number;
  readonly bytes: number;
  readonly stream: number;
}

/** @param last each leaf's message of the previous chunk, updated by this call. */
function addUpAndDown(list: MessageList, { parentOf, childrenOf }: Tree, chunk: Chunk, last: number[]): void {
  const order = upwards(parentOf, childrenOf);
  const fromChildren: number[][] = parentOf.map(() => []);
  for (const from of order) {
    const to = parentOf[from];
    if (to < 0) continue;
    const isLeaf = childrenOf[from].length === 0;
    const sent = list.add({ ...chunk, from, to, ...(isLeaf && last[from] >= 0 ? { afterSent: last[from] } : {}) },
      fromChildren[from]);
    if (isLeaf) last[from] = sent;
    fromChildren[to].push(sent);
  }
  const received: number[][] = parentOf.map((parent, member) => (parent < 0 ? fromChildren[member] : []));
  for (const from of order.reverse()) {
    for (const to of childrenOf[from]) received[to] = [list.add({ ...chunk, from, to }, received[from])];
  }
}

/** Members ordered so that each comes after all of its children. */
function upwards(parentOf: readonly number[], childrenOf: Tree['childrenOf']): number[] {
  const order: number[] = [];
  for (let level = [parentOf.indexOf(-1)]; level.length > 0;) {
    order.push(...level);
    level = level.flatMap((member) => childrenOf[member]);
  }
  return order.reverse();
}

function treeOf({ servers, perServer }: GroupServers, rotation: number, shift: number): Tree {
  const parentOf = Array.from({ length: servers * perServer }, () => -1);
  const childrenOf: number[][] = parentOf.map(() => []);
  const attach = (child: number, parent: number): void => {
    parentOf[child] = parent;
    childrenOf[parent].push(child);
  };
  const member = (server: number, place: number): number => server * perServer + ((place + rotation) % perServer);
  for (let server = 0; server < servers; server++) {
    for (let place = 1; place < perServer; place++) attach(member(server, place), member(server, place - 1));
  }
  for (const [child, parent] of serverEdges(servers)) {
    attach(member((child + shift) % servers, 0), member((parent + shift) % servers, 0));
  }
  return { parentOf, childrenOf };
}

/**
 * Child and parent: of each four neighbours, the second is the parent of the first and third, and goes to the next
 * level with the fourth.
 */
function serverEdges(servers: number): (readonly [number, number])[] {
  const edges: (readonly [number, number])[] = [];
  let level = Array.from({ length: servers }, (_, server) => server);
  while (level.length > 1) {
    const next: number[] = [];
    for (let at = 0; at < level.length; at += 4) {
      const [first, second, third, fourth] = level.slice(at, at + 4) as (number | undefined)[];
      if (first === undefined) break;
      if (second !== undefined) edges.push([first, second]);
      if (second !== undefined && third !== undefined) edges.push([third, second]);
      next.push(second ?? first, ...(fourth === undefined ? [] : [fourth]));
    }
    level = next;
  }
  return edges;
}

/** Number of chunks in SimAI's all-reduce by NVLS. */
export const NVLS_CHUNKS = 4;
/** Streams: the two directions of a GPU's NVLink. */
const [UP, DOWN] = [0, 1];

/**
 * All-reduce by NVLS (docs/specs/workloads.md, 4.4): each GPU sends the buffer to its NVSwitch in 4 chunks; when the
 * switch has a chunk of all members, it sends the sum to each. Chunks use the GPU's NVLink one after another, in each
 * direction.
 *
 * Deviation: such messages are not sent as packets, because no switch of the network can terminate a flow; they do not
 * share the link with other collectives.
 */
export function addNvls(list: MessageList, n: number, sizeBytes: number): void {
  for (let step = 0; step < NVLS_CHUNKS; step++) {
    const bytes = partBytes(sizeBytes, NVLS_CHUNKS, step);
    const message = (stream: number, rank: number): NewMessage => ({
      step,
      from: rank,
      to: rank,
      bytes,
      stream,
      isLocal: true,
    });
    const up = Array.from({ length: n }, (_, rank) => list.add(message(UP, rank)));
    for (let rank = 0; rank < n; rank++) list.add(message(DOWN, rank), up);
  }
}
