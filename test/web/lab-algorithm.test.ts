import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium, whyNoChromium } from '../package/browser-page.js';
import { serve } from '../package/static-server.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { buildLab, type BuiltLab } from './built-lab.js';
import { AIMD, codeThatCallsHome, hashWithCode } from './custom-code.js';
import { hashesOf, openLab, PHONE, RUN_MS, violationsIn, type OpenedLab } from './lab-page.js';

let lab: BuiltLab;
let server: Server;
let browser: Browser;

async function openTab(hash = '', options: Parameters<Browser['newContext']>[0] = {}): Promise<OpenedLab> {
  const opened = await openLab(browser, server, hash, options);
  await hashesOf(opened.page, 1);
  await opened.page.click('role=tab[name="Algorithm"]');
  await opened.page.waitForSelector('#code .cm-content');
  return opened;
}

/** Types another text instead of the code. */
async function write(page: Page, text: string): Promise<void> {
  await page.click('#code .cm-content');
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

const hashOfB = (page: Page): Promise<string | null> => page.textContent('.hash[data-of="B"]', { timeout: RUN_MS });
const sandboxed = (page: Page): number => page.workers().filter((worker) => worker.url().startsWith('blob:')).length;
const fault = (page: Page): Promise<string | null> => page.textContent('#code-error');

describeNeeding(whyNoChromium(), 'The algorithm tab of the lab', () => {
  beforeAll(async () => {
    [lab, browser] = await Promise.all([buildLab(), launchChromium()]);
    server = await serve(lab.dir);
  });

  afterAll(async () => {
    await browser.close();
    server.close();
    lab.remove();
  });

  it('runs the code as B while it is typed, with the same hash as in Node, and leaves A unchanged', async () => {
    const { page, context, faults } = await openTab();
    const [a] = await hashesOf(page, 1);
    await page.click('#code-compare');
    expect(await hashesOf(page, 2)).toEqual([a, await hashWithCode(AIMD)]);
    const changed = AIMD.replace('default: 250e6', 'default: 900e6');
    await write(page, changed);
    await expect.poll(() => hashOfB(page), { timeout: RUN_MS }).toBe(await hashWithCode(changed));
    expect((await hashesOf(page, 2))[0]).toBe(a);
    expect(await page.textContent('#results-body .settings tbody')).toContain('algorithms.dcqcn.preset');
    expect(await page.textContent('#results')).toMatch(/better|worse/);
    expect(await page.textContent('#chart-queue-legend')).toMatch(/A s0:h4.*B s0:h4/);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('has a slider for each parameter that the code declares, which sets it for B', async () => {
    const { page, context, faults } = await openTab();
    await page.click('#code-compare');
    const [a] = await hashesOf(page, 2);
    const row = '[data-path="code.aiRateBps"]';
    expect(await page.textContent(`${row} label`)).toBe('AI rate Mb/s');
    expect(await page.textContent(`${row} .hint`)).toContain('a, added once per round trip. 0 to 400,000.');
    await expect.poll(() => page.inputValue(`${row} input[type=number]`)).toBe('250');
    await page.fill(`${row} input[type=number]`, '400');
    await page.keyboard.press('Enter');
    await expect.poll(() => hashOfB(page), { timeout: RUN_MS }).toBe(await hashWithCode(AIMD, { aiRateBps: 400e6 }));
    await write(page, AIMD.replace('d, the part', 'the part'));
    await expect.poll(() => page.textContent('[data-path="code.decreaseFactor"] .hint')).toContain(
      'the part of the rate',
    );
    expect(await page.inputValue(`${row} input[type=number]`)).toBe('400');
    expect((await hashesOf(page, 2))[0]).toBe(a);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('keeps the code as B when the scenario of A changes, and lets A run a different algorithm', async () => {
    const { page, context, faults } = await openTab();
    await page.click('#code-compare');
    const before = await hashesOf(page, 2);
    await page.selectOption('#code-a', 'dctcp-ns3');
    await expect.poll(() => page.textContent('.hash[data-of="A"]'), { timeout: RUN_MS }).not.toBe(before[0]);
    expect(await hashOfB(page)).toBe(before[1]);
    await page.click('[data-item="permutation"]');
    await expect.poll(() => hashOfB(page), { timeout: RUN_MS }).not.toBe(before[1]);
    expect(await page.textContent('#code-state')).toContain("B runs AIMD on marks on A's scenario");
    await page.click('[data-item="four-flows"]');
    await expect.poll(() => hashesOf(page, 2), { timeout: RUN_MS }).toEqual([expect.any(String), before[1]]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each([
    ['of its syntax', (code: string) => code.replace('isCut: 0,', 'isCut: ;'), /^Line 27: Unexpected token/],
    [
      'thrown by a handler',
      (code: string) => code.replace('state.isCut = 0;', 'state.none.x = 0;'),
      /^Line 41: aimd, ack, flow \d+, at \d+ ps: .*Cannot set properties of undefined/,
    ],
    [
      'that the product finds after a handler',
      (code: string) => code.replace('Math.min(qp.lineRateBps, ', '(2 * qp.lineRateBps + '),
      /^Line 29: aimd, ack, flow \d+, at \d+ ps: the rate must be above 0 and at most 100,000,000,000/,
    ],
    [
      'of the declaration',
      (code: string) => code.replace("unit: 'b/s'", 'unit: 7'),
      /^Line 24: algorithm\.parameters\.aiRateBps\.unit must be/,
    ],
    [
      'of its types, in TypeScript',
      (code: string) => code.replace('ack(qp, ack) {', 'ack(qp: any, ack: any {'),
      /^Line 29: /,
    ],
    [
      'of an import',
      (code: string) => `import x from './other.js';\n${code}`,
      /^Line 1: Only 'roce-cc\/algorithm' can be/,
    ],
  ])('shows an error at its line: %s', async (_, broken, message) => {
    const { page, context, faults } = await openTab();
    await page.click('#code-compare');
    const before = await hashesOf(page, 2);
    await write(page, broken(AIMD));
    await expect.poll(() => fault(page), { timeout: RUN_MS }).toMatch(message);
    const line = /^Line (\d+)/.exec(await fault(page) ?? '')?.[1];
    await page.click(`text=Go to line ${line}`);
    await expect.poll(() => page.textContent('#code .cm-activeLineGutter')).toBe(line);
    expect(await page.$$eval('#code .cm-lint-marker-error', (all) => all.length)).toBe(1);
    await write(page, AIMD);
    await expect.poll(() => fault(page), { timeout: RUN_MS }).toBe('');
    await expect.poll(() => hashesOf(page, 2), { timeout: RUN_MS }).toEqual(before);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('runs TypeScript without its types', async () => {
    const { page, context, faults } = await openTab();
    await write(page,
      AIMD.replace('ack(qp, ack) {', 'ack(qp: any, ack: { ecnEcho: boolean; ackSeq: number; sndNxt: number }): void {')
        .replace('export default defineAlgorithm({',
          'interface Unused { a: number }\nexport default defineAlgorithm({'));
    const [, b] = await hashesOf(page, 2);
    expect(b).toMatch(/^[0-9a-f]{16}$/);
    expect(await fault(page)).toBe('');
    expect(await page.textContent('#results tr:has-text("completion time, p99") td:nth-child(3)')).toMatch(/ms$/);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows code from a link, and runs it on request', async () => {
    const code = AIMD.replace('default: 0.5', 'default: 0.75');
    const first = await openTab();
    await write(first.page, code);
    const hashes = await hashesOf(first.page, 2);
    await first.page.click('#share');
    await first.page.waitForFunction(() => location.hash.startsWith('#1.'));
    const link = new URL(first.page.url()).hash;
    await first.context.close();

    const { page, context, faults } = await openLab(browser, server, link);
    await page.waitForSelector('#code-held:visible');
    await hashesOf(page, 1);
    await expect.poll(() => page.textContent('#code .cm-content')).toContain('default: 0.75');
    expect(await page.textContent('#code-held')).toContain('This code came with the link and has not run.');
    await page.click('#run');
    await write(page, `${code}// read`);
    await page.waitForTimeout(1500);
    await page.click('[data-item="four-flows"]');
    await page.waitForTimeout(1500);
    expect(await hashesOf(page, 1)).toEqual([hashes[0]]);
    expect(sandboxed(page)).toBe(0);
    await write(page, code);
    await page.click('#code-allow');
    expect(await hashesOf(page, 2)).toEqual(hashes);
    expect(await page.isVisible('#code-held')).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('denies the code network, storage and evaluation', async () => {
    const requests: string[] = [];
    const outside = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
    }).listen(0, '127.0.0.1');
    await once(outside, 'listening');
    outside.on('upgrade', ({ url }, socket) => {
      requests.push(url ?? '');
      socket.destroy();
    });
    const target = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`;
    const { page, context } = await openTab();
    await write(page, codeThatCallsHome(target));
    await expect.poll(() => fault(page), { timeout: RUN_MS }).toContain('open: blob; tried: 15; origin: null');
    expect(requests).toEqual([]);
    // Code without the policy reaches the same server.
    await (await context.newPage()).goto(`${target}control`);
    expect(requests).toContain('/control');
    outside.close();
    await context.close();
  });

  it.each([
    ['of the module', (code: string) => `${code}\nfor (;;) {}`, 'while the module was evaluated'],
    ['of a handler', (code: string) => code.replace('state.isCut = 0;', 'for (;;) {}'), 'during the run'],
  ])('ends an endless loop %s after 2 s, and runs the next version', async (_, endless, doing) => {
    const { page, context, faults } = await openTab();
    await write(page, endless(AIMD));
    await expect.poll(() => fault(page), { timeout: RUN_MS }).toContain(`No progress for 2 s ${doing}`);
    await expect.poll(() => sandboxed(page), { timeout: 10_000 }).toBe(0);
    await write(page, AIMD);
    expect((await hashesOf(page, 2))[1]).toBe(await hashWithCode(AIMD));
    expect(faults).toEqual([]);
    await context.close();
  });

  it('explains rates, exports, and draws packets of B too', async () => {
    const { page, context, faults } = await openTab();
    await page.click('#code-compare');
    await hashesOf(page, 2);
    await page.click('text=Edit B');
    await page.selectOption('#chart-flow', '3');
    await page.click('#trace-flow');
    await expect.poll(() => page.textContent('#rate-change'), { timeout: RUN_MS }).toMatch(/Change \d+ of \d+\./);
    expect(await page.textContent('#rate-change')).toMatch(
      /ACK \(aimd\): (?:mark|round trip without marks)\. New rate: as its handler/,
    );
    expect(await page.textContent('#rate-change')).not.toContain('different result');
    await page.click('text=Packets of this link');
    await expect.poll(() => page.$$eval('.link-view canvas', (all) => all.length), { timeout: RUN_MS }).toBe(1);
    const saved = page.waitForEvent('download');
    await page.selectOption('#export', 'json');
    expect((await saved).suggestedFilename()).toMatch(/\.result\.json$/);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('can be left by keyboard: Escape, then Tab', async () => {
    const { page, context } = await openTab();
    await page.click('#code .cm-content');
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.id ?? '');
    expect(await focused()).toBe('code');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('code');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('code-compare');
    await context.close();
  });

  it.each([
    ['desktop, light', {}, 'light'],
    ['desktop, dark', {}, 'dark'],
    ['phone, dark', { viewport: PHONE }, 'dark'],
  ] as const)('has no violation that axe finds, and nothing wider than the screen: %s',
    async (_, options, colorScheme) => {
      const { page, context, faults } = await openLab(browser, server, '', {
        ...options,
        colorScheme,
        bypassCSP: true,
      });
      await hashesOf(page, 1);
      if ('viewport' in options) await page.click('[data-show="experiment"]');
      await page.click('role=tab[name="Algorithm"]');
      await page.click('#code-compare');
      await hashesOf(page, 2);
      await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core') });
      expect(await violationsIn(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
      await context.close();
    });

  it('loads the editor when its tab is opened, and the type stripper with the first code that needs it', async () => {
    const { page, context } = await openLab(browser, server);
    const requests: string[] = [];
    page.on('request',
      (request) => requests.push(new URL(request.url()).pathname.replace(/.*\//, '').replace(/-[\w-]+\./, '-.')));
    await hashesOf(page, 1);
    await page.click('role=tab[name="JSON"]');
    expect(requests.filter((name) => /algorithm|sandbox|strip/.test(name))).toEqual([]);
    await page.click('role=tab[name="Algorithm"]');
    await page.waitForSelector('#code .cm-content');
    await expect.poll(() => requests).toEqual(expect.arrayContaining(['algorithm-.js', 'sandbox.html']));
    expect(requests).not.toContain('strip-.js');
    await context.close();
  });
}, { timeout: 240_000 });
