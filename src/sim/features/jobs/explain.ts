/** Explains the completion times of jobs by their critical paths. */
import type { CriticalPath, CriticalStep, JobResult, SimResult } from '../../result.js';
import { type Explanation, answerOf, finding, type Finding, reason } from '../../explain/explanation.js';
import { CRITICAL_PARTS, type CriticalPart } from '../../explain/sentences/network.js';
import { timeWords } from '../../explain/text.js';

/** Maximum number of ports and steps to name. */
const PORTS_NAMED = 3;
const STEPS_NAMED = 6;
const PARTS = Object.keys(CRITICAL_PARTS) as CriticalPart[];

export function explainJobs({ jobs = [] }: SimResult): Explanation[] {
  return jobs.flatMap((job) => (job.criticalPath === undefined ? [] : [explainJob(job, job.criticalPath)]));
}

function explainJob(job: JobResult, path: CriticalPath): Explanation {
  const { name, completionPs, straggler, hosts } = job;
  const wholePs = completionPs ?? 0;
  const parts = PARTS.map((part) => ({ part, timePs: path[part] })).filter(({ timePs }) => timePs > 0)
    .sort((a, b) => b.timePs - a.timePs);
  return {
    topic: 'job',
    code: 'job-duration',
    question: `Why did job ${name} take ${timeWords(wholePs)}?`,
    ...answerOf(finding('critical-path', { steps: path.stepCount, completionPs: wholePs, parts }), portsFinding(path),
      finding('job-ended-on', { rank: straggler, host: hosts[straggler] ?? null }), ...stepFindings(path.steps)),
    because: [
      reason('completion', wholePs),
      ...PARTS.map((part) => reason('critical-part', path[part], { part })),
      ...path.ports.slice(0, PORTS_NAMED).map(({ port, waitPs }) => reason('time-waited-at', waitPs, { port })),
    ],
    missing: [],
  };
}

function portsFinding({ ports, queueingPs }: CriticalPath): Finding | undefined {
  if (ports.length === 0 || queueingPs <= 0) return undefined;
  return finding('messages-waited-at', {
    ports: ports.slice(0, PORTS_NAMED).map(({ port, waitPs }) => ({ port, waitPs })),
  });
}

/** Findings on the longest steps, in order of time. */
function stepFindings(steps: readonly CriticalStep[]): Finding[] {
  const longest = [...steps].sort((a, b) => b.toPs - b.fromPs - (a.toPs - a.fromPs)).slice(0, STEPS_NAMED);
  return longest.sort((a, b) => a.fromPs - b.fromPs).map(({ what, fromPs, toPs, waitedPs, flow }) =>
    finding('long-step', { step: what, flow: flow < 0 ? null : flow, fromPs, lastsPs: toPs - fromPs, waitedPs })
  );
}
