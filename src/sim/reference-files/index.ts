/** Reader of the reference simulator's own files. */
export { readReferenceExperiment, type ReferenceExperiment } from './reference-scenario.js';
