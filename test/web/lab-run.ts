/** A run as in the page of the lab: by the job of its worker, sample by sample. */
import { compileScenario, validateScenario, type ScenarioSpec } from '../../src/sim/index.js';
import { RunData } from '../../web/page/run-data.js';
import { RunJob, type FinishedRun } from '../../web/worker/run-job.js';
import { scenarioFacts } from '../../web/worker/scenario-facts.js';

export async function labRun(spec: ScenarioSpec): Promise<{ readonly data: RunData; readonly run: FinishedRun }> {
  const compiled = compileScenario(validateScenario(spec));
  const data = new RunData(scenarioFacts(compiled));
  const run = await new RunJob(compiled, {
    onSamples: (chunk) => {
      data.add(chunk);
    },
  }).run();
  data.outcome = run.outcome;
  return { data, run };
}
