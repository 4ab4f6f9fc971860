/**
 * One probe: a request, its replies, and the path reconstructed from them. Plain data, bounded for any input.
 *
 *   routers      flag 0, hop numbers 1..N by outbound hop count, in any order of arrival
 *   destination  flag 1, hop count N: the same as the last router's, since it does not increment the count
 *   missing      numbers of 1..N without a reply; without destination, of 1..the largest number that replied
 */
import { sameBytes, requireRecord } from '../wire/bytes.js';
import type { QosData } from '../wire/discovery/qos-data.js';
import { RoceFcIcmp, type RoceFcReply } from '../wire/discovery/roce-fc.js';
import { type ReportedQos, readReportedQos } from './policy.js';

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

/** A node of the path. */
export interface PathNode {
  /** Routers: 1..N; the destination: N, the same as the last router. */
  readonly hop: number;
  /** Whether it is the destination of the probe. */
  readonly isDestination: boolean;
  /** 16 bytes: the source of its reply. */
  readonly address: Uint8Array;
  /** 0 supported, 1 not, 2 partially. */
  readonly code: number;
  /** The QoS data that it reported. */
  readonly reported: ReportedQos;
  /** As reported; its meaning depends on the node (`ReturnHopCountReading`). */
  readonly returnHopCount: number;
  /** From the start of the probe to the reply, picoseconds. */
  readonly roundTripPs: number;
}

/** A probe with its replies, in order of hops. */
export interface Path {
  /** The probe. */
  readonly probe: Probe;
  /** Routers in order of hops, up to the destination. */
  readonly routers: readonly PathNode[];
  /** Absent if it did not reply. */
  readonly destination?: PathNode;
  /** Number of routers before the destination; undefined if it did not reply. */
  readonly hopCount?: number;
  /** Hop numbers of routers that must exist but did not reply. */
  readonly missingHops: readonly number[];
  /** Routers that report a hop beyond the destination's. */
  readonly beyond: readonly PathNode[];
  /** Further replies with the destination's flag and a different hop count. */
  readonly otherDestinations: readonly PathNode[];
  /** Replies that contradict the first one with the same hop and flag. */
  readonly conflicts: readonly PathNode[];
}

/**
 * Reconstructs the path from a probe's replies. May be called at any time; the result is final once the probe is over.
 */
export function correlateReplies(probe: Probe): Path {
  requireRecord('probe', probe);
  const nodes = probe.replies.map((reply) => pathNode(probe, reply));
  // The first to arrive; any others become findings, since it is unknown which is correct.
  const [destination, ...otherDestinations] = nodes.filter(({ isDestination }) => isDestination);
  const all = nodes.filter(({ isDestination }) => !isDestination).sort((a, b) => a.hop - b.hop);
  const lastHop = destination?.hop ?? all.at(-1)?.hop ?? 0;
  const routers = all.filter(({ hop }) => hop <= lastHop);
  return {
    probe,
    routers,
    ...(destination !== undefined && { destination, hopCount: destination.hop }),
    missingHops: missingHops(routers, lastHop),
    beyond: all.filter(({ hop }) => hop > lastHop),
    otherDestinations,
    conflicts: probe.conflicts.map((reply) => pathNode(probe, reply)),
  };
}

/** Routers and, if it replied, the destination, in the order of the path. */
export function nodesOfPath(path: Path): readonly PathNode[] {
  requireRecord('path', path);
  const { routers, destination } = path;
  return destination === undefined ? routers : [...routers, destination];
}

function missingHops(routers: readonly PathNode[], lastHop: number): number[] {
  const seen = new Set(routers.map(({ hop }) => hop));
  return Array.from({ length: lastHop }, (_, index) => index + 1).filter((hop) => !seen.has(hop));
}

function pathNode(probe: Probe, { from, reply, atPs }: ProbeReply): PathNode {
  return {
    hop: reply.outboundHopCount,
    isDestination: RoceFcIcmp.isFinalDestination(reply),
    address: from,
    code: reply.code,
    reported: readReportedQos(reply.data),
    returnHopCount: reply.returnHopCount,
    roundTripPs: atPs - probe.startedPs,
  };
}
