/**
 * Runs `roce-cc replay`, with or without a flow list; writes the report, and the rate changes as JSON lines
 * (docs/guides/trace.md).
 */
import type { SingleBar } from 'cli-progress';
import { openCaptureFile, type CaptureFile } from '../../capture/node-file.js';
import { readCaptureBatches } from '../../capture/reader.js';
import { formatTraceLine, type LostChanges } from '../../engine/rate-changes.js';
import { parseFlows } from '../../replay/flows.js';
import { foundFlows, formatFlows } from '../../replay/found-flows.js';
import type { Flow, ReplayReport, FoundFlow, FlowRateChange } from '../../replay/index.js';
import { replay } from '../../replay/replay.js';
import { describeError } from '../describe-error.js';
import { Failures, type Output, type Environment, type OutputStream, writeOutOr } from '../output.js';
import { formatCount } from '../../view/format.js';
import { keepUnshown, writeOrKeep, type Warn, KeptFile, LineOutput, requireWritable } from '../write-file.js';
import { mrcOptionsOf } from '../mrc-options.js';
import { printableJson } from '../printable.js';
import { progressBar } from '../progress-bar.js';
import { readText } from '../read-text.js';
import { BUNDLED_CAPTURE, BUNDLED_FLOWS, BUNDLED_SWITCH, BUNDLED_TELEMETRY, inputFile } from '../shipped-files.js';
import { inLocale, textStyle } from '../terminal.js';
import { engineSettings, type EngineSettings } from './engine-settings.js';
import { type EngineFlags, HPCC_PP_PRESET } from './engine-options.js';
import { renderText } from './report-text.js';
import { renderJson, type Report, hasNotifications, type FlowsFrom } from './report.js';

/** All options of the command. */
export interface ReplayFlags extends EngineFlags {
  readonly flows?: string;
  readonly limit?: number;
  readonly json?: boolean;
  readonly output?: string;
  readonly trace?: string;
  readonly writeFlows?: string;
  readonly progress: boolean;
}

const STANDARD_INPUT = '-';

/**
 * Replays a capture and prints the report.
 *
 * @param file the capture; undefined = the bundled one, `-` = standard input.
 * @returns the exit code: a damaged capture is reported as far as it goes, then as an error.
 * @throws RoceError and system errors before anything is printed.
 */
export async function runReplay(file: string | undefined, flags: ReplayFlags, output: Output): Promise<number> {
  const job = chooseJob(file, flags);
  if (flags.output !== undefined) requireWritable(flags.output);
  const settings = await engineSettings(job.flags);
  if (flags.writeFlows !== undefined) requireWritable(flags.writeFlows);
  const flows = await readFlows(job.flowsFile);
  const capture = await openInput(job.file);
  const failures = new Failures();
  const trace = flags.trace === undefined ? undefined : openTrace(flags.trace, output.stdout, failures.add);
  const passWith = (traced: TraceFile | undefined): FilePass => (list, input) =>
    replayFile(input, list, settings, flags, traced, output);
  const followed = await follow(job, flows, capture, [passWith(undefined), passWith(trace)])
    .finally(() => trace?.close());
  const { result, flowsFrom } = followed;
  keepFound(followed, flags, failures.add);
  const { origin, notes, warnings } = settings;
  const { flowsFile, bundled } = job;
  const program = process.env.npm_lifecycle_event === 'start' ? 'npm start --' : 'roce-cc';
  const nothingRead = result.error !== undefined && result.capture.frames === 0 && flags.json !== true;
  if (!nothingRead) {
    await print({
      result,
      file: job.file,
      flowsFile,
      flowsFrom,
      flowCount: followed.flows.length,
      bundled,
      program,
      origin,
      notes,
      warnings,
    }, flags, output, failures.add);
  }
  warn(result.error, job.file, trace?.lost ?? 0, failures.add);
  return failures.report(output);
}

type FilePass = (flows: readonly Flow[], input: CaptureFile) => Promise<ReplayReport>;

/** One pass with a flow list; without, a second pass follows the connections that the first one finds. */
async function follow({ file, flowsFile }: Job, flows: readonly Flow[], capture: CaptureFile,
  [first, last]: readonly [FilePass, FilePass]): Promise<Followed> {
  if (flowsFile !== undefined) {
    const result = await last(flows, capture);
    return { result, flows, flowsFrom: 'list', found: foundFlows(result) };
  }
  // Pipes, which have no size, cannot be read twice.
  const isFile = capture.sizeBytes > 0;
  return replayFound((list) => first(list, capture),
    isFile ? async (list) => last(list, await openInput(file)) : undefined);
}

/** Writes the connections found, or reports which files need some. */
function keepFound({ found, flowsFrom }: Followed, { writeFlows, trace }: ReplayFlags, to: Warn): void {
  if (writeFlows !== undefined && found.length > 0) writeOrKeep(writeFlows, formatFlows(found), to);
  if (found.length > 0 || flowsFrom === 'list') return;
  if (writeFlows !== undefined) to(`no connection was found, so ${writeFlows} was not written`);
  if (trace !== undefined) to('no connection was found, so the trace is empty; list the connections with --flows');
}

/** Replays a capture once, with a progress bar. */
async function replayFile({ sizeBytes, chunks }: CaptureFile, flows: readonly Flow[], settings: EngineSettings,
  flags: ReplayFlags, trace: TraceFile | undefined, { stderr, env }: Output): Promise<ReplayReport> {
  const progress = startProgress(stderr, flags.progress && flags.json !== true ? sizeBytes : 0, env);
  let readBytes = 0;
  const batches = readCaptureBatches(chunks, {
    onProgress: (sourceBytes) => {
      readBytes = sourceBytes;
    },
  });
  return replay(batches, {
    parameters: settings.parameters,
    engine: settings.engine,
    flows,
    mrc: mrcOptionsOf(flags),
    limitFrames: flags.limit,
    onRateChange: trace && ((change) => {
      trace.add(change);
    }),
    onProgress: (frames) => {
      progress.update(readBytes, frames);
      if (trace?.isReaderGone === true && flags.output === undefined) throw new ReaderGone();
      return trace?.flush();
    },
  }).finally(() => {
    progress.stop();
  });
}

/** Thrown to end a replay when the reader of its trace has closed the pipe. */
class ReaderGone extends Error {}

function warn(error: unknown, file: string, lost: number, to: Warn): void {
  if (lost > 0) to(`${lost} rate changes did not fit into the trace; lines {"lost":n} mark the gaps`);
  if (error !== undefined && !(error instanceof ReaderGone)) to(describeError(error, file));
}

interface Job {
  readonly file: string;
  readonly flowsFile: string | undefined;
  readonly flags: EngineFlags;
  readonly bundled: boolean;
}

/**
 * Chooses the capture. The bundled one allows Fast CNPs from its switch and knows its trace offsets, unless options say
 * otherwise.
 */
function chooseJob(file: string | undefined, flags: ReplayFlags): Job {
  if (file !== undefined) return { file, flowsFile: flags.flows, flags, bundled: false };
  const isSaid = flags.fastCnp !== undefined || flags.allow.length + flags.deny.length > 0;
  const known = flags.preset === HPCC_PP_PRESET ? { telemetry: BUNDLED_TELEMETRY, ...flags } : flags;
  const engineFlags = isSaid ? known : { ...known, fastCnp: true, allow: [BUNDLED_SWITCH] };
  return {
    file: BUNDLED_CAPTURE,
    flowsFile: flags.flows ?? BUNDLED_FLOWS,
    flags: engineFlags,
    bundled: flags.flows === undefined,
  };
}

async function readFlows(file: string | undefined): Promise<Flow[]> {
  return file === undefined ? [] : parseFlows(await readText(file), file);
}

async function openInput(file: string): Promise<CaptureFile> {
  return file === STANDARD_INPUT ? { sizeBytes: 0, chunks: process.stdin } : openCaptureFile(inputFile(file));
}

async function print(report: Report, flags: ReplayFlags, output: Output, to: Warn): Promise<void> {
  const file = flags.output === undefined ? undefined : writeOrKeep(flags.output, renderJson(report), to);
  if (flags.trace === TRACE_TO_STDOUT) return;
  const shown = flags.json === true ?
    printableJson(renderJson(report)) :
    inLocale(renderText(report, textStyle(output)), output.env);
  await writeOutOr(output.stdout, shown, (error) => {
    if (file === undefined) keepUnshown(error, 'report.json', renderJson(report), to);
    else to(`${describeError(error)}; the report is in ${file}`);
  });
}

/** Delay before the bar appears: short files need none. */
const SHOW_AFTER_MS = 400;
const PERCENT = 100;
const BAR_FORMAT = '{bar} {percentage} % | {frames} frames';
const BAR_CHARACTERS = 30;

export interface Progress {
  update(sourceBytes: number, frames: number): void;
  stop(): void;
}

const NO_PROGRESS: Progress = { update: () => undefined, stop: () => undefined };

/**
 * A progress bar on a terminal, for files that take a while.
 *
 * @param sizeBytes length of the file as stored; 0 if unknown: shows no bar.
 */
function startProgress(stream: OutputStream, sizeBytes: number, env?: Environment,
  nowMs: () => number = () => performance.now()): Progress {
  if (stream.isTTY !== true || sizeBytes === 0) return NO_PROGRESS;
  const beganMs = nowMs();
  let bar: SingleBar | undefined;
  return {
    update(sourceBytes, frames) {
      if (bar === undefined && nowMs() - beganMs < SHOW_AFTER_MS) return;
      const payload = { frames: formatCount(frames) };
      if (bar === undefined) {
        bar = progressBar(stream, BAR_FORMAT, BAR_CHARACTERS, env);
        bar.start(PERCENT, 0, payload);
      }
      bar.update(Math.floor((PERCENT * sourceBytes) / sizeBytes), payload);
    },
    stop() {
      bar?.stop();
    },
  };
}

/** A result, with the flows that it covers. */
export interface Followed {
  readonly result: ReplayReport;
  readonly flows: readonly Flow[];
  readonly flowsFrom: FlowsFrom;
  /** Flows of all connections found, for `--write-flows`. */
  readonly found: readonly FoundFlow[];
}

/** Reads the whole capture once, following these flows. */
type Pass = (flows: readonly Flow[]) => Promise<ReplayReport>;

/**
 * Replays without a flow list: the first pass finds the connections; the second one follows their CNPs and rates, if
 * the capture can be read twice and contains notifications.
 *
 * @param secondPass reads the capture again from its start; undefined if it cannot be read twice.
 */
async function replayFound(firstPass: Pass, secondPass: Pass | undefined): Promise<Followed> {
  const result = await firstPass([]);
  const found = foundFlows(result);
  const unfollowed: Followed = { result, flows: [], flowsFrom: 'none', found };
  if (secondPass === undefined || found.length === 0 || !hasNotifications(result)) return unfollowed;
  const second = await secondPass(found);
  // The second pass may fail on a capture with more epochs than an engine can follow; the first pass then has more
  // results.
  if (second.error !== undefined && result.error === undefined) return unfollowed;
  return { result: second, flows: found, flowsFrom: 'connections', found };
}

const TRACE_TO_STDOUT = '-';

/** The file of rate changes, each with its QP number and flow name. */
export class TraceFile {
  /** Number of changes that the engine lost; a line `{"lost":n}` marks each gap. */
  lost = 0;
  readonly #sink: KeptFile | LineOutput;
  #pending = '';

  constructor(sink: KeptFile | LineOutput) {
    this.#sink = sink;
  }

  /** Buffers a change until the next `flush`. */
  add(change: FlowRateChange | LostChanges): void {
    if ('lost' in change) this.lost += change.lost;
    this.#pending += formatTraceLine(change);
  }

  /** Writes the buffered changes and waits until they are written. */
  async flush(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    if (text === '') return;
    if (this.#sink instanceof KeptFile) this.#sink.write(text);
    else await this.#sink.write(printableJson(text));
  }

  /** Whether the reader of standard output has closed the pipe. */
  get isReaderGone(): boolean {
    return this.#sink instanceof LineOutput && this.#sink.isReaderGone;
  }

  /** Writes the rest and moves the file to its path. */
  async close(): Promise<void> {
    await this.flush();
    this.#sink.finish();
  }
}

/**
 * @param warn reports the trace's path if it differs from the requested one.
 * @throws system errors if the file can't be written.
 */
function openTrace(file: string, stdout: OutputStream, warn: Warn): TraceFile {
  if (file === TRACE_TO_STDOUT) return new TraceFile(new LineOutput(stdout, 'trace.jsonl', warn));
  requireWritable(file);
  return new TraceFile(new KeptFile(file, warn));
}
