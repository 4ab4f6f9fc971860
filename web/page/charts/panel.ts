/** The charts on the right, and the menus that select their port and flow. */
import { h, oncePerFrame, inNextFrame } from '../../../src/view/charts/dom.js';
import { savePng, saveText, type Picture } from '../../../src/view/charts/exports.js';
import { noteDraw } from '../frames.js';
import type { TimeChart } from '../../../src/view/charts/time-chart.js';
import type { Lab } from '../lab.js';
import { redrawWaitMs } from '../run-pace.js';
import { RateTraceSlot } from '../rate-trace/rate-trace-slot.js';
import { framedChart, type FramedChart } from './framed-chart.js';
import { FramedSizes, SIZES_TITLE } from './framed-sizes.js';
import { LongSelect } from './long-select.js';
import { chartSpec, type ChartId } from './specs.js';

const TITLES: Readonly<Record<ChartId, string>> = {
  queue: 'Queue',
  goodput: 'Goodput of the flows',
  sent: 'Sending rate of the port',
  rates: 'Allowed rate of the flows',
  notifications: 'CNPs and Fast CNPs so far',
  pauses: 'Pause frames so far',
  cdf: 'Completion times, CDF',
  fairness: "Fairness of the allowed rates, Jain's index",
};
const IDS = Object.keys(TITLES) as ChartId[];

export class ChartPanel {
  readonly #lab: Lab;
  readonly #charts: ReadonlyMap<ChartId, FramedChart>;
  readonly #sizes: FramedSizes;
  readonly #trace: RateTraceSlot;
  readonly #port = new LongSelect('chart-port');
  readonly #flow = new LongSelect('chart-flow');
  #lastMs = 0;
  /** Visible charts; only these follow a run. */
  readonly #seen = new Set<ChartId>();
  /** Number of drawings so far; unfinished work of an older one is dropped. */
  #drawing = 0;

  constructor(lab: Lab, host: HTMLElement) {
    this.#lab = lab;
    this.#charts = new Map(IDS.map((id) => [
      id,
      framedChart(`chart-${id}`, TITLES[id], {
        ...(id !== 'cdf' && {
          group: 'run',
          onPoint: (timePs: number, value: number) => {
            if (id === 'rates') this.#askWhy(timePs, value);
            else lab.show({ timePs });
          },
        }),
        onDrawn: (ms: number) => {
          noteDraw(id, ms);
        },
      }),
    ]));
    this.#sizes = new FramedSizes(lab);
    this.#trace = new RateTraceSlot(lab);
    const save = (kind: string, click: () => void): HTMLElement =>
      h('button', { type: 'button', class: 'quiet', click }, `Charts as ${kind}`);
    host.append(
      h('div', { class: 'chart-of' }, h('label', { for: 'chart-port' }, 'Port'), this.#port.element,
        h('label', { for: 'chart-flow' }, 'Flow'), this.#flow.element, activePartBox(lab)),
      ...[...this.#charts].flatMap((
        [id, { element }],
      ) => (id === 'rates' ? [element, this.#trace.element] : [element])),
      this.#sizes.element,
      h('div', { class: 'buttons' }, save('PNG', () => {
        for (const [id, title, picture] of this.#pictures()) savePng(`${id}.png`, picture, title);
      }), save('CSV', () => {
        for (const [id, , picture] of this.#pictures()) saveText(`${id}.csv`, 'text/csv', picture.csv());
      })),
    );
    this.#watchSeen();
    this.#port.element.addEventListener('change', () => {
      lab.show({ port: this.#port.element.value });
    });
    this.#flow.element.addEventListener('change', () => {
      lab.show({ flow: Number(this.#flow.element.value) });
    });
    lab.isWholeRun.onChange(() => {
      this.restyle();
    });
    const redraw = oncePerFrame(() => {
      this.#draw();
    }, { isUrgent: true });
    lab.changed.onChange(redraw);
    lab.b.onChange(redraw);
    let { port, flow } = lab.view.value;
    lab.view.onChange((view) => {
      // While playing, only the instant changes, sixty times a second.
      if (view.port === port && view.flow === flow) this.#showInstants();
      else redraw();
      ({ port, flow } = view);
    });
  }

  restyle(): void {
    this.#inTurn(IDS, (id, chart) => {
      chart.restyle(chartSpec(this.#lab, id));
    }, () => {
      this.#sizes.restyle();
    });
  }

  #draw(): void {
    const clients = this.#lab.variants.map(({ client }) => client);
    const waitMs = redrawWaitMs(clients, this.#lastMs);
    if (waitMs > 0) {
      this.#later(waitMs);
      return;
    }
    const isBusy = clients.some(({ state }) => state.value === 'running');
    this.#lastMs = performance.now();
    const seenFirst = [...IDS].sort((a, b) => Number(this.#seen.has(b)) - Number(this.#seen.has(a)));
    const ids = isBusy ? seenFirst.filter((id) => this.#seen.has(id)) : seenFirst;
    this.#inTurn(ids, (id, chart) => {
      chart.show(chartSpec(this.#lab, id));
      if (id !== 'cdf') chart.showInstant(this.#instant());
    }, isBusy ? undefined : () => {
      this.#sizes.show();
    });
  }

  /** Draws charts one after the other, over as many frames as needed, visible ones first. */
  #inTurn(ids: readonly ChartId[], draw: (id: ChartId, chart: TimeChart) => void,
    drawSizes: (() => void) | undefined): void {
    const mine = ++this.#drawing;
    const isWanted = (): boolean => mine === this.#drawing;
    for (const id of ids) {
      const chart = this.#charts.get(id)?.chart;
      if (chart === undefined) continue;
      inNextFrame(() => {
        draw(id, chart);
      }, { isPicture: true, isWanted, isUrgent: this.#seen.has(id) });
    }
    if (drawSizes !== undefined) inNextFrame(drawSizes, { isPicture: true, isWanted });
    inNextFrame(() => {
      this.#showChoices();
    }, { isWanted });
  }

  #watchSeen(): void {
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const id = target.id.replace('chart-', '') as ChartId;
        if (isIntersecting) this.#seen.add(id);
        else this.#seen.delete(id);
      }
    });
    for (const { element } of this.#charts.values()) observer.observe(element);
  }

  /** Handles a click on the chart of rates: explains the flow whose rate is nearest to the click. */
  #askWhy(timePs: number, rateBps: number): void {
    const data = this.#lab.chosen.value.client.data.value;
    const flow = data?.flowAt(timePs, rateBps) ?? -1;
    this.#lab.show(flow < 0 ? { timePs } : { timePs, flow });
    void this.#trace.asked();
  }

  #showInstants(): void {
    for (const [id, { chart }] of this.#charts) if (id !== 'cdf') chart.showInstant(this.#instant());
  }

  #instant(): number {
    const { timePs } = this.#lab.view.value;
    return timePs < 0 ? this.#lab.chosen.value.client.data.value?.reportedPs ?? -1 : timePs;
  }

  #timer: ReturnType<typeof setTimeout> | undefined;

  #later(waitMs: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, waitMs);
  }

  #showChoices(): void {
    const data = this.#lab.chosen.value.client.data.value;
    if (data === undefined) return;
    const { nodes, ports, ratedFlows } = data.facts;
    const { port, flow } = this.#lab.view.value;
    const names = ports.filter(({ node }) => nodes[node]?.kind === 'switch').map(({ name }) => name);
    // The menu lacks host ports, which only the arrow keys can select.
    const listed = port === '' || names.includes(port) ? names : [...names, port];
    this.#port.show([['', 'longest queue'], ...listed.map((name) => [name, name] as const)], port);
    this.#flow.show([
      ['-1', 'all flows'],
      ...Array.from({ length: ratedFlows }, (_, index) => [String(index), `flow ${index}`] as const),
    ], String(flow));
  }

  /** Charts that are drawn: file name, title, picture. */
  #pictures(): [string, string, Picture][] {
    const all = [...this.#charts].map(([id, { chart }]) => [id, TITLES[id], chart.picture] as const);
    return [...all, ['sizes', SIZES_TITLE, this.#sizes.picture] as const].flatMap(([id, title, picture]) =>
      picture === undefined ? [] : [[id, title, picture]]
    );
  }
}

/** Checkbox: charts show the whole run or only its active part. */
function activePartBox(lab: Lab): HTMLElement {
  const box = h('input', {
    type: 'checkbox',
    id: 'active-part',
    change: () => {
      lab.isWholeRun.value = !box.checked;
    },
  });
  return h('label', { class: 'live', for: 'active-part', title: 'The part of the run in which the queue is not empty' },
    box, 'active part only');
}
