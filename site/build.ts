/** Builds the whole site as static files. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { copyApiReference } from './api-reference.js';
import { ROOT } from './catalog.js';
import { pageHtml } from './layout.js';
import { searchIndex } from './search-index.js';
import { listedPages, sectionPages } from './section-pages.js';
import { startPage } from './start-page.js';

/** Input and output folders. */
export interface SiteFolders {
  /** Output folder of the site; existing content is deleted. */
  readonly out: string;
  /** Folder of the built lab; without it the lab's page is missing. */
  readonly lab?: string;
  /** Folder of typedoc's pages; without it the API is missing. */
  readonly api?: string;
}

const CLIENT = path.join(ROOT, 'site', 'client');
const SCRIPTS = ['main', 'experiment-panel', 'experiment-worker', 'theme-start'];
/** Files that a browser loads before any interaction with the start page. */
const FIRST_LOAD = [
  'index.html',
  'assets/style.css',
  'assets/theme-start.js',
  'assets/main.js',
  'assets/experiment-panel.js',
];

/** @returns paths of the pages made here. @throws Error if a link in a page leads nowhere. */
export async function buildSite({ out, lab, api }: SiteFolders): Promise<readonly string[]> {
  const shown = new Set<string>();
  const pages = [startPage(), ...sectionPages((file) => shown.add(file))];
  rmSync(out, { recursive: true, force: true });
  for (const page of pages) write(out, page.path, pageHtml(page, listedPages(page.section, pages)));
  for (const file of shown) copy(path.join(ROOT, file), path.join(out, 'files', file));
  copy(path.join(ROOT, 'site', 'style.css'), path.join(out, 'assets', 'style.css'));
  write(out, 'search-index.json', searchIndex(pages, api));
  if (lab !== undefined) cpSync(lab, path.join(out, 'lab'), { recursive: true });
  if (api !== undefined) copyApiReference(api, path.join(out, 'api'));
  await buildScripts(path.join(out, 'assets'));
  return pages.map((page) => page.path);
}

/** Compressed bytes of the start page's first load. */
export function firstLoadBytes(out: string): number {
  return FIRST_LOAD.reduce((sum, file) => sum + gzipSync(readFileSync(path.join(out, file))).length, 0);
}

async function buildScripts(outdir: string): Promise<void> {
  await build({
    entryPoints: SCRIPTS.map((name) => path.join(CLIENT, `${name}.ts`)),
    outdir,
    bundle: true,
    format: 'esm',
    splitting: true,
    minify: true,
    target: ['chrome110', 'firefox115', 'safari16.4'],
    chunkNames: '[name]-[hash]',
    logLevel: 'warning',
  });
}

function write(out: string, file: string, text: string): void {
  const full = path.join(out, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
}

function copy(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  copyFileSync(from, to);
}
