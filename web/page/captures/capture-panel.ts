/** Shows a capture: frames, bytes, connections and rates. */
import type { CaptureReport } from '../../protocol/capture-protocol.js';
import { framedChart, type FramedChart } from '../charts/framed-chart.js';
import type { Line } from '../../../src/view/charts/time-chart.js';
import { fill, h } from '../../../src/view/charts/dom.js';
import { flowColor } from '../../../src/view/charts/palette.js';
import { bytesText, RATE_UNITS, rateText, timeText } from '../../../src/view/format.js';
import { CaptureClient } from './client.js';
import { connectionsTable } from './connections-table.js';
import { packetView } from './packet-view.js';

const ROWS = 200;
const QPS_DRAWN = 24;

/** Readable names of packet classes. */
const CLASS_WORDS: Readonly<Record<string, string>> = {
  ack: 'ACKs',
  nak: 'NAKs',
  cnp: 'CNPs',
  'fast-cnp-1': 'Fast CNPs (option 1)',
  'fast-cnp-2': 'Fast CNPs (option 2)',
  other: 'others',
};

export class CapturePanel {
  readonly #status: HTMLElement;
  readonly #report: HTMLElement;
  #client: CaptureClient | undefined;
  #capture: File | undefined;
  #flows: string | undefined;
  #charts: FramedChart[] = [];

  /** @param report element for tables and charts. */
  constructor(status: HTMLElement, report: HTMLElement) {
    this.#status = status;
    this.#report = report;
  }

  restyle(): void {
    for (const { chart } of this.#charts) chart.restyle();
  }

  /** Reads a capture, with a list of connections that was given before or together with it. */
  async take(files: readonly File[]): Promise<void> {
    for (const file of files) {
      if (file.name.endsWith('.csv')) this.#flows = await file.text();
      else this.#capture = file;
    }
    if (this.#capture === undefined) {
      fill(this.#status, 'The list of connections is loaded: now add its capture.');
      return;
    }
    fill(this.#status, `Reading ${this.#capture.name}, ${bytesText(this.#capture.size)} …`);
    this.#client ??= new CaptureClient();
    try {
      this.#show(await this.#client.read(this.#capture, this.#flows));
    } catch (error) {
      fill(this.#report);
      fill(this.#status, error instanceof Error ? error.message : String(error));
    }
    this.#status.scrollIntoView({ block: 'nearest' });
  }

  #show(report: CaptureReport): void {
    const { name, frames, durationPs, classes, trouble, engineOf } = report;
    const marked = report.connections.reduce((sum, connection) => sum + connection.marked, report.others.marked);
    const counted = classes.map(([kind, count]) => `${count.toLocaleString('en')} ${CLASS_WORDS[kind] ?? kind}`).join(
      ', ',
    );
    fill(this.#status,
      `${name}: ${frames.toLocaleString('en')} frames in ${timeText(Number(durationPs.toPrecision(4)))}: ${counted}; ${
        marked.toLocaleString('en')
      } data frames marked. ${trouble}`);
    const wire = this.#chart('capture-rates', `Rates on the wire, ${
      report.qps.length > QPS_DRAWN ?
        `the ${QPS_DRAWN} largest of ${report.connections.length} connections` :
        'by connection'
    }`, report.qps.slice(0, QPS_DRAWN).map((qp, index) => lineOf(qp.name, report.timesPs, qp.rateBps, index)));
    const engine = report.engine.length === 0 ?
      [] :
      [this.#chart('capture-engine',
        `Rates that ${engineOf.preset} at ${rateText(engineOf.lineRateBps)} would set in response to these CNPs`,
        report.engine.slice(0, QPS_DRAWN).map(({ name: of, timesPs, rateBps }, index) =>
          lineOf(of, timesPs, rateBps, placeOf(report, of) ?? index)
        ))];
    this.#charts = [wire, ...engine];
    const details = h('div', { id: 'capture-frame' });
    fill(this.#report, ...this.#charts.map(({ element }) => element), connectionsTable(report, QPS_DRAWN),
      this.#frames(report, details), details);
    for (const { chart } of this.#charts) chart.restyle();
  }

  #chart(id: string, title: string, lines: readonly Line[]): FramedChart {
    const framed = framedChart(id, title, { group: 'capture' });
    framed.chart.show({ lines, levels: [], units: RATE_UNITS, top: 0, empty: 'No RoCEv2 packets.' });
    return framed;
  }

  #frames(report: CaptureReport, details: HTMLElement): HTMLElement {
    const body = h('tbody', {});
    const note = h('p', { class: 'words' });
    let first = 0;
    const page = (step: number): void => {
      first = Math.max(0, Math.min(report.lines.length - 1, first + step));
      fill(body,
        ...report.lines.slice(first, first + ROWS).map((line, index) => this.#row(line, first + index, details)));
      fill(note,
        `Frames ${first} to ${Math.min(report.lines.length, first + ROWS) - 1} of ${
          report.frames.toLocaleString('en')
        }${
          report.frames > report.lines.length ?
            `; the first ${report.lines.length.toLocaleString('en')} are listed` :
            ''
        }.`);
    };
    page(0);
    const heads = ['Frame', 'Time', 'Bytes', 'Packet'].map((head, index) =>
      h('th', { scope: 'col', class: index < 3 ? 'number' : '' }, head)
    );
    return h('div', {},
      h('div', { class: 'frames', tabindex: 0, role: 'region', 'aria-label': 'Frames' },
        h('table', { id: 'frames' }, h('thead', {}, h('tr', {}, ...heads)), body)), note,
      h('div', { class: 'buttons' }, h('button', {
        type: 'button',
        class: 'quiet',
        click: () => {
          page(-ROWS);
        },
      }, 'Frames before'), h('button', {
        type: 'button',
        class: 'quiet',
        click: () => {
          page(ROWS);
        },
      }, 'Next frames')));
  }

  #row({ sincePs, lenBytes, text }: CaptureReport['lines'][number], index: number, details: HTMLElement): HTMLElement {
    const open = h('button', {
      type: 'button',
      class: 'link',
      'data-frame': index,
      click: () => void this.#open(index, details),
    }, String(index));
    return h('tr', {}, h('td', { class: 'number' }, open),
      h('td', { class: 'number' }, Number.isNaN(sincePs) ? '–' : timeText(Number(sincePs.toPrecision(6)))),
      h('td', { class: 'number' }, String(lenBytes)), h('td', {}, text));
  }

  async #open(index: number, details: HTMLElement): Promise<void> {
    if (this.#client === undefined) return;
    try {
      fill(details, h('h3', {}, `Frame ${index}`), packetView(await this.#client.frame(index)));
    } catch (error) {
      fill(details, error instanceof Error ? error.message : String(error));
    }
  }
}

/** Index of a connection, which gives it the same colour in both charts. */
function placeOf({ qps }: CaptureReport, name: string): number | undefined {
  const at = qps.findIndex((qp) => qp.name === name);
  return at < 0 ? undefined : at;
}

function lineOf(label: string, timesPs: Float64Array, values: Float64Array, index: number): Line {
  return {
    label,
    timesPs,
    values,
    color: flowColor(index),
    dash: index % 2 === 0 ? [] : [5, 3],
    width: 1.5,
    isNamed: index < 4,
  };
}
