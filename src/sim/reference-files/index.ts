/** Reader of the reference simulator's own files. */
export { readReferenceExperiment, type ReferenceExperiment } from './reference-scenario.js';
export { simaiScenario, type SimaiParts } from './simai-scenario.js';
