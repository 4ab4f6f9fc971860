/**
 * `roce-cc/analysis`: back-of-the-envelope calculations: convergence and buffer, ECN thresholds, PFC headroom.
 *
 * @packageDocumentation
 */
export * from './convergence.js';
export * from './ecn-thresholds.js';
export * from './pfc-headroom.js';
export * from './port-headroom.js';
export { CABLE_DELAY_PS_PER_M, CABLE_MAX_M, HEADROOM_ALLOWANCES, portHeadroom } from './port-headroom.js';
export type { HeadroomAllowances, HeadroomTerm, HeadroomTermName, PortHeadroom,
  PortHeadroomInput } from './port-headroom.js';
