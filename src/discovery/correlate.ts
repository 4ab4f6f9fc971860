/**
 * Reconstructs the path from the replies to a probe: the node at each hop, and the missing hops.
 *
 *   routers      flag 0, hop numbers 1..N by outbound hop count, in any order of arrival
 *   destination  flag 1, hop count N: the same as the last router's, since it does not increment the count
 *   missing      numbers of 1..N without a reply; without destination, of 1..the largest number that replied
 */
import { requireRecord } from '../wire/bytes.js';
import { RoceFcIcmp } from '../wire/discovery/roce-fc-icmp.js';
import type { Probe, ProbeReply } from './probe.js';
import { type ReportedQos, readReportedQos } from './policy.js';

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
