/**
 * Servers that a group of GPUs is spread over. SimAI takes the same number of members in each, at the same places: with
 * anything else its rings leave the group, so such a group counts as one server here, in the order of its ranks.
 */

/** Members of a group by their place in it: those of a server are neighbours. */
export interface GroupServers {
  readonly servers: number;
  /** Members in each of them. */
  readonly perServer: number;
  /** Whether the members are unevenly spread, and taken as one server. */
  readonly isUneven: boolean;
}

/** @param members ranks in ascending order; GPU i is in server i / `gpusPerServer`. */
export function groupServers(members: readonly number[], gpusPerServer: number): GroupServers {
  const counts = new Map<number, number>();
  for (const rank of members) {
    const server = Math.floor(rank / gpusPerServer);
    counts.set(server, (counts.get(server) ?? 0) + 1);
  }
  const perServer = members.length / counts.size;
  const isUneven = [...counts.values()].some((count) => count !== perServer);
  return isUneven ?
    { servers: 1, perServer: members.length, isUneven } :
    { servers: counts.size, perServer, isUneven };
}
