/** Runs the start page's experiment in a worker. */
import { config } from 'zod';
import type { ExperimentSettings } from './scenario.js';

// Before any schema is made: zod would try `new Function`, which the page's content policy forbids and reports.
config({ jitless: true });
const experiment = import('./experiment.js');

addEventListener('message', ({ data }: MessageEvent<ExperimentSettings>) => {
  void experiment.then(({ runExperiment }) => {
    postMessage(runExperiment(data));
  });
});
