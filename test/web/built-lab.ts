/** The lab as `npm run lab` builds it, under a sub-path, and the results of the same scenarios in Node. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { runScenarioSync, type ScenarioSpec } from '../../src/sim/index.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const SUB_PATH = 'some/sub/path';
export const CAPTURE_FILE = path.join(ROOT, 'examples', 'data', 'incast.pcap.gz');
export const FLOWS_FILE = path.join(ROOT, 'examples', 'data', 'incast-flows.csv');

export interface BuiltLab {
  /** The folder to serve, with the lab below `SUB_PATH`. */
  readonly dir: string;
  readonly remove: () => void;
}

/** @param page in the top folder, for browsers that are not driven by a test. */
export async function buildLab(page = ''): Promise<BuiltLab> {
  const dir = mkdtempSync(path.join(tmpdir(), 'roce-cc-lab-'));
  await build({
    configFile: path.join(ROOT, 'web', 'vite.config.mjs'),
    logLevel: 'error',
    build: { outDir: path.join(dir, SUB_PATH), emptyOutDir: true },
  });
  copyFileSync(CAPTURE_FILE, path.join(dir, 'incast.pcap.gz'));
  writeFileSync(path.join(dir, 'index.html'), page);
  return {
    dir,
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const EXAMPLES = path.join(ROOT, 'examples');
const hasExample = (file: string): boolean => existsSync(path.join(EXAMPLES, `${file}.json`));

/** Items of the gallery, with the files that they run. */
const ITEMS: Readonly<Record<string, readonly string[]>> = {
  'four-flows': ['../web/scenarios/four-flows'],
  incast: ['scenarios/incast-16'],
  'incast-fast-cnp': ['scenarios/incast-16', 'scenarios/incast-16-fast-cnp'],
  'long-link': ['scenarios/long-link', 'scenarios/long-link-fast-cnp'],
  permutation: ['scenarios/leaf-spine-permutation'],
  planes: ['scenarios/planes-permutation'],
  'plane-down': ['scenarios/plane-down-rc', 'scenarios/plane-down-mrc'],
  'slow-link': ['scenarios/slow-link-rc', 'scenarios/slow-link-mrc'],
  'silent-link': ['scenarios/silent-link-mrc'],
  'incast-trimming': ['scenarios/incast-16-nscc', 'scenarios/incast-16-nscc-trimming'],
  websearch: ['../web/scenarios/websearch'],
  'pause-storm': ['scenarios/pause-storm', 'scenarios/pause-storm-watchdog'],
  deadlock: ['scenarios/deadlock', 'scenarios/deadlock-watchdog'],
  wan: ['scenarios/two-data-centers'],
  'wan-end-con': ['scenarios/wan-cnp', 'scenarios/wan-fast-cnp-end-con'],
  'wan-fast-cnp': ['scenarios/wan-fast-cnp-dc'],
  'wan-all': ['scenarios/wan-all'],
  'wrong-switch': ['../web/scenarios/wrong-switch'],
  discovery: ['scenarios/discovery'],
  'all-reduce': ['scenarios/all-reduce'],
  'all-to-all': ['scenarios/all-to-all-rc', 'scenarios/all-to-all-mrc'],
  training: ['scenarios/training-rc', 'scenarios/training-mrc'],
  jobs: ['jobs/two-jobs-dcqcn'],
};

/** The items whose files exist, as in the gallery. */
export const GALLERY_FILES = Object.fromEntries(Object.entries(ITEMS).filter(([, files]) => files.every(hasExample)));

const hashes = new Map<string, string>();

/** Hashes of an item's scenarios, run in Node. */
export function hashesInNode(item: string): string[] {
  return (GALLERY_FILES[item] ?? []).map((file) => {
    const known = hashes.get(file) ?? hashInNode(file);
    hashes.set(file, known);
    return known;
  });
}

function hashInNode(file: string): string {
  const text = readFileSync(path.join(EXAMPLES, `${file}.json`), 'utf8');
  return runScenarioSync(JSON.parse(text) as ScenarioSpec).hash;
}
