/** `npm run lab-times`: how long the lab takes to open, to run and draw again as a slider moves (the gallery's first ten items); its frames, and those of a page that simulates. No limit is checked. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BROWSERS, browserProgram, factsFromPage } from '../../test/runtimes/browsers.js';
import { buildLab, SUB_PATH } from '../../test/web/built-lab.js';

/** Times posted by page.html, milliseconds. */
interface Times {
  readonly opened: readonly number[];
  /** By item of the gallery: from a slider's new value to the charts in view. */
  readonly slid: Readonly<Record<string, readonly number[]>>;
  /** Another flow is highlighted. */
  readonly drawn: readonly number[];
  /** In the colours of the other theme. */
  readonly restyled: readonly number[];
  readonly idle: readonly number[];
  readonly running: readonly number[];
  /** Tasks of the page's thread of 50 ms and more; Firefox reports none. */
  readonly tasks: readonly number[];
  /** Frames of a page that runs the simulator itself, not in a worker. */
  readonly onPage: readonly number[];
}

const TITLES: Readonly<Record<Exclude<keyof Times, 'slid'>, string>> = {
  opened: 'from the address to a page that takes clicks',
  drawn: 'chart of 64 flows, 1,000 samples, drawn again',
  restyled: 'the same chart in the colours of the other theme',
  idle: 'frames, idle page',
  running: 'frames, run of a fat-tree, k = 8',
  tasks: 'tasks of 50 ms and more meanwhile',
  onPage: 'frames, run of a fat-tree, k = 16, 10,000 flows, on the main thread of a page',
};
const SHARES = [0.5, 0.9, 0.99, 1] as const;

const page = readFileSync(new URL('page.html', import.meta.url), 'utf8').replace('LAB', `/${SUB_PATH}/index.html`);
const lab = await buildLab(page);
const root = fileURLToPath(new URL('../../', import.meta.url));
copyFileSync(path.join(root, 'dist/browser/roce-cc-sim.js'), path.join(lab.dir, 'roce-cc-sim.js'));
copyFileSync(path.join(root, 'examples/scenarios/fat-tree-k16-10000-flows.json'),
  path.join(lab.dir, 'fat-tree-k16.json'));
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

say(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1) ?? ''}; ` +
  'milliseconds: median, p90, p99, longest');
for (const browser of BROWSERS) {
  const program = process.env[browser.variable] ?? browser.places.find((place) => existsSync(place));
  if (program === undefined) {
    say(`${browser.name}: not found; set ${browser.variable} to its path`);
    continue;
  }
  const times = await factsFromPage(browser, browserProgram(browser), lab.dir) as unknown as Times;
  for (const [item, ms] of Object.entries(times.slid))
    say(`${browser.name}: slider to charts, gallery item ${item}: ${distribution(ms)}`);
  for (const name of Object.keys(TITLES) as (keyof typeof TITLES)[])
    say(`${browser.name}: ${TITLES[name]}: ${distribution(times[name])}`);
}
lab.remove();

function distribution(values: readonly number[]): string {
  if (values.length === 0) return 'none';
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? NaN).toFixed(1);
  return `${SHARES.map(at).join(', ')} (${sorted.length})`;
}
