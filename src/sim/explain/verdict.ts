/** A run in three sentences: the outcome, the bottleneck, what to try. */
import type { PortResult, SimResult } from '../result.js';
import { activeShare } from './active-time.js';
import { explainWork } from './bottleneck.js';
import { bytesWords, countWords, percentWords, rateWords, timeWords, wholeWords } from './words.js';
import { maxBy } from './max-by.js';
import { wasSlowed } from './sender-rates.js';
import { familiesOf, changesMarking, markingThresholds, switchNames, switchPorts, switchSettings } from './settings.js';
import { listWords } from './text.js';
import { finding } from './finding.js';
import { explainUet } from '../features/reference-uet/explain.js';

export interface Verdict {
  /** Flows, completion time, goodput, and whether congestion control or PFC did the work. */
  readonly outcome: string;
  /** The port with the longest queue. */
  readonly bottleneck: string;
  /** The setting whose change is most likely to help. */
  readonly advice: string;
}

/** Share of the run up to which PFC hardly acts. */
const HARDLY_PAUSED = 0.01;
/** Algorithms that react to congestion marks. */
const READS_MARKS: ReadonlySet<string> = new Set(['dcqcn', 'dctcp', 'nscc']);
/** Utilization below which a bottleneck idles. */
const FULL = 0.8;

/** Works from the result's own numbers; runs nothing. */
export function verdictOf(result: SimResult): Verdict {
  const counts = explainUet(result);
  if (result.uet !== undefined && counts !== undefined) {
    return {
      outcome: `${outcomeWords(result)} ${counts.inShort ?? ''}`,
      bottleneck: finding('uet-longest-queue', { queueBytes: result.uet.totals.max_low_queue_bytes }).text,
      advice: 'No advice: uet-htsim records neither single ports nor rates over time.',
    };
  }
  const ports = switchPorts(result);
  const port = ports.find(({ name }) => name === result.summary.maxQueuePort) ?? maxBy(ports, (one) => one.utilization);
  return {
    outcome: `${outcomeWords(result)} ${explainWork(result).inShort ?? ''}`,
    bottleneck: port === undefined ? 'There is no switch whose queue could grow.' : bottleneckWords(result, port),
    advice: adviceFor(result, port),
  };
}

function outcomeWords({ summary }: SimResult): string {
  const { flowsDone, flowsUnfinished, flowsEndless = 0, completionPs, goodputBps } = summary;
  const all = flowsDone + flowsUnfinished;
  const took = completionPs === null ?
    '' :
    ` in ${timeWords(completionPs.mean)} on average (p99 ${timeWords(completionPs.p99)})`;
  const flows = all === 0 ?
    `${countWords(flowsEndless, 'flow')} sent until the end` :
    `${wholeWords(flowsDone)} of ${countWords(all, 'flow')} completed${took}`;
  return `${flows}; goodput ${rateWords(goodputBps)}.`;
}

function bottleneckWords(result: SimResult, port: PortResult): string {
  const share = activeShare(result, port.pausedPs);
  const paused = port.pausedPs === 0 ? '' : `, paused for ${percentWords(share)}`;
  return `The longest queue, ${bytesWords(port.maxQueueBytes)}, was at ${port.name}: ${
    percentWords(utilizationOf(result, port))
  } utilization${paused}.`;
}

/** While flows were active: series begin with the first flow. */
function utilizationOf({ series }: SimResult, port: PortResult): number {
  const samples = series.utilization[port.name];
  return samples === undefined || samples.length === 0 ?
    port.utilization :
    samples.reduce((sum, one) => sum + one, 0) / samples.length;
}

/** From the first rule that applies; none of them guesses at settings that the run does not use. */
function adviceFor(result: SimResult, port: PortResult | undefined): string {
  const { totals, ended } = result;
  if (ended === 'deadlock' || ended === 'stuck')
    return 'Try: routes without a cycle, or switches.watchdog, which ends a deadlock.';
  if (totals.drops.buffer > 0) {
    const drops = countWords(totals.drops.buffer, 'packet');
    return `Try: a larger switches.bufferBytes, or PFC (switches.pfc): ${drops} found the buffer full.`;
  }
  if (port === undefined) return adviceWithoutRule(result);
  if (result.ports.some(({ pausedPs }) => activeShare(result, pausedPs) > HARDLY_PAUSED))
    return adviceOnPauses(result, port);
  const isOpenLoad = [result.scenario.workload].flat().some(({ kind }) => kind === 'poisson');
  const isSlowed = result.flows.some((flow) => wasSlowed(result, flow));
  if (isSlowed && !isOpenLoad && utilizationOf(result, port) < FULL) {
    const how = 'faster recovery (larger rate increases, or a shorter increase timer)';
    return `Try: ${how}: ${port.name} idled while senders were slowed.`;
  }
  return adviceWithoutRule(result);
}

/** Drops that no larger buffer of a switch prevents, or nothing. */
function adviceWithoutRule({ ports, totals: { packetsDropped } }: SimResult): string {
  if (packetsDropped > 0)
    return `Look at the drops first: ${countWords(packetsDropped, 'packet')}, none for lack of buffer in a switch.`;
  const pauses = ports.some(({ pausedPs }) => pausedPs > 0) ? 'links were hardly paused' : 'no link was paused';
  return `Nothing to change: ${pauses}, and nothing was lost.`;
}

function adviceOnPauses(result: SimResult, port: PortResult): string {
  const { scenario } = result;
  const switches = new Set(switchNames(result));
  const pausing = maxBy(result.ports.filter(({ node }) => !switches.has(node)), ({ pausesSent }) => pausesSent);
  if (pausing !== undefined && pausing.pausesSent > 0) {
    const times = countWords(pausing.pausesSent, 'time');
    return `Look at ${pausing.node} first: it paused its switch ${times}, which congestion control cannot prevent.`;
  }
  const families = familiesOf(result);
  if (!families.every((family) => READS_MARKS.has(family))) {
    const algorithms = listWords(families);
    return `Try: parameters of ${algorithms} that react sooner, or more headroom: PFC paused links before senders were slow enough.`;
  }
  const { ecn, fastCnp } = switchSettings(scenario, port.node);
  if (!ecn.enabled) return 'Try: switches.ecn, so that senders slow down before PFC pauses links.';
  const { kminBytes } = markingThresholds(scenario, port);
  const sooner = fastCnp ? '' : ', or switches.fastCnp, which notifies senders from the switch';
  const present = changesMarking(scenario) ? '' : ` (${bytesWords(kminBytes)} at ${port.name})`;
  return `Try: a lower switches.ecn.kminKB${present}${sooner}: ` +
    'PFC paused links before senders were slow enough.';
}
