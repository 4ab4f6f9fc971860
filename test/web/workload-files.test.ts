/** Workload files in the lab: each format of which a workload is one file runs as it does on the command line. */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runScenarioSync, type ScenarioSpec } from '../../src/sim/index.js';
import { WorkloadGraph } from '../../src/workloads/graph/workload-graph.js';
import { JOB_FORMATS } from '../../src/workloads/job-formats.js';
import { readConnectionMatrix } from '../../src/workloads/index.js';
import { compileText } from '../../web/worker/scenario-facts.js';
import { RunJob } from '../../web/worker/run-job.js';
import { graphsOfScenario, scenarioTextOf } from '../../web/worker/workload-files.js';

const SAMPLES = new URL('../workloads/samples/', import.meta.url);
const NAMES = readdirSync(SAMPLES, { recursive: true }) as string[];
const ENDINGS = Object.values(JOB_FORMATS).flatMap(({ endings }) => endings);
const SAMPLES_BY_ENDING = ENDINGS.map((ending) =>
  NAMES.sort().find((name) => name.endsWith(ending) && !name.startsWith('malformed'))!
);

const opened = (sample: string): File =>
  new File([readFileSync(new URL(sample, SAMPLES))], sample.slice(sample.lastIndexOf('/') + 1));

/** As passed in messages between page and workers. */
async function labHash(text: string, files: readonly File[]): Promise<string> {
  const graphs = structuredClone(await graphsOfScenario(text, files));
  return (await new RunJob(compileText(text, undefined, graphs), { onSamples: () => undefined }).run()).outcome.hash;
}

describe('A workload file in the lab', () => {
  it.each(SAMPLES_BY_ENDING)('becomes a scenario that runs as on the command line: %s', async (sample) => {
    const file = opened(sample);
    const text = await scenarioTextOf(file);
    const { [file.name]: parts } = await graphsOfScenario(text, [file]);
    const graphs = { [file.name]: new WorkloadGraph(parts!) };
    expect(await labHash(text, [file])).toBe(runScenarioSync(JSON.parse(text) as ScenarioSpec, { graphs }).hash);
  });

  it('may be compressed', async () => {
    const plain = opened('htsim/plain-8.cm');
    const file = new File([gzipSync(await plain.bytes())], `${plain.name}.gz`);
    const text = await scenarioTextOf(file);
    expect(await labHash(text, [file])).toBe(await labHash(await scenarioTextOf(plain), [plain]));
  });

  it('is read with the settings of its job', async () => {
    const file = opened('htsim/plain-8.cm');
    const spec = JSON.parse(await scenarioTextOf(file)) as { workload: object };
    const text = JSON.stringify({ ...spec, workload: { ...spec.workload, startUnit: 'us' } });
    const { [file.name]: graph } = await graphsOfScenario(text, [file]);
    const inUs = await readConnectionMatrix(await file.bytes(), { startUnit: 'us' });
    expect(graph!.operations.amount).toEqual(inUs.operations.amount);
  });

  it('is named in the error if it has not been opened, or if its name matches no format', async () => {
    const text = await scenarioTextOf(opened('htsim/plain-8.cm'));
    expect(await graphsOfScenario(text, [])).toEqual({});
    expect(() => compileText(text)).toThrow(/plain-8\.cm/);
    await expect(scenarioTextOf(new File([], 'a.doc'))).rejects.toThrow(
      /^a\.doc must have one of the endings .*\.goal/,
    );
    expect(await graphsOfScenario('{', [])).toEqual({});
  });
});
