/**
 * A result as a trace for ui.perfetto.dev or chrome://tracing: Trace Event Format, the JSON object form.
 *
 *   process 1 "ports"  counters "queue PORT" (bytes), "utilization PORT" (percent); a track per paused port with its
 *                      pauses
 *   process 2 "flows"  counters "rate FLOW" (Gb/s), "fairness"; a track per flow with one slice from start to end
 *   process 10 on      jobs, one each: a track per rank and kind of operation (more if operations overlap), arrows from each
 *                      send to its receive and from the cause of an operation's start
 *
 * Times are microseconds with fractions; `displayTimeUnit` is ns. An unfinished flow's slice ends with the run.
 *
 * Source: Google, Trace Event Format (phases C, X, M, s, f).
 */
import { checkRecord } from '../../config/field-rules.js';
import { BPS_PER_GBPS, PS_PER_US } from '../../units.js';
import type { FlowResult, SeriesResult, SimResult, JobResult, JobTimeline } from '../result.js';

const PORTS_PID = 1;
const FLOWS_PID = 2;
const FIRST_JOB_PID = 10;
/** Words for the kinds of operations in a timeline. */
const KINDS = ['compute', 'send', 'receive'];

type Args = Readonly<Record<string, number | string | boolean>>;

/** One event of a trace: a counter's value, a slice, or a name. Times are microseconds. */
export type TraceEvent = {
  readonly ph: 'C';
  readonly name: string;
  readonly pid: number;
  readonly ts: number;
  readonly args: Args;
} | {
  readonly ph: 'X';
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: Args;
} | {
  readonly ph: 's' | 'f';
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly id: number;
  readonly bp?: 'e';
} | { readonly ph: 'M'; readonly name: string; readonly pid: number; readonly tid?: number; readonly args: Args };

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

function jobEvents(jobs: readonly JobResult[]): TraceEvent[] {
  let arrows = 0;
  return jobs.flatMap(({ name, hosts, timeline }, index) => {
    if (timeline === undefined) return [];
    const pid = FIRST_JOB_PID + index;
    const tracks = new Tracks(timeline, pid, hosts);
    const slices = timeline.operations.map((_, at) => tracks.slice(at));
    const linked = timeline.operations.flatMap((_, at) => {
      const kind = timeline.kind[at];
      const causes = [kind === 2 ? timeline.match[at] : -1, timeline.cause[at]].filter((cause) => cause >= 0);
      return [...new Set(causes)].flatMap((cause) => tracks.arrow(cause, at, arrows++));
    });
    return [...processName(pid, `job ${name}`), ...tracks.names, ...slices, ...linked];
  });
}

class Tracks {
  readonly names: TraceEvent[] = [];
  readonly #timeline: JobTimeline;
  readonly #pid: number;
  readonly #hosts: readonly string[];
  /** The tracks of each rank and kind: when each becomes free, and its number. */
  readonly #free = new Map<string, { untilPs: number; readonly tid: number }[]>();
  readonly #tidOf: number[] = [];

  constructor(timeline: JobTimeline, pid: number, hosts: readonly string[]) {
    this.#timeline = timeline;
    this.#pid = pid;
    this.#hosts = hosts;
    const { startPs } = timeline;
    const order = timeline.operations.map((_, at) => at).sort((a, b) => startPs[a] - startPs[b] || a - b);
    for (const at of order) this.#tidOf[at] = this.#place(at);
  }

  slice(at: number): TraceEvent {
    const { kind, names, rank, startPs, endPs, amount, operations } = this.#timeline;
    const word = KINDS[kind[at]] ?? '';
    const size = kind[at] === 0 ? {} : { sizeBytes: amount[at] };
    return {
      ph: 'X',
      name: names[at] === '' ? word : `${word} ${names[at]}`,
      cat: word,
      pid: this.#pid,
      tid: this.#tidOf[at],
      ts: startPs[at] / PS_PER_US,
      dur: (endPs[at] - startPs[at]) / PS_PER_US,
      args: { rank: rank[at], operation: operations[at], ...size },
    };
  }

  /** An arrow between the slices of two operations. It starts at a send's start, or just before another operation's end. */
  arrow(from: number, to: number, id: number): TraceEvent[] {
    const { kind, startPs, endPs } = this.#timeline;
    const isMessage = kind[from] === 1 && kind[to] === 2;
    const fromPs = isMessage ? startPs[from] : Math.max(startPs[from], endPs[from] - 1);
    const toPs = isMessage ? Math.max(startPs[to], endPs[to] - 1) : startPs[to];
    const common = { name: isMessage ? 'message' : 'dependency', cat: 'job', pid: this.#pid, id } as const;
    return [
      { ph: 's', ...common, tid: this.#tidOf[from], ts: Math.min(fromPs, toPs) / PS_PER_US },
      { ph: 'f', bp: 'e', ...common, tid: this.#tidOf[to], ts: toPs / PS_PER_US },
    ];
  }

  /** The first free track of an operation's rank and kind. */
  #place(at: number): number {
    const { rank, kind, startPs, endPs } = this.#timeline;
    const word = KINDS[kind[at]] ?? '';
    const key = `${rank[at]} ${word}`;
    const tracks = this.#free.get(key) ?? [];
    this.#free.set(key, tracks);
    const found = tracks.find(({ untilPs }) => untilPs <= startPs[at]);
    if (found !== undefined) {
      found.untilPs = endPs[at];
      return found.tid;
    }
    const tid = this.names.length / 2;
    tracks.push({ untilPs: endPs[at], tid });
    const number = tracks.length > 1 ? ` ${tracks.length}` : '';
    const name = `rank ${rank[at]} (${this.#hosts[rank[at]] ?? ''}) ${word}s${number}`;
    const order = rank[at] * 1000 + kind[at] * 300 + tracks.length;
    this.names.push({ ph: 'M', name: 'thread_name', pid: this.#pid, tid, args: { name } }, {
      ph: 'M',
      name: 'thread_sort_index',
      pid: this.#pid,
      tid,
      args: { sort_index: order },
    });
    return tid;
  }
}
