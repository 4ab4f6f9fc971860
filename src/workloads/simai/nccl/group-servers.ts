/**
 * The servers over which a group of GPUs is distributed. SimAI assumes the same number of members at the same positions
 * in each; otherwise its rings leave the group, so such a group is treated as one server here, in rank order.
 */

/** Members of a group by their index in it; those of a server are adjacent. */
export interface GroupServers {
  readonly servers: number;
  /** Number of members in each server. */
  readonly perServer: number;
  /** Whether the members are unevenly distributed, and treated as one server. */
  readonly isUneven: boolean;
}

/** @param members ranks in ascending order; GPU i is in server floor(i / gpusPerServer). */
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
