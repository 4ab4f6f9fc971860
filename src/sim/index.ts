/**
 * `roce-cc/sim`: a packet-level simulator of RoCEv2 networks. Scenarios are plain data; a run is the same in every engine.
 */
export { compileScenario, type CompiledScenario } from './compile/compile-scenario.js';
export type { RecordPlan } from './compile/record-plan.js';
export type * from './plan.js';
export type * from './result.js';
export { SCENARIO_SCHEMA } from './scenario/published-schema.js';
export type * from './scenario/spec.js';
export type { ValidScenario } from './scenario/valid-scenario.js';
export { validateScenario } from './scenario/validate.js';
