/** Runs `roce-cc live watch`: live rates, then the report; optionally a capture file and metrics. */
import sparkly from 'sparkly';
import { writeCaptureFile } from '../../capture/node-file.js';
import { readCaptureBatches } from '../../capture/reader.js';
import type { FramePort, WatchView } from '../../live/index.js';
import { watch, type WatchResult } from '../../live/watch.js';
import { parseFlows, type Flow } from '../../replay/flows.js';
import type { StreamSummary } from '../../replay/index.js';
import { BITS_PER_BYTE } from '../../units.js';
import { describeError } from '../describe-error.js';
import { Failures, type Output, writeOut } from '../output.js';
import { formatCount, formatCountOf, formatQpn, formatRate } from '../../view/format.js';
import { mrcOptionsOf } from '../mrc-options.js';
import { printableJson } from '../printable.js';
import { readText } from '../read-text.js';
import { engineSettings, type EngineSettings } from '../replay/engine-settings.js';
import { renderText } from '../replay/report-text.js';
import { renderJson, type Report } from '../replay/report.js';
import { inLocale, textStyle } from '../terminal.js';
import { table, type Column } from '../text-table.js';
import { portLines, sumOf, openPort, Screen, stopOn } from './session.js';
import { serveMetrics } from '././metrics-server.js';
import type { EngineFlags } from '../replay/engine-options.js';

/** All options of the command. */
export interface WatchFlags extends EngineFlags {
  readonly flows?: string;
  readonly json?: boolean;
  readonly pcap?: string;
  readonly metrics?: number;
  readonly seconds?: number;
  readonly frames?: number;
  readonly promiscuous?: boolean;
  readonly blockTimeout?: number;
}

const STREAM = '-';
/** A stream's frames are processed as soon as they arrive. */
const STREAM_BATCH_BYTES = 1;

/**
 * Watches until a signal, a limit, or the end of the stream; then prints the report.
 *
 * @returns the exit code.
 * @throws RoceError and system errors before anything is watched.
 */
export async function runWatch(source: string, flags: WatchFlags, output: Output): Promise<number> {
  const settings = await engineSettings(flags);
  const flows = flags.flows === undefined ? [] : parseFlows(await readText(flags.flows), flags.flows);
  const port = source === STREAM ? undefined : await openPort(source, flags);
  const failures = new Failures();
  try {
    const result = await watchPort(port, flows, settings, flags, output);
    const { error } = result.report;
    const report: Report = {
      result: result.report,
      title: `roce-cc live watch: ${port?.name ?? 'standard input'}`,
      file: source,
      flowsFile: flags.flows,
      flowsFrom: flags.flows === undefined ? 'none' : 'list',
      flowCount: flows.length,
      bundled: false,
      program: 'roce-cc',
      origin: settings.origin,
      notes: settings.notes,
      warnings: settings.warnings,
    };
    await writeOut(output.stdout, flags.json === true ? jsonOf(report, result) : textOf(report, result, port, output));
    if (error !== undefined) failures.add(describeError(error, port?.name ?? 'standard input'));
  } finally {
    port?.close();
  }
  return failures.report(output);
}

async function watchPort(port: FramePort | undefined, flows: readonly Flow[], settings: EngineSettings,
  flags: WatchFlags, output: Output): Promise<WatchResult> {
  const { pcap } = flags;
  const screen = new Screen(output);
  const rates = new LiveRates();
  let latest: WatchView | undefined;
  const metrics = flags.metrics === undefined ? undefined : await serveMetrics(flags.metrics, () => latest);
  if (metrics !== undefined) output.stderr.write(`roce-cc: metrics at ${metrics.url}\n`);
  const stop = stopOn(flags.seconds);
  try {
    return await watch(port ?? readCaptureBatches(process.stdin, { batchBytes: STREAM_BATCH_BYTES }), {
      parameters: settings.parameters,
      engine: settings.engine,
      flows,
      mrc: mrcOptionsOf(flags),
      limitFrames: flags.frames,
      signal: stop.signal,
      writeFrames: pcap === undefined ? undefined : (frames) => writeCaptureFile(pcap, frames, { format: 'pcapng' }),
      onView: (view) => {
        latest = view;
        if (screen.isOn) screen.draw(rates.linesOf(view, output));
      },
    });
  } finally {
    screen.clear();
    stop.dispose();
    await metrics?.close();
    // A pipe that stays open would keep the process alive.
    if (port === undefined) process.stdin.destroy();
  }
}

function textOf(report: Report, { port, framesBeyondLimit, writtenFrames }: WatchResult, opened: FramePort | undefined,
  output: Output): string {
  const style = textStyle(output);
  const lines = port === undefined ? [] : portLines(opened?.name ?? '', port, style);
  if (framesBeyondLimit > 0)
    lines.push(
      `  ${
        formatCountOf(framesBeyondLimit, 'frame')
      } arrived in the same batch after the last frame of --frames and were ignored`,
    );
  if (writtenFrames > 0) lines.push(`  ${formatCountOf(writtenFrames, 'frame')} written into the capture`);
  return inLocale(`${renderText(report, style)}${lines.map((line) => `${line}\n`).join('')}`, output.env);
}

function jsonOf(report: Report, { port, framesBeyondLimit, writtenFrames, elapsedSeconds }: WatchResult): string {
  const parsed = JSON.parse(renderJson(report)) as Record<string, unknown>;
  const live = { port, elapsedSeconds, framesBeyondLimit, writtenFrames };
  return printableJson(`${JSON.stringify({ ...parsed, live }, null, 2)}\n`);
}

const STREAMS_SHOWN = 12;
const HISTORY = 20;

interface Line {
  bytes: number;
  rateBps: number;
  readonly history: number[];
}

/** Rates of streams between two views of a watch, and the lines of a terminal that show them. */
export class LiveRates {
  readonly #lines = new Map<string, Line>();
  #elapsedSeconds = 0;

  /** Lines for the totals and the busiest streams. */
  linesOf(view: WatchView, output: Output): string[] {
    const seconds = view.elapsedSeconds - this.#elapsedSeconds;
    this.#elapsedSeconds = view.elapsedSeconds;
    const lines = view.report.streams.map((stream) => ({ stream, line: this.#follow(stream, seconds) }));
    const busiest = lines.sort((a, b) => b.line.rateBps - a.line.rateBps).slice(0, STREAMS_SHOWN);
    const columns: Column[] = [
      { head: 'from', align: 'left' },
      { head: 'to', align: 'left' },
      { head: 'QPN' },
      { head: 'rate' },
      { head: 'marked' },
      { head: 'CNPs' },
      { head: '', align: 'left' },
    ];
    const rows = busiest.map(({ stream, line }) => [
      stream.source,
      stream.destination,
      formatQpn(stream.destQpn),
      formatRate(line.rateBps),
      formatCount(stream.markedFrames),
      formatCount(stream.cnps + stream.fastCnps),
      sparkly(line.history, { minimum: 0 }),
    ]);
    const text = [...sumLines(view), ...(rows.length === 0 ? [] : table(columns, rows))].join('\n');
    return inLocale(text, output.env).split('\n').map((line) => line.slice(0, textStyle(output).columns));
  }

  #follow({ source, destination, destQpn, bytes }: StreamSummary, seconds: number): Line {
    const key = `${source} ${destination} ${destQpn}`;
    const line = this.#lines.get(key) ?? { bytes: 0, rateBps: 0, history: [] };
    this.#lines.set(key, line);
    line.rateBps = seconds > 0 ? ((bytes - line.bytes) * BITS_PER_BYTE) / seconds : 0;
    line.bytes = bytes;
    line.history.push(line.rateBps);
    if (line.history.length > HISTORY) line.history.shift();
    return line;
  }
}

function sumLines({ report, port, elapsedSeconds }: WatchView): string[] {
  const { capture, notifications } = report;
  const dropped = port === undefined ? '' : `, ${formatCount(sumOf(port.receiveDrops))} dropped`;
  return [
    `${elapsedSeconds.toFixed(1)} s: ${formatCount(capture.frames)} frames${dropped}; ${
      formatCount(notifications.markedFrames)
    } marked, CNPs: ${formatCount(notifications.cnpsDue)} due, ${
      formatCount(notifications.cnpsSeen)
    } seen; Ctrl-C ends`,
    ...multipathLines(report),
  ];
}

/** A line for each transport of many paths that has been seen. */
function multipathLines({ mrc, uet }: WatchView['report']): string[] {
  const lines: string[] = [];
  if (mrc !== undefined) {
    lines.push(
      `MRC: ${formatCount(mrc.frames)} frames, ${formatCount(mrc.kinds.sack ?? 0)} SACKs, ${
        formatCount(mrc.kinds.nack ?? 0)
      } NACKs, ${formatCount(mrc.trimmed)} trimmed`,
    );
  }
  if (uet !== undefined) {
    const nacks = uet.nacks.reduce((sum, { frames }) => sum + frames, 0);
    lines.push(
      `Ultra Ethernet: ${formatCount(uet.frames)} frames, ${formatCount(nacks)} NACKs, ${
        formatCount(uet.trimmed)
      } trimmed`,
    );
  }
  return lines;
}
