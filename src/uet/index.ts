/**
 * `roce-cc/uet`: uet-htsim (Ultra Ethernet Transport) as a kernel and as a readable model. It takes the program's arguments
 * and files, and returns its numbers.
 */
export { runUetReference, uetReference, type UetImplementation, type UetRun,
  type UetRunOptions } from './run-uet-reference.js';
export { UET_FLOW_COLUMNS, UET_MESSAGE_COLUMNS, type UetFlowColumn, type UetFlowResult, type UetMessageColumn,
  type UetMessageResult, type UetPackets, type UetResult, type UetTotals, uetFlowsToCsv,
  uetMessagesToCsv } from './results.js';
export type { UetTrace } from './run-context.js';
