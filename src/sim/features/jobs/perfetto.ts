/**
 * Jobs in a trace: a process per job, a track per rank and kind of operation (more if operations overlap), arrows from each send
 * to its receive and from the cause of an operation's start.
 *
 * Source: Google, Trace Event Format (phases X, M, s, f).
 */
import { PS_PER_US } from '../../../unit-sizes.js';
import type { JobResult, JobTimeline } from '../../result.js';
import type { TraceEvent } from '../../files/trace-event.js';

const FIRST_PID = 10;
const KINDS = ['compute', 'send', 'receive'];

export function jobEvents(jobs: readonly JobResult[]): TraceEvent[] {
  let arrows = 0;
  return jobs.flatMap(({ name, hosts, timeline }, index) => {
    if (timeline === undefined) return [];
    const pid = FIRST_PID + index;
    const tracks = new Tracks(timeline, pid, hosts);
    const slices = timeline.operations.map((_, at) => tracks.slice(at));
    const linked = timeline.operations.flatMap((_, at) => {
      const kind = timeline.kind[at];
      const causes = [kind === 2 ? timeline.match[at] : -1, timeline.cause[at]].filter((cause) => cause >= 0);
      return [...new Set(causes)].flatMap((cause) => tracks.arrow(cause, at, arrows++));
    });
    const sorted = { ph: 'M', name: 'process_sort_index', pid, args: { sort_index: pid } } as const;
    const named: TraceEvent = { ph: 'M', name: 'process_name', pid, args: { name: `job ${name}` } };
    return [named, sorted, ...tracks.names, ...slices, ...linked];
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
