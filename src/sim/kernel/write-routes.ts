/** Writes the routes into the kernel's memory, in the layout of src/abi/records/network.ts. */
import { SIM_GROUPS, SIM_NONE, SIM_ROUTES } from '../../abi/sim-codes.js';
import type { NetworkPlan } from '../plan.js';
import { DIRECT } from '../route-table.js';
import type { Steps } from '../steps.js';
import type { SimAbi } from './sim-abi.js';
import { ROUTE_WORDS_PER_NODE, SIM_DIRECT } from '../../abi/records/network.js';

const COLUMNS_PER_STEP = 64;

/** Writes groups as { count, ports… }, then the group of each node. */
export function* writeRoutes(abi: SimAbi, { nodes, groups, routes: { parts } }: NetworkPlan): Steps<void> {
  const words = new Uint32Array(abi.memory.buffer);
  const placeOf = groupPlaces(words.subarray(abi.simRegion(SIM_GROUPS) >>> 2), groups);
  const place = (group: number): number => (group === DIRECT ? SIM_DIRECT : placeOf[group] ?? SIM_NONE);
  const rows = nodes.flatMap(({ kind }, node) => (kind === 'switch' ? [parts.rowOf[node]] : []));
  const at = abi.simRegion(SIM_ROUTES) >>> 2;
  nodes.forEach((_, node) => {
    const column = parts.columnOf[node];
    words[at + node] = column < 0 ? SIM_NONE : column * rows.length;
    words[at + nodes.length + node] = place(parts.directOf[node]);
  });
  let entry = at + nodes.length * ROUTE_WORDS_PER_NODE;
  for (const [index, column] of parts.columns.entries()) {
    for (const row of rows) words[entry++] = place(column[row]);
    if (index % COLUMNS_PER_STEP === 0) yield;
  }
}

/** Writes the groups; returns the first word of each. */
function groupPlaces(words: Uint32Array, groups: NetworkPlan['groups']): Uint32Array {
  let word = 0;
  return Uint32Array.from(groups, (group) => {
    const first = word;
    words[word++] = group.length;
    for (const port of group) words[word++] = port;
    return first;
  });
}
