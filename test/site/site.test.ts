/** Checks the site under a sub-path, built like `npm run site`: links, search, the experiment and accessibility. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import MiniSearch from 'minisearch';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSite, firstLoadBytes } from '../../site/build.js';
import { ROOT } from '../../site/catalog.js';
import { FIRST_SETTINGS, scenarioOf } from '../../site/client/scenario.js';
import { INDEX_OPTIONS, SEARCH_OPTIONS, type SearchEntry } from '../../site/client/search-options.js';
import { REPOSITORY_URL } from '../../site/links.js';
import { runScenarioSync } from '../../src/sim/index.js';
import { launchChromium, whyNoChromium } from '../package/browser-page.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { serve, urlOf } from '../package/static-server.js';
import { buildLab, SUB_PATH as LAB_PATH, type BuiltLab } from '../web/built-lab.js';

const SUB_PATH = 'some/sub/path';
const API_DOCS = path.join(ROOT, 'build', 'api-docs');
const TYPEDOC = path.join(ROOT, 'node_modules', 'typedoc', 'bin', 'typedoc');
const DESKTOP = { width: 1400, height: 900 };
const PHONE = { width: 390, height: 844 };
const RUN_MS = 60_000;
const START_MAX_BYTES = 30_000;

let lab: BuiltLab;
let dir: string;
let out: string;
let pages: readonly string[];
let server: Server;

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'roce-cc-site-'));
  out = path.join(dir, SUB_PATH);
  lab = await buildLab();
  if (!existsSync(API_DOCS)) execFileSync(process.execPath, [TYPEDOC], { cwd: ROOT, stdio: 'ignore' });
  pages = await buildSite({ out, lab: path.join(lab.dir, LAB_PATH), api: API_DOCS });
  server = await serve(dir);
});

afterAll(() => {
  server.close();
  lab.remove();
  rmSync(dir, { recursive: true });
});

const siteUrl = (page: string): string => urlOf(server, `${SUB_PATH}/${page}`);
const htmlOf = (page: string): string => readFileSync(path.join(out, page), 'utf8');
const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`<[a-z][^>]* ${name}="([^"]*)"`, 'g'))].map(([, value]) => value!);

describe('the site', () => {
  it('has the pages of docs/, without duplicates', () => {
    expect(pages).toEqual(expect.arrayContaining([
      'index.html',
      'getting-started/index.html',
      ...['simulator-author', 'ns3-htsim', 'nic-engineer', 'operator', 'ai-cluster', 'teacher'].map((name) =>
        `getting-started/${name}.html`
      ),
      'guides/scenarios.html',
      'formats/index.html',
      'formats/infiniband-transport.html',
      'internals/verification.html',
      'benchmarks/index.html',
      'studies/fast-cnp-study.html',
    ]));
    expect(pages.length).toBeGreaterThan(45);
    expect(new Set(pages).size).toBe(pages.length);
  });

  it('has no broken links or anchors', async () => {
    const ids = new Map<string, Set<string>>();
    const broken: string[] = [];
    const outside = new Set<string>();
    for (const page of pages) {
      const html = htmlOf(page);
      for (const link of [...attributes(html, 'href'), ...attributes(html, 'src')]) {
        if (link.startsWith('data:')) continue;
        const url = new URL(link.replaceAll('&amp;', '&'), siteUrl(page));
        if (url.origin !== new URL(siteUrl('')).origin) {
          outside.add(url.href);
          continue;
        }
        const target = url.pathname;
        if (!ids.has(target)) {
          const response = await fetch(url);
          ids.set(target, new Set(response.ok ? ['', ...attributes(await response.text(), 'id')] : []));
        }
        if (!ids.get(target)!.has(decodeURIComponent(url.hash.slice(1)))) broken.push(`${page}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
    expect(ids.size).toBeGreaterThan(pages.length);
    const files = [...outside].filter((link) => link.startsWith(`${REPOSITORY_URL}/`))
      .map((link) => link.replace(/^.*\/(?:blob|tree)\/main\//, '').replace(/#.*/, ''));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  it('satisfies its content security policy, and loads nothing from other origins', () => {
    for (const page of pages) {
      const html = htmlOf(page);
      expect(html, page).toContain('http-equiv="Content-Security-Policy"');
      expect(attributes(html, 'style'), page).toEqual([]);
      expect(attributes(html, 'src').filter((src) => /^(https?:)?\/\//.test(src)), page).toEqual([]);
      expect(html.match(/<script(?![^>]* src=)|<style| on[a-z]+="/g), page).toBeNull();
    }
  });

  it('finds known words, with the section that contains them', () => {
    const index = MiniSearch.loadJSON<SearchEntry>(readFileSync(path.join(out, 'search-index.json'), 'utf8'),
      INDEX_OPTIONS);
    const first = (query: string): string => index.search(query, SEARCH_OPTIONS)[0]?.['url'] as string;
    expect(first('bth')).toBe('formats/infiniband-transport.html#bth');
    expect(first('load balancing')).toBe('guides/scenarios.html#load-balancing');
    expect(first('zeppelin marmalade')).toBeUndefined();
    const found = index.search('watchdog deadlock', SEARCH_OPTIONS).map(({ url }) => url as string);
    expect(found).toContain('guides/scenarios.html#pfcs-hazards');
    expect(first('runScenarioSync')).toBe('api/functions/roce-cc_sim.runScenarioSync.html');
  });

  it('draws charts of the benchmark tables, with their units', () => {
    const html = htmlOf('benchmarks/index.html');
    expect(html.match(/<figure class="chart">/g)!.length).toBeGreaterThan(30);
    expect(html).toMatch(/mix uniform 1k, ns per event: native C, batch 4096 [\d.]+;/);
    expect(html).not.toContain('NaN');
  });

  it('limits the size of the first load of the start page', () => {
    console.log(`The start page's first load: ${firstLoadBytes(out)} bytes, gzip`);
    expect(firstLoadBytes(out)).toBeLessThan(START_MAX_BYTES);
  });
});

describeNeeding(whyNoChromium(), 'the site in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  interface Opened {
    readonly page: Page;
    readonly context: BrowserContext;
    readonly faults: string[];
  }

  async function open(file: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Opened> {
    const context = await browser.newContext({ viewport: DESKTOP, ...options });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    await page.goto(siteUrl(file));
    return { page, context, faults };
  }

  it('runs the experiment of the start page with the same result hash as Node, and opens it in the lab', async () => {
    const { page, context, faults } = await open('index.html');
    expect(await page.getAttribute('#experiment', 'data-hash')).toBe(runScenarioSync(scenarioOf(FIRST_SETTINGS)).hash);
    await page.selectOption('#experiment-preset', 'hpcc-sigcomm19');
    const { hash } = runScenarioSync(scenarioOf({ ...FIRST_SETTINGS, preset: 'hpcc-sigcomm19' }));
    await expect.poll(() => page.getAttribute('#experiment', 'data-hash'), { timeout: RUN_MS }).toBe(hash);
    await expect.poll(() => page.getAttribute('#experiment-lab', 'href')).toContain('#1.');
    await page.click('#experiment-lab');
    await expect.poll(() => page.textContent('#status'), { timeout: RUN_MS }).toContain('as the link states');
    expect(await page.textContent('.hash')).toBe(hash);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('supports search with the keyboard only', async () => {
    const { page, context, faults } = await open('guides/sweeps.html');
    await page.keyboard.press('/');
    await page.keyboard.type('headroom sonic');
    await expect.poll(() => page.textContent('#search-status')).toMatch(/\d+ places?/);
    await page.keyboard.press('ArrowDown');
    const target = await page.evaluate(() => (document.activeElement as HTMLAnchorElement).href);
    await page.keyboard.press('Enter');
    await page.waitForURL(target);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('keeps the chosen color theme', async () => {
    const { page, context } = await open('index.html', { colorScheme: 'light' });
    await page.click('#theme');
    await page.goto(siteUrl('formats/index.html'));
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await context.close();
  });

  it.each([
    ['desktop, light', DESKTOP, 'light', [
      'index.html',
      'formats/flow-control-and-discovery.html',
      'benchmarks/index.html',
    ]],
    ['phone, dark', PHONE, 'dark', ['index.html', 'getting-started/operator.html', 'guides/operators.html']],
  ] as const)('has no violations found by axe, and no horizontal scrolling: %s',
    async (_name, viewport, colorScheme, files) => {
      const { page, context, faults } = await open('index.html', { viewport, colorScheme, bypassCSP: true });
      for (const file of files) {
        await page.goto(siteUrl(file));
        await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core') });
        const violations = await page.evaluate(async () => {
          const { axe } = window as unknown as {
            axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          };
          const found = (await axe.run()).violations;
          return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
        });
        expect(violations, file).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), file).toBeLessThanOrEqual(
          0,
        );
      }
      expect(faults).toEqual([]);
      await context.close();
    });

  it('loads the API reference without errors, and links back to the start page', async () => {
    const { page, context, faults } = await open('api/functions/roce-cc_sim.runScenario.html');
    await page.click('text=Site');
    await page.waitForURL(siteUrl('index.html'));
    expect(faults).toEqual([]);
    await context.close();
  });
}, { timeout: 240_000 });
