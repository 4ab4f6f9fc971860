/** The library functions that tests of runs use. */
export { runScenarioSync } from '../../../src/sim/index.js';
export { parseGoal } from '../../../src/workloads/index.js';
