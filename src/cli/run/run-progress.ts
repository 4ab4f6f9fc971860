/**
 * Progress of a run: a bar on a terminal, otherwise an occasional line. For `--estimate`, predicts memory and time of
 * runs instead, from their plans and the speed of the first seconds.
 */
import type { SingleBar } from 'cli-progress';
import type { Progress } from '../../sim/result.js';
import { formatBytes, formatCount, formatDuration } from '../../view/format.js';
import { EXIT_OK, type Output, type OutputStream } from '../output.js';
import { printable } from '../printable.js';
import { progressBar } from '../progress-bar.js';
import { inLocale } from '../terminal.js';
import type { PreparedEstimate, PreparedScenario } from './simulator.js';

/** Delay before the bar appears, as it would only flicker for shorter runs. */
const SHOW_AFTER_MS = 200;
/** Interval between two lines of a log. */
const LINE_EVERY_MS = 10_000;
/** Minimum elapsed time before the remaining time is shown. */
const SURE_AFTER_MS = 2000;
/** Packet hops from which the estimate is printed: a few seconds on an ordinary machine. */
const LONG_HOPS = 20e6;
const PERCENT = 100;
const MEGA = 1e6;
const BAR_FORMAT = '{name} {bar} {percentage} % | {words}';
const BAR_CHARACTERS = 24;

export interface RunProgress {
  update(progress: Progress): void;
  stop(): void;
}

const NO_PROGRESS: RunProgress = { update: () => undefined, stop: () => undefined };

interface ProgressOptions {
  /** Whether progress is hidden. */
  readonly isQuiet: boolean;
  /** The estimate of the run, printed before a long one. */
  readonly estimate: PreparedEstimate | undefined;
  readonly nowMs?: () => number;
}

/** @param name name of the run. */
export function startRunProgress(stream: OutputStream, name: string,
  { isQuiet, estimate, nowMs = () => performance.now() }: ProgressOptions): RunProgress {
  if (isQuiet) return NO_PROGRESS;
  const shown = printable(name);
  if (estimate !== undefined && estimate.packetHops >= LONG_HOPS)
    stream.write(`${shown}: ${estimateWords(estimate)}\n`);
  const words = (progress: Progress, elapsedMs: number): string => wordsOf(progress, elapsedMs, estimate);
  return stream.isTTY === true ? showBar(stream, shown, nowMs, words) : writeLines(stream, shown, nowMs, words);
}

type Words = (progress: Progress, elapsedMs: number) => string;

function showBar(stream: OutputStream, name: string, nowMs: () => number, words: Words): RunProgress {
  const beganMs = nowMs();
  let bar: SingleBar | undefined;
  return {
    update(progress) {
      const elapsedMs = nowMs() - beganMs;
      if (bar === undefined && elapsedMs < SHOW_AFTER_MS) return;
      const payload = { name, words: words(progress, elapsedMs) };
      if (bar === undefined) {
        bar = progressBar(stream, BAR_FORMAT, BAR_CHARACTERS, process.env);
        bar.start(PERCENT, 0, payload);
      }
      bar.update(percentOf(progress), payload);
    },
    stop() {
      bar?.stop();
    },
  };
}

function writeLines(stream: OutputStream, name: string, nowMs: () => number, words: Words): RunProgress {
  const beganMs = nowMs();
  let writtenMs = beganMs;
  return {
    update(progress) {
      const timeMs = nowMs();
      if (timeMs - writtenMs < LINE_EVERY_MS) return;
      writtenMs = timeMs;
      stream.write(`${name}: ${percentOf(progress)} %, ${words(progress, timeMs - beganMs)}\n`);
    },
    stop: () => undefined,
  };
}

function percentOf({ bytesDelivered, bytesTotal }: Progress): number {
  return bytesTotal === 0 ? PERCENT : Math.floor((PERCENT * bytesDelivered) / bytesTotal);
}

function wordsOf(progress: Progress, elapsedMs: number, estimate: PreparedEstimate | undefined): string {
  const { flowsDone, flowsTotal, nowPs, packetHops } = progress;
  const leftMs = elapsedMs < SURE_AFTER_MS ? undefined : timeLeftMs(progress, elapsedMs, estimate);
  const left = leftMs === undefined ? '' : `, ${wallTimeWords(leftMs)} left`;
  const speed = elapsedMs === 0 ? '' : `, ${(packetHops / (elapsedMs * 1e-3) / MEGA).toFixed(1)} M hops/s`;
  const words = `${formatCount(flowsDone)} of ${formatCount(flowsTotal)} flows, ${formatDuration(nowPs)} simulated`;
  return inLocale(`${words}${speed}${left}`, process.env);
}

const FEW_BYTES_SHARE = 0.1;
const MS_PER_S = 1e3;
const S_PER_MIN = 60;
const MIN_PER_H = 60;

/**
 * Time left at the speed so far, in milliseconds, until all bytes are delivered or the latest end of the run, whichever
 * is first. While few bytes are delivered, progress is measured by transmissions instead. Undefined if nothing has
 * happened yet.
 */
export function timeLeftMs(progress: Progress, elapsedMs: number, limits: RunLimits | undefined): number | undefined {
  const share = shareDone(progress, limits);
  return share > 0 ? elapsedMs * (1 / share - 1) : undefined;
}

/** Limits of a run. */
type RunLimits = Pick<PreparedEstimate, 'packetHops' | 'startPs' | 'endPs'>;

/** Progress of a run, 0 to 1. */
function shareDone({ bytesDelivered, bytesTotal, packetHops, nowPs }: Progress, limits: RunLimits | undefined): number {
  const shares = [bytesTotal > 0 ? bytesDelivered / bytesTotal : 0];
  if (limits !== undefined && limits.endPs > limits.startPs)
    shares.push((nowPs - limits.startPs) / (limits.endPs - limits.startPs));
  if (limits !== undefined && shares[0] < FEW_BYTES_SHARE && packetHops < limits.packetHops / 2)
    shares.push(packetHops / limits.packetHops);
  return Math.min(1, Math.max(...shares));
}

/** Formats wall-clock time: `about 40 s`, `about 12 min`, `about 3.5 h`. */
export function wallTimeWords(timeMs: number): string {
  const seconds = timeMs / MS_PER_S;
  if (seconds < 1) return 'under a second';
  if (seconds < 2 * S_PER_MIN) return `about ${seconds.toFixed(0)} s`;
  const minutes = seconds / S_PER_MIN;
  return minutes < 2 * MIN_PER_H ? `about ${minutes.toFixed(0)} min` : `about ${(minutes / MIN_PER_H).toFixed(1)} h`;
}

/** Formats an estimate: `8,192 flows, about 8,192,000 data packets, 98,304,000 packet hops, 1.1 GB of memory`. */
function estimateWords({ flows, dataPackets, packetHops, memoryBytes }: PreparedEstimate): string {
  return `${formatCount(flows)} flows, about ${formatCount(dataPackets)} data packets, ${
    formatCount(Math.round(packetHops))
  } packet hops, ${formatBytes(memoryBytes)} of memory`;
}

/** Wall-clock time of the trial run: long enough for queues to fill, which slows a run down. */
const PROBE_MS = 4000;
const WARM_UP_MS = 1500;

/**
 * Runs `roce-cc run --estimate`: writes a line for each run, with its memory and time.
 *
 * @returns the exit code.
 */
export async function estimateRuns(scenarios: readonly { readonly name: string; readonly prepared: PreparedScenario }[],
  { stdout }: Output): Promise<number> {
  for (const { name, prepared } of scenarios) {
    const estimate = prepared.estimate?.();
    if (estimate === undefined) continue;
    const runMs = await timeOf(prepared, estimate);
    const { validate, compile } = prepared.phases.totalMs;
    const time = runMs === undefined ? '' : `, ${wallTimeWords(validate + compile + runMs)} on this machine`;
    stdout.write(`${printable(name)}: ${estimateWords(estimate)}${time}\n`);
  }
  return EXIT_OK;
}

/**
 * Estimates the run's wall-clock time by running it for some seconds. The warm-up is not measured, as JavaScript is
 * still being compiled.
 */
async function timeOf({ run }: PreparedScenario, limits: RunLimits): Promise<number | undefined> {
  const controller = new AbortController();
  const beganMs = performance.now();
  const running = run({ signal: controller.signal });
  let first: Point | undefined;
  let last: Point | undefined;
  for await (const progress of running) {
    const elapsedMs = performance.now() - beganMs;
    last = { elapsedMs, share: shareDone(progress, limits) };
    if (elapsedMs >= WARM_UP_MS) first ??= last;
    if (elapsedMs >= PROBE_MS) controller.abort();
  }
  await running.result;
  return controller.signal.aborted ? timeAt(first, last) : performance.now() - beganMs;
}

interface Point {
  readonly elapsedMs: number;
  readonly share: number;
}

/** Time of the whole run, extrapolated from two points; undefined if there was no progress between them. */
function timeAt(first: Point | undefined, last: Point | undefined): number | undefined {
  if (first === undefined || last === undefined || last.share <= first.share) return undefined;
  return last.elapsedMs + ((1 - last.share) * (last.elapsedMs - first.elapsedMs)) / (last.share - first.share);
}
