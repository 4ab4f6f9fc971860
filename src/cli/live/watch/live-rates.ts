/** Rates of streams between two views of a watch, and the lines of a terminal that show them. */
import sparkly from 'sparkly';
import type { WatchView } from '../../../live/index.js';
import type { StreamSummary } from '../../../replay/index.js';
import { BITS_PER_BYTE } from '../../../unit-sizes.js';
import { formatCount, formatQpn, formatRate } from '../../format.js';
import type { Output } from '../../output.js';
import { inLocale, textStyle } from '../../terminal.js';
import { table, type Column } from '../../text-table.js';
import { sumOf } from '../port-table.js';

const STREAMS_SHOWN = 12;
const HISTORY = 20;

interface Line {
  bytes: number;
  rateBps: number;
  readonly history: number[];
}

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
  const { capture, notifications, mrc } = report;
  const dropped = port === undefined ? '' : `, ${formatCount(sumOf(port.receiveDrops))} dropped`;
  const ofMrc = mrc === undefined ?
    [] :
    [`MRC: ${formatCount(mrc.frames)} frames, ${formatCount(mrc.kinds.sack ?? 0)} SACKs, ${
      formatCount(mrc.kinds.nack ?? 0)
    } NACKs, ${formatCount(mrc.trimmed)} trimmed`];
  return [
    `${elapsedSeconds.toFixed(1)} s: ${formatCount(capture.frames)} frames${dropped}; ${
      formatCount(notifications.markedFrames)
    } marked, CNPs: ${formatCount(notifications.cnpsDue)} due, ${
      formatCount(notifications.cnpsSeen)
    } seen; Ctrl-C ends`,
    ...ofMrc,
  ];
}
