/** The tables of all formats of workloads, in the order of docs/workload-formats.md, which is made from them. */
import { CHAKRA_FORMAT } from './chakra/format.js';
import type { FormatTable } from './format-table.js';
import { GOAL_BINARY_FORMAT, GOAL_FORMAT } from './goal/format.js';
import { MATRIX_FORMAT, TOPOLOGY_FORMAT } from './htsim/format.js';

export const FORMAT_TABLES: readonly FormatTable[] = [
  CHAKRA_FORMAT,
  GOAL_FORMAT,
  GOAL_BINARY_FORMAT,
  MATRIX_FORMAT,
  TOPOLOGY_FORMAT,
];
