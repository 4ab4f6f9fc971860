/** The bar at the top: run, pause, stop; progress; the result's hash; sharing and files. */
import type { ExportKind } from '../../protocol/run-protocol.js';
import { fill, h, saveFile } from '../../../src/view/charts/dom.js';
import type { Lab } from '../lab.js';
import { percentText, shortNumber, timeText } from '../../../src/view/format.js';
import { explained } from '../experiment/rejection-words.js';
import type { Variant } from '../variant.js';
import { linkOf } from './link.js';

const FILES: readonly (readonly [kind: ExportKind | 'scenario', title: string])[] = [
  ['scenario', 'Scenario, JSON'],
  ['json', 'Result, JSON'],
  ['flows-csv', 'Flows, CSV'],
  ['ports-csv', 'Ports, CSV'],
  ['series-csv', 'Series, CSV'],
  ['perfetto', 'Trace for Perfetto'],
  ['pcap', 'Packets of the chosen port, pcap'],
];

export class Bar {
  readonly #lab: Lab;
  readonly #run = h('button', { type: 'button', id: 'run', class: 'main' }, 'Run');
  readonly #pause = h('button', { type: 'button', id: 'pause' }, 'Pause');
  readonly #stop = h('button', { type: 'button', id: 'stop' }, 'Stop');
  readonly #live = h('input', { type: 'checkbox', id: 'live' });
  readonly #progress = h('progress', {
    id: 'progress',
    max: 1,
    value: 0,
    'aria-label': 'Share of the payload delivered',
  });
  readonly #status = h('p', { id: 'status', role: 'status' });
  readonly #share = h('button', { type: 'button', id: 'share' }, 'Share');
  readonly #files = h('select', { id: 'export', 'aria-label': 'Export' }, h('option', { value: '' }, 'Export…'),
    ...FILES.map(([kind, title]) => h('option', { value: kind }, title)));

  #warning = '';

  constructor(lab: Lab, host: HTMLElement) {
    this.#lab = lab;
    this.#live.checked = lab.isLive.value;
    host.append(this.#run, this.#pause, this.#stop,
      h('label', { class: 'live', for: 'live', title: 'A change of a parameter runs the scenario at once' }, this.#live,
        'live'), this.#progress, this.#status, this.#share, this.#files);
    this.#listen();
    lab.changed.onChange(() => {
      this.#show();
    });
    for (const signal of [lab.statedHash, lab.code]) {
      signal.onChange(() => {
        this.#show();
      });
    }
    this.#show();
  }

  /** Adds a warning to the status until the address is read again. */
  warn(text: string): void {
    this.#warning = text;
    this.#show();
  }

  say(text: string): void {
    fill(this.#status, text);
  }

  #listen(): void {
    this.#run.addEventListener('click', () => {
      this.#lab.run();
    });
    this.#pause.addEventListener('click', () => {
      const isPaused = this.#lab.variants.some(({ client }) => client.state.value === 'paused');
      for (const { client } of this.#lab.variants) {
        if (isPaused) client.resume();
        else client.pause();
      }
    });
    this.#stop.addEventListener('click', () => {
      for (const { client } of this.#lab.variants) client.stop();
    });
    this.#live.addEventListener('change', () => {
      this.#lab.isLive.value = this.#live.checked;
    });
    this.#share.addEventListener('click', () => void this.#shareLink());
    this.#files.addEventListener('change', () => void this.#export(this.#files.value as ExportKind | 'scenario'));
  }

  #show(): void {
    const clients = this.#lab.variants.map(({ client }) => client);
    const isRunning = clients.some(({ state }) => state.value === 'running');
    const isPaused = clients.some(({ state }) => state.value === 'paused');
    this.#run.textContent = isRunning || isPaused ? 'Run again' : 'Run';
    this.#pause.textContent = isPaused ? 'Resume' : 'Pause';
    this.#pause.disabled = !isRunning && !isPaused;
    this.#stop.disabled = !isRunning && !isPaused;
    const shares = clients.map(({ data }) => data.value?.progress.share ?? 0);
    this.#progress.value = Math.min(...shares);
    this.#progress.hidden = !isRunning && !isPaused;
    fill(this.#status, this.#warning !== '' && h('span', { class: 'of bad' }, this.#warning),
      ...this.#statusOf(isRunning, isPaused));
  }

  #statusOf(isRunning: boolean, isPaused: boolean): (Node | string)[] {
    const progress = this.#lab.chosen.value.client.data.value?.progress;
    if (isRunning || isPaused) {
      const at = progress === undefined ?
        '' :
        `, ${timeText(Number(progress.nowPs.toPrecision(4)))} simulated, ${percentText(progress.share)} delivered`;
      return [`${isPaused ? 'Paused' : 'Running'}${at}`];
    }
    const rejected = this.#lab.variants.find(({ client }) => client.rejection.value !== undefined);
    if (rejected !== undefined) {
      const isOfCode = rejected !== this.#lab.a && this.#lab.code.value !== undefined;
      return [h('span', { class: 'bad' }, isOfCode ? 'Rejected: see Algorithm.' : invalidText(rejected))];
    }
    return [...this.#hashes(), ...this.#held(), ...this.#stated()];
  }

  #held(): (Node | string)[] {
    return this.#lab.code.value?.isHeld === true ? [h('span', { class: 'of' }, 'B has not run: see Algorithm')] : [];
  }

  #hashes(): (Node | string)[] {
    return this.#lab.variants.flatMap(({ name, client }) => {
      const outcome = client.data.value?.outcome;
      if (outcome === undefined) return [];
      const { hash, events, wallMs, simulatedPs } = outcome;
      const title = `${shortNumber(events)} events in ${Math.round(wallMs)} ms; ended: ${outcome.ended}`;
      return [
        h('span', { class: 'of' },
          `${this.#lab.variants.length > 1 ? `${name} ` : ''}${
            timeText(Number(simulatedPs.toPrecision(4)))
          } simulated, hash `, h('code', { class: 'hash', 'data-hash': hash, 'data-of': name, title }, hash), ' '),
      ];
    });
  }

  #stated(): (Node | string)[] {
    const stated = this.#lab.statedHash.value;
    const found = this.#hash();
    if (stated === '' || found === '') return [];
    return stated === found ?
      [h('span', { class: 'good' }, '✓ as the link states')] :
      [h('span', { class: 'bad' }, `✗ the link states ${stated}: another version of the simulator made it`)];
  }

  /** Result hashes of all variants; empty while one has none. */
  #hash(): string {
    const hashes = this.#lab.variants.map(({ client }) => client.data.value?.outcome?.hash ?? '');
    return hashes.includes('') ? '' : hashes.join(' ');
  }

  async #shareLink(): Promise<void> {
    const { a, b, code, view } = this.#lab;
    const link = await linkOf({
      a: a.text.value,
      ...(b.value && { b: b.value.text.value }),
      ...(code.value && { code: code.value.text }),
      view: view.value,
      hash: this.#hash(),
    });
    history.replaceState(null, '', link);
    const isCopied = await navigator.clipboard.writeText(location.href).then(() => true, () => false);
    this.say(isCopied ?
      'The link is in the clipboard and in the address bar.' :
      'The link is in the address bar: copy it from there.');
  }

  async #export(kind: ExportKind | 'scenario' | ''): Promise<void> {
    this.#files.value = '';
    if (kind === '') return;
    const { text, client } = this.#lab.chosen.value;
    if (kind === 'scenario') {
      saveFile('scenario.json', new Blob([text.value], { type: 'application/json' }));
      return;
    }
    const data = client.data.value;
    const port = this.#lab.view.value.port;
    try {
      const file = await client.exported(kind, port === '' ? data?.facts.ports[data.peakPort]?.name ?? '' : port);
      saveFile(file.name, file.blob);
      this.say(`Saved ${file.name}.`);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }
}

/** The error in a variant's scenario, and what the page shows instead of its results. */
function invalidText({ client, text }: Variant): string {
  const { value } = client.rejection;
  if (value === undefined) return '';
  const shown = client.data.value?.outcome === undefined ? '' : ' Showing the last valid run.';
  return `Invalid: ${explained(value, text.value).message}${shown}`;
}
