/** Explains the completion times of jobs by their critical paths. */
import type { CriticalPath, CriticalStep, JobResult, SimResult } from '../result.js';
import { countWords, percentWords, reason, timeWords, type Explanation, type TextPart } from './explanation.js';
import { findingsOf, instantText, listText, listWords, portText, text, type Text } from './text.js';

/** Maximum number of ports and steps to name. */
const PORTS_NAMED = 3;
const STEPS_NAMED = 6;
const PARTS: readonly (readonly [keyof CriticalPath, string])[] = [
  ['computePs', 'computing'],
  ['messagePs', 'messages alone'],
  ['queueingPs', 'waiting in queues'],
  ['heldBackPs', 'senders held back by congestion control or pauses'],
  ['overheadPs', 'overheads of sends and receives'],
  ['otherPs', 'waiting for receives and lanes'],
];

export function explainJobs({ jobs = [] }: SimResult): Explanation[] {
  return jobs.flatMap((job) => (job.criticalPath === undefined ? [] : [explainJob(job, job.criticalPath)]));
}

function explainJob(job: JobResult, path: CriticalPath): Explanation {
  const { name, completionPs, straggler, hosts } = job;
  const wholePs = completionPs ?? 0;
  const parts = PARTS.map(([key, words]) => ({ words, timePs: path[key] as number })).filter(({ timePs }) => timePs > 0)
    .sort((a, b) => b.timePs - a.timePs);
  const shares = parts.map(({ words, timePs }) => `${timeWords(timePs)} (${percentWords(timePs / wholePs)}) ${words}`);
  return {
    topic: 'job',
    code: 'job-duration',
    question: `Why did job ${name} take ${timeWords(wholePs)}?`,
    ...findingsOf(
      `The chain of operations that ended last has ${countWords(path.stepCount, 'step')}: ${listWords(shares)}.`,
      portWords(path),
      `It ended on rank ${straggler} (${hosts[straggler] ?? 'no host'}).`,
      ...stepTexts(path.steps),
    ),
    because: [
      reason('completion', wholePs, 'ps'),
      ...PARTS.map(([key, words]) => reason(words, path[key] as number, 'ps')),
      ...path.ports.slice(0, PORTS_NAMED).map(({ port, waitPs }) =>
        reason(`waited at ${port}, estimated`, waitPs, 'ps')
      ),
    ],
    missing: [],
  };
}

function portWords({ ports, queueingPs }: CriticalPath): Text {
  if (ports.length === 0 || queueingPs <= 0) return '';
  const named = ports.slice(0, PORTS_NAMED).map(({ port, waitPs }) => text`${portText(port)} (${timeWords(waitPs)})`);
  return text`Its messages waited most at ${listText(named)}, by the queues that were sampled.`;
}

/** The longest ones, in order of time. */
function stepTexts(steps: readonly CriticalStep[]): Text[] {
  const longest = [...steps].sort((a, b) => b.toPs - b.fromPs - (a.toPs - a.fromPs)).slice(0, STEPS_NAMED);
  return longest.sort((a, b) => a.fromPs - b.fromPs).map(stepText);
}

function stepText({ what, fromPs, toPs, waitedPs, flow }: CriticalStep): Text {
  const named: readonly TextPart[] = [flow < 0 ? { text: what } : { text: what, flow }];
  return text`Long step at ${instantText(fromPs)}: ${named}: ${timeWords(toPs - fromPs)}${
    waitedPs > 0 ? ` (${timeWords(waitedPs)} waiting)` : ''
  }.`;
}
