/** One probe: a request and its replies. Plain data, bounded for any input. */
import type { QosData } from '../wire/discovery/qos-data.js';
import { RoceFcIcmp, type RoceFcReply } from '../wire/discovery/roce-fc-icmp.js';
import { sameBytes } from '../wire/bytes.js';

/** A reply as received. */
export interface ReceivedReply {
  /** 16 bytes: source of its packet. */
  readonly from: Uint8Array;
  /** The reply, parsed. */
  readonly reply: RoceFcReply;
}

/** A reply of a probe. */
export interface ProbeReply extends ReceivedReply {
  /** Arrival time, picoseconds. */
  readonly atPs: number;
}

/** One request, and its replies so far. */
export interface Probe {
  /** ID that replies repeat. */
  readonly idNumber: number;
  /** ID number of the probe, which replies repeat. */
  readonly destination: Uint8Array;
  /** Requested treatment; absent if the request was empty. */
  readonly policy?: QosData;
  /** Maximum number of routers on the path. */
  readonly maxHops: number;
  /** Send time, picoseconds. */
  readonly startedPs: number;
  /** Replies after this time are late. */
  readonly deadlinePs: number;
  /** In order of arrival; at most one per hop number and flag, the first to arrive. */
  readonly replies: readonly ProbeReply[];
  /** Replies that contradict the first one with their hop number and flag; at most `maxHops` + 1 are kept. */
  readonly conflicts: readonly ProbeReply[];
  /** Number of replies that repeat another. */
  readonly duplicateCount: number;
  /** Number of impossible replies: a router at hop 0, or a hop beyond `maxHops`. */
  readonly impossibleCount: number;
}

/** The outcome of a reply that belongs to a probe. */
export type ReplyFate = 'accepted' | 'duplicate' | 'conflict' | 'impossible';

/** Adds a reply to its probe. */
export function addReply(probe: Probe, received: ReceivedReply, nowPs: number): { probe: Probe; fate: ReplyFate } {
  const { reply } = received;
  if (!isPossible(reply, probe.maxHops)) {
    return { probe: { ...probe, impossibleCount: probe.impossibleCount + 1 }, fate: 'impossible' };
  }
  const known = [...probe.replies, ...probe.conflicts];
  if (known.some((other) => isSameReply(other, received))) {
    return { probe: { ...probe, duplicateCount: probe.duplicateCount + 1 }, fate: 'duplicate' };
  }
  const arrived = { ...received, atPs: nowPs };
  if (!probe.replies.some((other) => isSamePlace(other.reply, reply))) {
    return { probe: { ...probe, replies: [...probe.replies, arrived] }, fate: 'accepted' };
  }
  const conflicts = probe.conflicts.length > probe.maxHops ? probe.conflicts : [...probe.conflicts, arrived];
  return { probe: { ...probe, conflicts }, fate: 'conflict' };
}

/** Whether the destination and each router before it have replied. */
export function isComplete({ replies }: Probe): boolean {
  const final = replies.find(({ reply }) => RoceFcIcmp.isFinalDestination(reply));
  if (final === undefined) return false;
  const hopCount = final.reply.outboundHopCount;
  const routers = replies.filter(({ reply }) =>
    !RoceFcIcmp.isFinalDestination(reply) && reply.outboundHopCount <= hopCount
  );
  return routers.length === hopCount;
}

function isPossible(reply: RoceFcReply, maxHops: number): boolean {
  const leastHop = RoceFcIcmp.isFinalDestination(reply) ? 0 : 1;
  return reply.outboundHopCount >= leastHop && reply.outboundHopCount <= maxHops;
}

function isSamePlace(a: RoceFcReply, b: RoceFcReply): boolean {
  return a.outboundHopCount === b.outboundHopCount &&
    RoceFcIcmp.isFinalDestination(a) === RoceFcIcmp.isFinalDestination(b);
}

function isSameReply(a: ReceivedReply, b: ReceivedReply): boolean {
  return isSamePlace(a.reply, b.reply) && a.reply.code === b.reply.code && a.reply.flags === b.reply.flags &&
    a.reply.returnHopCount === b.reply.returnHopCount && sameBytes(a.from, b.from) &&
    sameBytes(a.reply.data, b.reply.data);
}
