/**
 * Explains a result in plain English, from its own numbers only: question by question, or in three findings. It runs no simulation
 * and marks every guess.
 */
import { checkRecord } from '../../config/field-rules.js';
import { explainPaths, explainConnections, explainJobs, explainUet } from './feature-explanations.js';
import { explainDiscovery } from '../features/discovery/explain.js';
import { explainHazards } from '../features/hazards/explain.js';
import { explainWan } from '../features/wan/explain.js';
import type { SimResult, PortResult } from '../result.js';
import { explainWork, activeShare, isAnySenderSlowed } from './bottleneck.js';
import { maxBy, finding, type Finding, type Explanation } from './explanation.js';
import { familiesOf, changesMarking, markingThresholds, switchNames, switchPorts, switchSettings } from './settings.js';
import { explainLoss } from './why-lost.js';
import { explainFastCnps, explainNotifications } from './why-notified.js';
import { explainPauses } from './why-pause.js';
import { explainReceivers, explainSlowest } from './why-slow.js';
import { explainUnfinished } from './why-unfinished.js';
import { explainSettings } from './without-effect.js';

export type { Explanation, ExplanationTopic } from './explanation.js';

/**
 * Explains a result. It always covers pauses, notifications, the bottleneck, losses and settings; where they apply, also Fast
 * CNPs, unfinished flows, receivers that were not ready, the slowest flow, QPs with several messages, equal paths, jobs and a
 * WAN. Under `reference-uet` it covers only what uet-htsim counts.
 *
 * @example
 * for (const { question, answer } of explainResult(result)) console.log(`${question}\n  ${answer}`);
 */
export function explainResult(result: SimResult): readonly Explanation[] {
  checkRecord(result, 'result');
  const counts = explainUet(result);
  if (counts !== undefined) return [counts];
  const all = [
    explainDiscovery(result),
    explainUnfinished(result),
    explainHazards(result),
    explainReceivers(result),
    ...explainJobs(result),
    explainPauses(result),
    explainNotifications(result),
    explainFastCnps(result),
    explainWan(result),
    explainWork(result),
    explainSlowest(result),
    explainConnections(result),
    explainLoss(result),
    explainPaths(result),
    explainSettings(result),
  ];
  return all.filter((explanation) => explanation !== undefined);
}

/** A run in three findings: the outcome, the bottleneck, what to try. */
export interface Verdict {
  /** Flows, completion time and goodput; then whether congestion control or PFC kept queues in check. */
  readonly outcome: readonly Finding[];
  /** The port with the longest queue. */
  readonly bottleneck: Finding;
  /** The setting whose change is most likely to help. */
  readonly advice: Finding;
}

/** PFC counts as hardly active up to this share of the run. */
const HARDLY_PAUSED = 0.01;
/** Algorithms that react to congestion marks. */
const READS_MARKS: ReadonlySet<string> = new Set(['dcqcn', 'dctcp', 'nscc']);
/** Utilization from which a bottleneck counts as full. */
const FULL = 0.8;

/** Summarizes a result from its own numbers; runs no simulation. */
export function verdictOf(result: SimResult): Verdict {
  const counts = explainUet(result);
  if (result.uet !== undefined && counts !== undefined) {
    return {
      outcome: [flowsFinding(result), ...counts.findings.slice(0, 1)],
      bottleneck: finding('uet-longest-queue', { queueBytes: result.uet.totals.max_low_queue_bytes }),
      advice: finding('no-advice-on-uet'),
    };
  }
  const ports = switchPorts(result);
  const port = ports.find(({ name }) => name === result.summary.maxQueuePort) ?? maxBy(ports, (one) => one.utilization);
  return {
    outcome: [flowsFinding(result), ...explainWork(result).findings.slice(0, 1)],
    bottleneck: port === undefined ? finding('no-switch-queue') : queueFinding(result, port),
    advice: adviceFor(result, port),
  };
}

/** The verdict as three sentences: outcome, bottleneck, what to try. */
export function verdictWords({ outcome, bottleneck, advice }: Verdict): readonly string[] {
  return [outcome.map(({ text }) => text).join(' '), bottleneck.text, advice.text];
}

function flowsFinding({ summary }: SimResult): Finding {
  const { flowsDone, flowsUnfinished, flowsEndless = 0, completionPs, goodputBps } = summary;
  return finding('flows-completed', {
    flows: flowsDone + flowsUnfinished,
    flowsDone,
    endlessFlows: flowsEndless,
    completionPs: completionPs && { mean: completionPs.mean, p99: completionPs.p99 },
    goodputBps,
  });
}

function queueFinding(result: SimResult, port: PortResult): Finding {
  return finding('longest-queue', {
    port: port.name,
    queueBytes: port.maxQueueBytes,
    utilization: utilizationOf(result, port),
    pausedShare: port.pausedPs === 0 ? null : activeShare(result, port.pausedPs),
  });
}

/** Utilization of a port while flows were active: series begin with the first flow. */
function utilizationOf({ series }: SimResult, port: PortResult): number {
  const samples = series.utilization[port.name];
  return samples === undefined || samples.length === 0 ?
    port.utilization :
    samples.reduce((sum, one) => sum + one, 0) / samples.length;
}

/** Advice of the first rule that applies. No rule suggests settings that the run does not use. */
function adviceFor(result: SimResult, port: PortResult | undefined): Finding {
  const { totals, ended } = result;
  if (ended === 'deadlock' || ended === 'stuck') return finding('try-routes-without-cycle');
  if (totals.drops.buffer > 0) return finding('try-larger-buffer', { packetsDropped: totals.drops.buffer });
  if (port === undefined) return adviceWithoutRule(result);
  const longestPausedPs = maxBy(result.ports, ({ pausedPs }) => pausedPs)?.pausedPs ?? 0;
  if (activeShare(result, longestPausedPs) > HARDLY_PAUSED) return adviceOnPauses(result, port);
  const isOpenLoad = [result.scenario.workload].flat().some(({ kind }) => kind === 'poisson');
  if (!isOpenLoad && utilizationOf(result, port) < FULL && isAnySenderSlowed(result))
    return finding('try-faster-recovery', { port: port.name });
  return adviceWithoutRule(result);
}

/** Advice if no rule applies: to look at drops that a larger buffer would not prevent, or to change nothing. */
function adviceWithoutRule({ ports, totals: { packetsDropped } }: SimResult): Finding {
  if (packetsDropped > 0) return finding('look-at-drops', { packetsDropped });
  return finding('nothing-to-change', { isPaused: ports.some(({ pausedPs }) => pausedPs > 0) });
}

function adviceOnPauses(result: SimResult, port: PortResult): Finding {
  const { scenario } = result;
  const switches = new Set(switchNames(result));
  const pausing = maxBy(result.ports.filter(({ node }) => !switches.has(node)), ({ pausesSent }) => pausesSent);
  if (pausing !== undefined && pausing.pausesSent > 0)
    return finding('look-at-host', { host: pausing.node, pauses: pausing.pausesSent });
  const algorithms = familiesOf(result);
  if (!algorithms.every((family) => READS_MARKS.has(family))) return finding('try-other-parameters', { algorithms });
  const { ecn, fastCnp } = switchSettings(scenario, port.node);
  if (!ecn.enabled) return finding('try-ecn');
  return finding('try-lower-kmin', {
    port: port.name,
    kminBytes: changesMarking(scenario) ? null : markingThresholds(scenario, port).kminBytes,
    hasFastCnps: fastCnp,
  });
}
