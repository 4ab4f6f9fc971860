/**
 * Damage by PFC: queues that waited for each other, hosts that paused their switches, watchdogs that ended it, and flows
 * held by pauses that began next to their path.
 */
import type { DeadlockResult, FlowResult, PortResult, SimResult } from '../result.js';
import type { PauseStormSpec, SlowReceiverSpec } from '../scenario/spec.js';
import { bytesWords, countWords, reason, timeWords, type Explanation, type Reason } from './explanation.js';
import { maxBy } from './max-by.js';
import { findingsOf, flowText, instantText, listText, listWords, plainText, portText, sentences, text,
  type Text } from './text.js';

const PS_PER_US = 1e6;
/** Maximum number of ports of a cycle, and of flows, that the answer names. */
const MOST_NAMED = 8;
const MOST_VICTIMS = 3;

/** Undefined: the scenario has no hazard, and none occurred. */
export function explainHazards(result: SimResult): Explanation | undefined {
  const { deadlocks = [], flows, ports } = result;
  const victims = flows.filter(({ heldPs = 0 }) => heldPs > 0);
  const causes = [
    ...deadlocks.slice(0, 1).map((deadlock) => deadlockWords(deadlock, deadlocks.length)),
    ...hostWords(result),
  ];
  const watched = ports.filter(({ watchdogStorms = 0, watchdogDrops = 0 }) => watchdogStorms + watchdogDrops > 0);
  if (causes.length + watched.length + victims.length === 0) return undefined;
  return {
    topic: 'hazard',
    ...questionOf(result),
    ...findingsOf(...causes, ...watchdogWords(watched), victimWords(result, victims)),
    ...(causes[0] === undefined ? {} : { inShort: plainText(causes[0]) }),
    because: [
      ...deadlocks.slice(0, 1).flatMap(deadlockReasons),
      ...watched.slice(0, 1).map((port) => reason(`queues stormed at ${port.name}`, port.watchdogStorms ?? 0, 'times')),
      reason('flows held by pauses that began elsewhere', victims.length, 'flows'),
    ],
    missing: [],
  };
}

function questionOf({ deadlocks = [], scenario: { faults = [] } }: SimResult): Pick<Explanation, 'code' | 'question'> {
  if (deadlocks.length > 0) return { code: 'deadlock', question: 'Why did queues stop for good?' };
  return faults.some(({ kind }) => kind === 'pause-storm') ?
    { code: 'pause-storm', question: 'What did the pause storm do?' } :
    { code: 'held-by-pauses', question: 'What did pauses do beyond their cause?' };
}

function deadlockWords({ ports, length, formedPs, foundPs, resolvedPs }: DeadlockResult, count: number): Text {
  const named = ports.slice(0, MOST_NAMED);
  const more = length - named.length;
  const cycle = listText([...named.map(portText), ...(more > 0 ? [countWords(more, 'more port')] : [])]);
  const end = resolvedPs === null ? 'It was never resolved' : text`It was found resolved at ${instantText(resolvedPs)}`;
  return sentences(
    text`Deadlock: ${cycle} wait for each other in a cycle, each paused until the next one sends, and ${
      portText(named[named.length - 1])
    } for ${portText(named[0])}.`,
    text`The cycle was closed at ${instantText(formedPs)} and found at ${instantText(foundPs)}.`,
    text`${end}.`,
    count > 1 && `${countWords(count - 1, 'more deadlock')} followed.`,
  );
}

function deadlockReasons({ formedPs, length }: DeadlockResult): Reason[] {
  return [reason('deadlock formed', formedPs, 'ps'), reason('ports in its cycle', length, 'ports')];
}

function hostWords(result: SimResult): Text[] {
  const { faults = [] } = result.scenario;
  return faults.flatMap((fault) => {
    if (fault.kind === 'pause-storm') return [stormWords(result, fault)];
    return fault.kind === 'slow-receiver' ? [slowWords(result, fault)] : [];
  });
}

function stormWords({ ports }: SimResult, { host, fromUs, lastsUs }: PauseStormSpec): Text {
  const own = ports.filter(({ node }) => node === host);
  const sent = own.reduce((sum, { pausesSent }) => sum + pausesSent, 0);
  const until = lastsUs === undefined ? 'without end' : `for ${timeWords(lastsUs * PS_PER_US)}`;
  return text`Pause storm: ${host} paused ${listWords(own.map(({ peer }) => peer))} from ${
    instantText(fromUs * PS_PER_US)
  } on, ${until} (${countWords(sent, 'pause frame')}).`;
}

function slowWords({ ports }: SimResult, { host, rateGbps }: SlowReceiverSpec): string {
  const own = maxBy(ports.filter(({ node }) => node === host), ({ maxReceiveBytes = 0 }) => maxReceiveBytes);
  const { maxReceiveBytes = 0, receiveDrops = 0, pausesSent = 0, peer = 'its switch' } = own ?? {};
  return `Slow receiver: ${host} took in ${rateGbps} Gb/s; its receive buffer held up to ${
    bytesWords(maxReceiveBytes)
  }, it paused ${peer} ${countWords(pausesSent, 'time')} and dropped ${countWords(receiveDrops, 'packet')}.`;
}

function watchdogWords(watched: readonly PortResult[]): Text[] {
  return watched.slice(0, MOST_VICTIMS).map((
    { name, watchdogStorms = 0, watchdogRestored = 0, watchdogDrops = 0, stormedPs = 0 },
  ) =>
    text`The watchdog at ${portText(name)} took a queue for stormed ${countWords(watchdogStorms, 'time')} (${
      timeWords(stormedPs)
    } in all), gave it back ${countWords(watchdogRestored, 'time')}, and dropped ${
      countWords(watchdogDrops, 'packet')
    }.`
  );
}

function victimWords(result: SimResult, victims: readonly FlowResult[]): Text {
  if (victims.length === 0) return '';
  const longest = [...victims].sort((a, b) => (b.heldPs ?? 0) - (a.heldPs ?? 0) || a.index - b.index);
  const named = longest.slice(0, MOST_VICTIMS).map((flow) =>
    text`${flowText(flow.index)} (${flow.from} to ${flow.to}) for ${timeWords(flow.heldPs ?? 0)} at ${
      portText(String(flow.heldAt))
    }, by ${culpritWords(result, flow)}`
  );
  return text`Victims: ${countWords(victims.length, 'flow')} held by pauses that began elsewhere: ${listText(named)}.`;
}

/** The origin of a hold on a flow. */
function culpritWords({ ports, scenario: { faults = [] } }: SimResult, { heldBy }: FlowResult): Text {
  if (heldBy === undefined) return 'the cycle of ports that waited for each other';
  const root = ports.find(({ name }) => name === heldBy);
  const fault = faults.find((one) => 'host' in one && one.host === root?.peer);
  if (fault?.kind === 'pause-storm') return text`the storm of ${fault.host}, which paused ${portText(heldBy)}`;
  if (fault?.kind === 'slow-receiver') return text`${fault.host}, which receives slowly and paused ${portText(heldBy)}`;
  return text`the queue at ${portText(heldBy)}`;
}
