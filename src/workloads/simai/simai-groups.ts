/**
 * Groups of ranks in SimAI's workloads (docs/specs/workloads.md, 4.3), each within a stage of the pipeline: tensor =
 * adjacent ranks; data = every n-th; expert = adjacent ranks within a data group; data-expert = ranks at the same
 * position in all expert groups of a data group.
 */
import type { SimaiHeader } from './simai-header.js';
import type { SimaiGroup } from './simai-layers.js';

type Groups = Pick<SimaiHeader, 'ranks' | 'tensor' | 'expert' | 'stages'>;

/** Number of members in a group of this kind. */
export function groupSize({ ranks, tensor, expert, stages }: Groups, group: SimaiGroup): number {
  const data = ranks / stages / tensor;
  return { tensor, data, expert, 'data-expert': data / expert }[group];
}

/** Members of the group that a rank is in, in ascending order. */
export function membersOf(header: Groups, group: SimaiGroup, rank: number): number[] {
  const { ranks, tensor, expert, stages } = header;
  const place = rank % (ranks / stages);
  const [row, column] = [Math.floor(place / tensor), place % tensor];
  const first = {
    tensor: place - column,
    data: column,
    expert: column + (row - (row % expert)) * tensor,
    'data-expert': column + (row % expert) * tensor,
  }[group];
  const apart = { tensor: 1, data: tensor, expert: tensor, 'data-expert': tensor * expert }[group];
  return Array.from({ length: groupSize(header, group) }, (_, index) => rank - place + first + index * apart);
}
