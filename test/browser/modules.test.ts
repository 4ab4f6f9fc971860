/** The published `roce-cc/sim`, imported as modules by a page whose policy forbids eval, in Chromium and Firefox. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runScenarioSync, type ScenarioSpec } from '../../src/sim/index.js';
import { BROWSERS, browserProgram, factsFromPage, whyNoBrowser } from '../runtimes/browsers.js';
import { describeNeeding } from '../support/foreign-tools.js';

const BROWSER_MS = 120_000;
const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const SPEC: ScenarioSpec = {
  name: 'two senders',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 200_000 },
};
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const PAGE = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Modules</title><script type="module" src="page.js"></script>`;
/** The browser reports policy violations shortly after they occur, not synchronously. */
const PAGE_SCRIPT = `
const violations = [];
addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) => {
  violations.push(violatedDirective + ' forbids ' + blockedURI);
});
const report = (body) => fetch('/report', { method: 'POST', body: JSON.stringify(body) });
try {
  const { runScenarioSync } = await import('./dist/sim/index.js');
  const { hash } = runScenarioSync(${JSON.stringify(SPEC)});
  await new Promise((resolve) => setTimeout(resolve, 300));
  await report({ facts: { hash, violations } });
} catch (error) {
  await report({ problem: String(error) });
}`;

describe.each(BROWSERS)('roce-cc/sim as modules',
  (browser) =>
    describeNeeding(whyNoBrowser(browser), `in ${browser.name}`, () => {
      let folder = '';
      beforeAll(() => {
        folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-modules-'));
        writeFileSync(path.join(folder, 'index.html'), PAGE);
        writeFileSync(path.join(folder, 'page.js'), PAGE_SCRIPT);
        cpSync(DIST, path.join(folder, 'dist'), { recursive: true });
      });
      afterAll(() => {
        rmSync(folder, { recursive: true });
      });

      it('runs a scenario without violating the content security policy', async () => {
        const facts = await factsFromPage(browser, browserProgram(browser), folder);
        expect(facts).toMatchObject({ hash: runScenarioSync(SPEC).hash, violations: [] });
      });
    }, { timeout: BROWSER_MS }));
