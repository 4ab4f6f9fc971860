/**
 * A result as a trace for ui.perfetto.dev or chrome://tracing: Trace Event Format, the JSON object form.
 *
 *   process 1 "ports"  counters "queue PORT" (bytes), "utilization PORT" (percent); a track per paused port with its
 *                      pauses
 *   process 2 "flows"  counters "rate FLOW" (Gb/s), "fairness"; a track per flow with one slice from start to end
 *
 *   process 10 on  jobs, one each: features/jobs/perfetto.ts
 *
 * Times are microseconds with fractions; `displayTimeUnit` is ns. An unfinished flow's slice ends with the run.
 *
 * Source: Google, Trace Event Format (phases C, X, M).
 */
import { checkRecord } from '../../config/field-rules.js';
import { BPS_PER_GBPS, PS_PER_US } from '../../unit-sizes.js';
import type { FlowResult, SeriesResult, SimResult } from '../result.js';
import { jobEvents } from '../features/jobs/perfetto.js';
import type { Args, TraceEvent } from './trace-event.js';

export type { TraceEvent } from './trace-event.js';

const PORTS_PID = 1;
const FLOWS_PID = 2;

/** Converts a result to a trace. @returns JSON, one event per line. */
export function resultToPerfetto(result: SimResult): string {
  checkRecord(result, 'result');
  const events = traceEvents(result).map((event) => JSON.stringify(event));
  const { scenario, hash, seed, fidelity } = result;
  const otherData = JSON.stringify({ scenario: scenario.name, fidelity, seed: String(seed), hash });
  return `{"displayTimeUnit":"ns","otherData":${otherData},"traceEvents":[\n${events.join(',\n')}\n]}\n`;
}

export function traceEvents(result: SimResult): TraceEvent[] {
  const { series } = result;
  return [
    ...processName(PORTS_PID, 'ports'),
    ...pauseSlices(result),
    ...countersOf(PORTS_PID, series, 'queue', series.queueBytes, (bytes) => ({ bytes })),
    ...countersOf(PORTS_PID, series, 'utilization', series.utilization, (share) => ({ percent: 100 * share })),
    ...processName(FLOWS_PID, 'flows'),
    ...result.flows.flatMap((flow) => flowSlice(flow, result.simulatedPs)),
    ...countersOf(FLOWS_PID, series, 'rate flow', series.rateBps, (rateBps) => ({ gbps: rateBps / BPS_PER_GBPS })),
    ...countersOf(FLOWS_PID, series, 'fairness', { '': series.fairness }, (index) => ({ index })),
    ...jobEvents(result.jobs ?? []),
  ];
}

function processName(pid: number, name: string): TraceEvent[] {
  return [
    { ph: 'M', name: 'process_name', pid, args: { name } },
    { ph: 'M', name: 'process_sort_index', pid, args: { sort_index: pid } },
  ];
}

/** The slice of a flow; none if it had not begun when the run ended. */
function flowSlice(flow: FlowResult, simulatedPs: number): TraceEvent[] {
  const { index, from, to, startPs, completionPs } = flow;
  if (startPs > simulatedPs) return [];
  const name = `flow ${index} ${from} to ${to}`;
  const durationPs = completionPs ?? simulatedPs - startPs;
  const { algorithm, sizeBytes, deliveredBytes, cnps, fastCnps, retransmittedPackets, timeouts } = flow;
  const counts = { sizeBytes, deliveredBytes, cnps, fastCnps, retransmittedPackets, timeouts };
  const args = { algorithm, ...counts, finished: completionPs !== null };
  const track = { pid: FLOWS_PID, tid: index };
  return [
    { ph: 'M', name: 'thread_name', ...track, args: { name } },
    { ph: 'X', name, cat: 'flow', ...track, ts: startPs / PS_PER_US, dur: durationPs / PS_PER_US, args },
  ];
}

/** A track for each port and class, since classes are paused independently. */
function pauseSlices({ pauses = [] }: SimResult): TraceEvent[] {
  const tracks = new Map<string, number>();
  const events: TraceEvent[] = [];
  for (const { port, trafficClass, fromPs, toPs } of pauses) {
    const name = `paused ${port} class ${trafficClass}`;
    const track = { pid: PORTS_PID, tid: tracks.get(name) ?? tracks.size };
    if (!tracks.has(name)) events.push({ ph: 'M', name: 'thread_name', ...track, args: { name } });
    tracks.set(name, track.tid);
    const [ts, dur] = [fromPs / PS_PER_US, (toPs - fromPs) / PS_PER_US];
    events.push({ ph: 'X', name: 'paused', cat: 'pause', ...track, ts, dur, args: { port, trafficClass } });
  }
  return events;
}

/** Events of a counter. A run of equal values has only its first and last sample, as most queues are empty most of the time. */
function countersOf(pid: number, { timesPs }: SeriesResult, quantity: string,
  columns: Readonly<Record<string, readonly number[]>>, toArgs: (value: number) => Args): TraceEvent[] {
  return Object.entries(columns).flatMap(([name, values]) => {
    const isStated = (index: number) =>
      index === 0 || values[index] !== values[index - 1] || values[index] !== values[index + 1];
    return values.flatMap((value, index): TraceEvent[] =>
      isStated(index) ?
        [{ ph: 'C', name: `${quantity} ${name}`.trim(), pid, ts: timesPs[index] / PS_PER_US, args: toArgs(value) }] :
        []
    );
  });
}
