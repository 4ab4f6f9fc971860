/** The pages printed in docs/guides/browsers.md, with the packed package, in Chromium. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import path from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineSync, dcqcnSigcomm15, gbps, us } from '../../src/index.js';
import { runScenarioSync } from '../../src/sim/index.js';
import { pageBlocks } from '../docs/support/page-blocks.js';
import { launchChromium, whyNoChromium } from '../package/browser-page.js';
import { installIntoProject, REPOSITORY } from '../package/installed-package.js';
import { serve, urlOf } from '../package/static-server.js';
import { describeNeeding } from '../support/foreign-tools.js';

const SLOW_MS = 120_000;
const PAGE = readFileSync(path.join(REPOSITORY, 'docs', 'guides', 'browsers.md'), 'utf8');
const BLOCKS = pageBlocks(PAGE).filter(({ file }) => file !== '');
const MANIFEST = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly unpkg: string;
  readonly jsdelivr: string;
};
/** Addresses under which CDNs serve the files of this version. */
const CDNS = [
  `https://cdn.jsdelivr.net/npm/roce-cc@${MANIFEST.version}`,
  `https://unpkg.com/roce-cc@${MANIFEST.version}`,
];

/** The text that the pages show after the run. */
function incastText(): string {
  const { hash, summary } = runScenarioSync({
    name: 'two senders',
    topology: { kind: 'star', hosts: 3 },
    workload: { kind: 'incast', senders: 2, sizeBytes: 200_000 },
  });
  return `${hash}, longest queue ${summary.maxQueueBytes} bytes`;
}

function rateText(): string {
  const engine = createEngineSync({ parameterSets: { dcqcn: dcqcnSigcomm15({ lineRateBps: gbps(100) }) } });
  return `${engine.cnp(us(10), engine.openQp({ localQpn: 17 })) / gbps(1)} Gb/s`;
}

describe('docs/guides/browsers.md', () => {
  it('uses the current version of the package in each CDN address', () => {
    const versions = [...PAGE.matchAll(/roce-cc@([\d.]*\d)/g)].map(([, version]) => version);
    expect(new Set(versions)).toEqual(new Set([MANIFEST.version]));
    for (const [cdn] of PAGE.matchAll(/https:\/\/[^\s"`]*@[\d.]*\d/g)) expect(CDNS).toContain(cdn);
  });
});

describeNeeding(whyNoChromium(), 'a page of docs/guides/browsers.md, in Chromium', () => {
  let installed: ReturnType<typeof installIntoProject>;
  let browser: Browser;
  let server: Server;
  const inProject = (...parts: string[]): string => path.join(installed.projectDir, ...parts);

  beforeAll(async () => {
    installed = installIntoProject();
    for (const { file, text } of BLOCKS) writeFileSync(inProject(file), text);
    for (const file of ['roce-cc.mjs', 'roce-cc-sim.mjs', 'roce-cc.js', 'roce-cc-sim.js']) {
      writeFileSync(inProject(file), readFileSync(path.join(installed.packageDir, 'dist', 'browser', file)));
    }
    browser = await launchChromium();
  }, SLOW_MS);
  afterAll(async () => {
    await browser.close();
    installed.remove();
  });

  /** Serves the packed files as a CDN does; an address without a file is that of the file named in package.json. */
  async function sendFromPackage(route: Route): Promise<void> {
    const url = route.request().url();
    const cdn = CDNS.find((one) => url.startsWith(one)) ?? '';
    const file = url.slice(cdn.length) || (cdn.includes('unpkg') ? MANIFEST.unpkg : MANIFEST.jsdelivr);
    const body = readFileSync(path.join(installed.packageDir, file));
    const headers = { 'access-control-allow-origin': '*' };
    await route.fulfill({ body, headers, contentType: 'text/javascript; charset=utf-8' });
  }

  /** Opens a page of a folder. @returns the text that it shows after the run, and the addresses that it requested. */
  async function show(folder: string, file: string): Promise<{ readonly shown: string; readonly asked: string[] }> {
    server = await serve(folder);
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    for (const cdn of CDNS) await page.route(`${cdn}**`, sendFromPackage);
    try {
      return { shown: await shownBy(page, urlOf(server, file)), asked };
    } finally {
      await page.close();
      server.close();
    }
  }

  /** @throws the error that the page throws. */
  async function shownBy(page: Page, url: string): Promise<string> {
    const thrown = new Promise<never>((_, reject) => {
      page.on('pageerror', reject);
    });
    const end = page.goto(url).then(() => page.locator('#progress', { hasText: /longest queue|Gb\/s/ }).textContent());
    return (await Promise.race([end, thrown])) ?? '';
  }

  const ofLibrary = (asked: readonly string[]): string[] =>
    asked.filter((url) => /roce-cc[^/]*\.m?js$|@[\d.]+$/.test(url));

  it.each([
    ['module.html', rateText, 'roce-cc.mjs'],
    ['import-map.html', incastText, 'roce-cc-sim.mjs'],
    ['cdn.html', rateText, `roce-cc@${MANIFEST.version}`],
  ] as const)('%s loads the library in one request, and shows the same result as Node', async (file, text, name) => {
    const { shown, asked } = await show(installed.projectDir, file);
    expect(shown).toBe(text());
    expect(ofLibrary(asked).map((url) => url.slice(url.lastIndexOf('/') + 1))).toEqual([name]);
    // The page, its own script where it has one, and the library.
    expect(asked.filter((url) => !url.endsWith('favicon.ico')).length).toBeLessThanOrEqual(3);
  });

  it('module-worker.html runs a scenario in a module worker', async () => {
    expect((await show(installed.projectDir, 'module-worker.html')).shown).toBe(incastText());
  });

  it.each(['bundled.html', 'bundled-worker.html'])('%s runs a scenario, built by Vite without configuration',
    async (file) => {
      const outDir = inProject(`out-${file}`);
      await build({
        root: installed.projectDir,
        configFile: false,
        logLevel: 'error',
        build: { outDir, rolldownOptions: { input: inProject(file) } },
      });
      expect((await show(outDir, file)).shown).toBe(incastText());
    });

  it('both single files have the exports of their entries', async () => {
    const from = (...parts: string[]) => import(path.join(installed.packageDir, 'dist', ...parts)) as Promise<object>;
    const [engine, sim] = [Object.keys(await from('index.js')), Object.keys(await from('sim', 'index.js'))];
    expect(Object.keys(await from('browser', 'roce-cc.mjs'))).toEqual(engine);
    expect(Object.keys(await from('browser', 'roce-cc-sim.mjs'))).toEqual([...engine, ...sim].sort());
  });
}, { timeout: SLOW_MS });
