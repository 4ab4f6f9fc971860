/** Compiles a scenario with discovery: the flows start after it, with the resulting settings of switches. */
import type { CompiledScenario } from '../../compile/compiled-scenario.js';
import { discoveryWords } from './explain.js';
import type { JobPlan } from '../jobs/plan.js';
import { note, sentenceOf } from '../../notes/note.js';
import type { KernelScenario } from '../../scenario/valid-scenario.js';
import type { WorkloadFlow } from '../../workload/workload-flow.js';
import { WorkloadFlows } from '../../workload/workload-flows.js';
import { discover } from './discover.js';
import { withWrongMaps } from './node-settings.js';

/** @throws RoceError `invalid-scenario` as `compile`, and if discovery finds a mismatch that the scenario rejects. */
export function compileDiscovered(valid: KernelScenario,
  compile: (valid: KernelScenario) => CompiledScenario): CompiledScenario {
  const { discovery } = valid;
  if (discovery === null) return compile(valid);
  const dataClasses = classesOf(valid.flows);
  const { result, valid: after, packets } = discover(valid, discovery, compile(valid), dataClasses);
  const compiled = compile(startingLater(withWrongMaps(after, dataClasses), result.endPs));
  const { paths, endPs } = result;
  const found = note('discovery-done', { text: discoveryWords(result), paths: paths.length, endPs });
  return {
    ...compiled,
    notes: [...compiled.notes, sentenceOf(found)],
    noteRecords: [...compiled.noteRecords, found],
    discovery: { result, packets },
  };
}

/** Classes of data as a bit mask. */
function classesOf(flows: Iterable<WorkloadFlow>): number {
  let classes = 0;
  for (const { trafficClass } of flows) classes |= 1 << trafficClass;
  return classes;
}

/** Delays the scenario: flows that no operation starts, jobs that wait for no other job, and the end. */
function startingLater(valid: KernelScenario, byPs: number): KernelScenario {
  const flows = new WorkloadFlows();
  let index = 0;
  for (const flow of valid.flows) {
    const later = isOfJob(valid.jobs, index) ? flow : { ...flow, startPs: flow.startPs + byPs };
    flows.add(later, valid.flows.leaderOf(index));
    index += 1;
  }
  const jobs = valid.jobs.map((job) => (job.after < 0 ? { ...job, startPs: job.startPs + byPs } : job));
  return { ...valid, flows, jobs, endPs: valid.endPs + byPs };
}

function isOfJob(jobs: readonly JobPlan[], flow: number): boolean {
  return jobs.some(({ firstFlow, flows }) => flow >= firstFlow && flow < firstFlow + flows);
}
