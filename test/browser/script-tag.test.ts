/** The pages printed in docs/guides/browsers.md, with the files for a script tag, in Chromium and Firefox. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runScenarioSync, type ScenarioSpec } from '../../src/sim/index.js';
import { pageBlocks } from '../docs/support/page-blocks.js';
import { BROWSERS, browserProgram, factsFromPage, whyNoBrowser } from '../runtimes/browsers.js';
import { describeNeeding } from '../support/foreign-tools.js';

const BROWSER_MS = 120_000;
const BUILT = fileURLToPath(new URL('../../dist/browser', import.meta.url));
const BLOCKS = new Map(
  pageBlocks(readFileSync(new URL('../../docs/guides/browsers.md', import.meta.url), 'utf8')).map(({ file, text }) =>
    [file, text] as const
  ),
);
/** The scenario that the page's two scripts run. */
const SPEC: ScenarioSpec = {
  name: 'two senders',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 200_000 },
};
/** Reports what the page shows after the run, or what it throws; the page's own policy forbids only its connection. */
const REPORTER = `
const engine = roceCc.createEngineSync({ parameterSets: { dcqcn: roceCc.dcqcnSigcomm15({ lineRateBps: 1e11 }) } });
if (engine === undefined) throw new Error('no engine');
const report = (body) => fetch('/report', { method: 'POST', body: JSON.stringify(body) });
addEventListener('error', ({ message }) => report({ problem: message }));
addEventListener('unhandledrejection', ({ reason }) => report({ problem: String(reason) }));
addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) =>
  report({ problem: violatedDirective + ' forbids ' + blockedURI }));
const shown = () => document.getElementById('progress').textContent;
const timer = setInterval(() => {
  if (!/longest queue/.test(shown())) return;
  clearInterval(timer);
  report({ facts: { shown: shown() } });
}, 20);`;

/** The printed page with the reporting script, and with a policy that permits the report. */
function pageOf(script: string): string {
  return BLOCKS.get('index.html')!.replace("worker-src 'self'", "worker-src 'self'; connect-src 'self'")
    .replace('<script src=', '<script src="roce-cc.js"></script>\n<script src="reporter.js"></script>\n<script src=')
    .replace('page.js', script);
}

describe.each(BROWSERS)('docs/guides/browsers.md',
  (browser) =>
    describeNeeding(whyNoBrowser(browser), `in ${browser.name}`, () => {
      let folder = '';
      beforeAll(() => {
        folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-script-tag-'));
        for (const file of ['roce-cc.js', 'roce-cc-sim.js']) copyFileSync(path.join(BUILT, file),
            path.join(folder, file));
        for (const [file, text] of BLOCKS) if (file.endsWith('.js')) writeFileSync(path.join(folder, file), text);
        writeFileSync(path.join(folder, 'reporter.js'), REPORTER);
      });
      afterAll(() => {
        rmSync(folder, { recursive: true });
      });

      it.each([
        ['runs a scenario in the main thread of the page', 'page.js'],
        ['runs a scenario in a worker', 'in-worker.js'],
      ])('%s, with the same result as Node', async (_what, script) => {
        writeFileSync(path.join(folder, 'index.html'), pageOf(script));
        const { shown } = await factsFromPage(browser, browserProgram(browser), folder);
        const { hash, summary } = runScenarioSync(SPEC);
        expect(shown).toBe(`${hash}, longest queue ${summary.maxQueueBytes} bytes`);
      });
    }, { timeout: BROWSER_MS }));

describe('docs/guides/browsers.md', () => {
  it('has the files that these tests combine', () => {
    expect([...BLOCKS.keys()]).toEqual(expect.arrayContaining(['index.html', 'page.js', 'in-worker.js', 'worker.js']));
  });
});
