/**
 * Explanations of features: equal paths and reordering, QPs of several messages, jobs, and runs of fidelity `reference-uet`.
 * uet-htsim records neither single ports nor anything over time.
 */
import type { FlowResult, SimResult, Summary, EqualPathsResult, CriticalPath, CriticalStep,
  JobResult } from '../result.js';
import { lineRateBps } from './bottleneck.js';
import { type Explanation, answerOf, finding, type Finding, reason, type Reason, type FindingFigures,
  maxBy } from './explanation.js';
import { CRITICAL_PARTS, type CriticalPart } from './sentences/network.js';
import { timeWords } from './text.js';

/** Tolerance: a rounding error of a double is not a rate cut. */
const NEARLY = 1 - 1e-9;
/** Maximum number of ports and steps to name. */
const PORTS_NAMED = 3;
const STEPS_NAMED = 6;
const PARTS = Object.keys(CRITICAL_PARTS) as CriticalPart[];

/** Explains fairness of equal paths and reordering, of scenarios with load balancing or flows that changed their source port. */
export function explainPaths({ equalPaths: paths = [], flows, summary, totals }: SimResult): Explanation | undefined {
  const { detours = 0, outOfOrderPackets = 0, pathFairness } = summary;
  if (paths.length === 0 && detours === 0) return undefined;
  const deepest = mostReordered(flows);
  return {
    topic: 'paths',
    code: 'equal-paths-used',
    question: 'How evenly were equal paths used, and which packets arrived out of order?',
    ...answerOf(pathFairness !== undefined && useFinding(paths, pathFairness), detours > 0 &&
      finding('detours-taken', { detours, flows: flows.filter((flow) => flow.detours !== undefined).length }),
      outOfOrderPackets === 0 ? finding('all-in-order') : finding('out-of-order', {
        packets: outOfOrderPackets,
        dataPackets: totals.dataPackets,
        depthPackets: deepest?.reorderingDepthPackets ?? 0,
        flow: deepest?.index ?? 0,
      })),
    because: reasons(summary, deepest),
    missing: [],
  };
}

function reasons({ pathFairness, detours = 0, outOfOrderPackets = 0 }: Summary,
  deepest: FlowResult | undefined): Reason[] {
  return [
    ...(pathFairness === undefined ? [] : [reason('path-fairness', pathFairness)]),
    reason('detours', detours),
    reason('packets-out-of-order', outOfOrderPackets),
    reason('reordering-depth', deepest?.reorderingDepthPackets ?? 0),
  ];
}

function useFinding(paths: readonly EqualPathsResult[], pathFairness: number): Finding {
  const [first] = paths;
  const least = paths.reduce((worst, one) => (unevenBytes(one) > unevenBytes(worst) ? one : worst), first);
  const { node, ports, txBytes, fairness } = least;
  return finding('equal-paths', {
    fairness: pathFairness,
    node,
    paths: ports.length,
    leastBytes: Math.min(...txBytes),
    mostBytes: Math.max(...txBytes),
    nodeFairness: fairness,
  });
}

/** Bytes that were sent unevenly. A set that carries little traffic counts little, however uneven it is. */
function unevenBytes({ txBytes, fairness }: EqualPathsResult): number {
  return (1 - fairness) * txBytes.reduce((sum, bytes) => sum + bytes, 0);
}

function mostReordered(flows: readonly FlowResult[]): FlowResult | undefined {
  return flows.reduce<FlowResult | undefined>(
    (most, flow) => ((flow.reorderingDepthPackets ?? 0) > (most?.reorderingDepthPackets ?? 0) ? flow : most),
    undefined,
  );
}

/** Explains at which rates messages began on QPs that had already carried messages. */
export function explainConnections(result: SimResult): Explanation | undefined {
  const { qps, flows } = result;
  if (qps === undefined) return undefined;
  const successors = successorsOf(flows);
  const slow = successors.filter(({ flow }) => isBelowLine(result, flow));
  const slowest = maxBy(slow, ({ flow }) => -(flow.beganRateBps ?? 0));
  const messages = qps.reduce((sum, qp) => sum + qp.messages, 0);
  const restarts = qps.reduce((sum, qp) => sum + qp.restarts, 0);
  return {
    topic: 'connection',
    code: 'messages-began',
    question: 'With which rates did messages begin?',
    ...answerOf(finding('qps-of-messages', { qps: qps.length, messages }), slowest === undefined ?
      finding('all-at-line-rate') :
      finding('messages-below-line-rate', { messages: slow.length, slowest: slowestOf(slowest) }), restarts > 0 &&
      finding('qps-restarted', { messages: restarts })),
    because: [
      reason('qps', qps.length),
      reason('messages', messages),
      reason('messages-below-line-rate', slow.length),
      ...(slowest === undefined ?
        [] :
        [reason('rate-at-beginning', slowest.flow.beganRateBps ?? 0, { flow: slowest.flow.index })]),
      ...(restarts === 0 ? [] : [reason('restarts', restarts)]),
    ],
    missing: [],
  };
}

/** A message, and the one before it on its QP. */
interface Successor {
  readonly flow: FlowResult;
  readonly before: FlowResult;
}

function isBelowLine(result: SimResult, flow: FlowResult): boolean {
  const lineBps = lineRateBps(result, flow);
  return lineBps !== undefined && (flow.beganRateBps ?? lineBps) < lineBps * NEARLY;
}

/** Messages that follow another on their QP, in the order of their first packets. */
function successorsOf(flows: readonly FlowResult[]): Successor[] {
  const began = flows.filter(({ qp, beganPs = null }) => qp !== undefined && beganPs !== null)
    .sort((a, b) => (a.beganPs ?? 0) - (b.beganPs ?? 0) || a.index - b.index);
  const last = new Map<number, FlowResult>();
  const found: Successor[] = [];
  for (const flow of began) {
    const { qp = flow.index } = flow;
    const before = last.get(qp);
    if (before !== undefined) found.push({ flow, before });
    last.set(qp, flow);
  }
  return found;
}

function slowestOf({ flow, before }: Successor): FindingFigures<'messages-below-line-rate'>['slowest'] {
  const { index, from, to, beganPs, startPs, beganRateBps = 0 } = flow;
  const endPs = before.startPs + (before.completionPs ?? Infinity);
  return {
    flow: index,
    from,
    to,
    rateBps: beganRateBps,
    before: before.index,
    idlePs: Math.max(0, (beganPs ?? startPs) - endPs),
    notifications: before.cnps,
  };
}

/** Explains the completion times of jobs by their critical paths. */
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

/** Explains a run of fidelity `reference-uet` from its counters; undefined under another fidelity. */
export function explainUet({ uet }: SimResult): Explanation | undefined {
  if (uet === undefined) return undefined;
  const {
    new_pkts: newPackets,
    rtx_pkts: retransmittedPackets,
    trims,
    drops,
    header_drops: headerDrops,
    ecn_marks: marks,
    max_low_queue_bytes: queueBytes,
    timeouts,
  } = uet.totals;
  const packetsDropped = drops + headerDrops;
  const packets = finding('uet-packets-counted', {
    trimmedPackets: trims,
    packetsDropped,
    markedPackets: marks,
    retransmittedPackets,
  });
  return {
    topic: 'work',
    code: 'uet-counts',
    question: 'What did uet-htsim count?',
    ...answerOf(packets, finding('uet-timeouts', { timeouts }), finding('uet-longest-queue', { queueBytes })),
    inShort: packets.text,
    because: [
      reason('new-packets', newPackets),
      reason('packets-retransmitted', retransmittedPackets),
      reason('packets-trimmed', trims),
      reason('packets-dropped', packetsDropped),
      reason('marks', marks),
      reason('longest-queue-of-data', queueBytes),
      reason('timeouts', timeouts),
    ],
    missing: ['ports', 'series'],
  };
}
