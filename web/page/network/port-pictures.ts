/** Appearance of each port of a run at an instant. */
import { queueState, type PortPicture, type PortState } from '../../../src/view/network/scene.js';
import type { ScenarioFacts } from '../../protocol/run-protocol.js';
import type { RunData } from '../run-data.js';

/** Minimum share of the time for which a sending port is shown as sending. */
const SENDING_SHARE = 0.02;

export function portPictures(data: RunData | undefined, facts: ScenarioFacts,
  timePs: number): (port: number) => PortPicture {
  if (data === undefined) return () => ({ state: 'idle', share: 0 });
  const sample = data.sampleAt(timePs);
  const paused = data.pausedAt(timePs);
  const longest = facts.ports.reduce((most, _, port) => Math.max(most, data.peakOf(port)), 1);
  return (port) => ({
    state: portState(facts, data, { port, sample, isPaused: paused.has(port) }),
    share: data.queueAt(sample, port) / longest,
  });
}

export function portState(facts: ScenarioFacts, data: RunData, { port, sample, isPaused }: {
  readonly port: number;
  readonly sample: number;
  readonly isPaused: boolean;
}): PortState {
  if (isPaused) return 'paused';
  const of = facts.ports[port];
  if (data.count === 0 || of === undefined) return 'idle';
  const timePs = data.timesPs[sample] ?? 0;
  const marking = facts.changes.findLast((change) => change.marking !== undefined && change.timePs <= timePs)?.marking;
  const thresholds = of.isMarking ? marking?.[port] ?? of : {};
  return queueState(data.queueAt(sample, port), data.busyAt(sample, port) > SENDING_SHARE, thresholds);
}
