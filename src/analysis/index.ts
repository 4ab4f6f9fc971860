/**
 * `roce-cc/analysis`: sums that operators do on paper: convergence and buffer, ECN thresholds, PFC headroom.
 *
 * @packageDocumentation
 */
export * from './convergence.js';
export * from './ecn-thresholds.js';
export * from './pfc-headroom.js';
