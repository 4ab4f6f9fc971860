/** What tests of runs use of the library. */
export { runScenarioSync } from '../../../src/sim/index.js';
export { parseGoal } from '../../../src/workloads/index.js';
