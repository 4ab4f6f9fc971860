/**
 * The tables of all workload formats, in the order of docs/reference/workload-formats.md, which is generated from them.
 */
import { CHAKRA_FORMAT } from './chakra/format.js';
import type { FormatTable } from './format-table.js';
import { GOAL_BINARY_FORMAT, GOAL_FORMAT } from './goal/format.js';
import { MATRIX_FORMAT, TOPOLOGY_FORMAT } from './htsim/format.js';
import { NCCL_XML_FORMAT } from './nccl-xml/format.js';
import { SIMAI_TOPOLOGY_FORMAT, SIMAI_WORKLOAD_FORMAT } from './simai/formats.js';

export const FORMAT_TABLES: readonly FormatTable[] = [
  CHAKRA_FORMAT,
  GOAL_FORMAT,
  GOAL_BINARY_FORMAT,
  MATRIX_FORMAT,
  TOPOLOGY_FORMAT,
  SIMAI_WORKLOAD_FORMAT,
  SIMAI_TOPOLOGY_FORMAT,
  NCCL_XML_FORMAT,
];
