/** A run in three findings: the outcome, the bottleneck, what to try. */
import type { PortResult, SimResult } from '../result.js';
import { activeShare, explainWork, wasSlowed } from './bottleneck.js';
import { maxBy, finding, type Finding } from './explanation.js';
import { familiesOf, changesMarking, markingThresholds, switchNames, switchPorts, switchSettings } from './settings.js';
import { explainUet } from '../features/reference-uet/explain.js';

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
  if (result.ports.some(({ pausedPs }) => activeShare(result, pausedPs) > HARDLY_PAUSED))
    return adviceOnPauses(result, port);
  const isOpenLoad = [result.scenario.workload].flat().some(({ kind }) => kind === 'poisson');
  const isSlowed = result.flows.some((flow) => wasSlowed(result, flow));
  if (isSlowed && !isOpenLoad && utilizationOf(result, port) < FULL)
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
