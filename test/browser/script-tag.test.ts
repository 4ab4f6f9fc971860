/** The single files for a script tag, in real browsers, under a content policy without eval but for wasm. */
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runScenarioSync, type ScenarioSpec } from '../../src/sim/index.js';
import { hasChromium, hashFromPage, launchChromium } from '../package/browser-page.js';

const BROWSER_MS = 60_000;
const BUILT = fileURLToPath(new URL('../../dist/browser', import.meta.url));
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";
const SPEC: ScenarioSpec = {
  name: 'two senders',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 200_000 },
};
const pageOf = (...scripts: readonly string[]): string =>
  `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
  `<link rel="icon" href="data:,"></head><body>${
    scripts.map((src) => `<script src="${src}"></script>`).join('')
  }</body></html>`;

const ON_MAIN_THREAD = `
(async () => {
  const engine = roceCc.createEngineSync({ hashSeed: 1, parameterSets: { dcqcn: roceCc.dcqcnSigcomm15({ lineRateBps: 1e11 }) } });
  if (engine === undefined) throw new Error('no engine');
  const reports = [];
  const run = roceCcSim.runScenario(${JSON.stringify(SPEC)});
  for await (const { events } of run) reports.push(events);
  document.body.dataset.hash = (await run.result).hash;
})();`;
const IN_WORKER = `
const worker = new Worker('worker.js');
worker.onmessage = ({ data }) => { document.body.dataset.hash = data; };`;
const WORKER = `
importScripts('roce-cc-sim.js');
postMessage(roceCcSim.runScenarioSync(${JSON.stringify(SPEC)}).hash);`;

describe.skipIf(!hasChromium() || !existsSync(BUILT))('a script tag', { timeout: BROWSER_MS }, () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-script-tag-'));
    for (const file of ['roce-cc.js', 'roce-cc-sim.js']) copyFileSync(path.join(BUILT, file), path.join(folder, file));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['runs a scenario on the page itself', ON_MAIN_THREAD, ['roce-cc.js', 'roce-cc-sim.js', 'page.js']],
    ['runs it in a worker', IN_WORKER, ['page.js']],
  ])('%s, with the result of Node', async (_what, script, scripts) => {
    writeFileSync(path.join(folder, 'page.js'), script);
    writeFileSync(path.join(folder, 'worker.js'), WORKER);
    writeFileSync(path.join(folder, 'index.html'), pageOf(...scripts));
    const browser = await launchChromium();
    try {
      expect(await hashFromPage(browser, folder)).toBe(runScenarioSync(SPEC).hash);
    } finally {
      await browser.close();
    }
  });
});
