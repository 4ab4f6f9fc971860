/**
 * `roce-cc/flow-control`: precise flow control by ARN messages (draft-hu-rtgwg-rocev2-fcn-00, section 4.1).
 *
 * @packageDocumentation
 */
export * from './arn-for.js';
export type { FlowControlMode, Pause, PauseSubject } from './pause-table.js';
export * from './precise-flow-control.js';
