/**
 * `roce-cc/analysis`: back-of-the-envelope calculations: convergence and buffer, ECN thresholds, PFC headroom.
 *
 * @packageDocumentation
 */
export * from './convergence.js';
export * from './ecn-thresholds.js';
export * from './headroom.js';
