/** Runs the start page's experiment in a worker. */
import { config } from 'zod';
import type { ExperimentSettings } from './scenario.js';

// Set before any schema is made: otherwise zod would try `new Function`, which the page's content policy forbids and
// reports.
config({ jitless: true });
const experiment = import('./experiment.js');

addEventListener('message', ({ data }: MessageEvent<ExperimentSettings>) => {
  void experiment.then(({ runExperiment }) => {
    postMessage(runExperiment(data));
  });
});
