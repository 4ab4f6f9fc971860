/** The start page's experiment. The simulator is loaded when the user first changes a setting. */
import { linkOf } from '../../web/page/share/link.js';
import { drawing, keyNumbers } from './drawing.js';
import type { ExperimentResult } from './experiment.js';
import { readsMarks, scenarioOf, type ExperimentSettings } from './scenario.js';

const panel = byId('experiment');
const preset = byId('experiment-preset') as HTMLSelectElement;
const senders = byId('experiment-senders') as HTMLInputElement;
const kmin = byId('experiment-kmin') as HTMLInputElement;
const status = byId('experiment-status');
const labLink = byId('experiment-lab') as HTMLAnchorElement;

let worker: Worker | undefined;
/** The worker's current request, and the next one. */
let running: ExperimentSettings | undefined;
let next: ExperimentSettings | undefined;

function settings(): ExperimentSettings {
  return { preset: preset.value, senders: Number(senders.value), kminKB: Number(kmin.value) };
}

function change(): void {
  name();
  next = settings();
  if (running === undefined) start();
}

function start(): void {
  if (next === undefined) return;
  running = next;
  next = undefined;
  status.textContent = worker === undefined ? 'Loading the simulator …' : 'Running …';
  worker ??= newWorker();
  worker.postMessage(running);
}

function newWorker(): Worker {
  const made = new Worker(new URL('experiment-worker.js', import.meta.url), { type: 'module' });
  made.addEventListener('message', ({ data }: MessageEvent<ExperimentResult>) => {
    if (running !== undefined) show(data, running);
    running = undefined;
    start();
  });
  made.addEventListener('error', ({ message }) => {
    running = undefined;
    status.textContent = `The simulator could not run: ${message}`;
  });
  return made;
}

function show(result: ExperimentResult, of: ExperimentSettings): void {
  byId('experiment-drawing').innerHTML = drawing(result, of);
  byId('experiment-numbers').replaceChildren(...keyNumbers(result).map(([title, text]) => {
    const item = document.createElement('div');
    const [term, value] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = title;
    value.textContent = text;
    item.append(term, value);
    return item;
  }));
  status.textContent = `Simulated in this browser; result hash ${result.hash}.`;
  panel.dataset.hash = result.hash;
  void leadToLab(of, result.hash);
}

/** Updates the link to the lab, with this experiment and its expected result hash. */
async function leadToLab(of: ExperimentSettings, hash: string): Promise<void> {
  const link = await linkOf({
    a: JSON.stringify(scenarioOf(of), undefined, 2),
    view: { port: '', flow: -1, timePs: -1 },
    hash,
  });
  labLink.href = `${labLink.href.replace(/#.*/, '')}${link}`;
}

/** Shows the sliders' values. */
function name(): void {
  byId('experiment-senders-value').textContent = senders.value;
  kmin.disabled = !readsMarks(settings());
  byId('experiment-kmin-value').textContent = kmin.disabled ? 'not used' : `${kmin.value} kB`;
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element #${id}.`);
  return element;
}

for (const control of [preset, senders, kmin]) control.addEventListener('input', change);
name();
