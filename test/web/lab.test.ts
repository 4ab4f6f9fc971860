import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Server } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runScenarioSync, type ScenarioSpec } from '../../src/sim/index.js';
import { readConnectionMatrix } from '../../src/workloads/index.js';
import { launchChromium, whyNoChromium } from '../package/browser-page.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { serve } from '../package/static-server.js';
import { buildLab, CAPTURE_FILE, FLOWS_FILE, GALLERY_FILES, hashesInNode, SUB_PATH,
  type BuiltLab } from './built-lab.js';
import { DESKTOP, hashesOf, openLab, PHONE, RUN_MS, violationsIn } from './lab-page.js';

const FIRST_LOAD_MAX_BYTES = 436_000;
const LONG_FRAME_MS = 50;
const MATRIX_FILE = path.join(import.meta.dirname, '../workloads/samples/htsim/plain-8.cm');

let lab: BuiltLab;
let server: Server;
let browser: Browser;

const open = (...options: Parameters<typeof openLab> extends [unknown, unknown, ...infer Rest] ? Rest : never) =>
  openLab(browser, server, ...options);

async function choose(page: Page, item: string): Promise<void> {
  await page.click(`[data-item="${item}"]`);
}

// Ends a test that hangs, with a margin for a busy machine.
describeNeeding(whyNoChromium(), 'The lab in Chromium', () => {
  beforeAll(async () => {
    [lab, browser] = await Promise.all([buildLab(), launchChromium()]);
    server = await serve(lab.dir);
  });

  afterAll(async () => {
    await browser.close();
    server.close();
    lab.remove();
  });

  it('runs each gallery item with the same hash as in Node', async () => {
    const { page, context, faults } = await open();
    const items = await page.$$eval('[data-item]', (buttons) => buttons.map((button) => button.dataset.item ?? ''));
    expect(items).toEqual(Object.keys(GALLERY_FILES));
    await hashesOf(page, 1);
    for (const item of Object.keys(GALLERY_FILES)) {
      await choose(page, item);
      const wanted = hashesInNode(item);
      await expect.poll(() => page.$$eval('.hash', (all) => all.map((element) => element.textContent)), {
        timeout: RUN_MS,
      })
        .toEqual(wanted);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  it('runs an opened workload file, also next to a copy, with the same hash as in Node', async () => {
    const { page, context, faults } = await open();
    await hashesOf(page, 1);
    await page.setInputFiles('#workload-file', MATRIX_FILE);
    const spec: ScenarioSpec = {
      name: 'plain-8',
      topology: { kind: 'star', hosts: 8 },
      workload: { kind: 'job', format: 'cm', file: path.basename(MATRIX_FILE) },
    };
    const graphs = { [path.basename(MATRIX_FILE)]: await readConnectionMatrix(readFileSync(MATRIX_FILE)) };
    const { hash } = runScenarioSync(spec, { graphs });
    await expect.poll(() => hashesOf(page, 1), { timeout: RUN_MS }).toEqual([hash]);
    await page.click('#add-b');
    expect(await hashesOf(page, 2)).toEqual([hash, hash]);
    await page.setInputFiles('#workload-file', {
      name: 'bad.goal',
      mimeType: '',
      buffer: Buffer.from('num_ranks x\n'),
    });
    await expect.poll(() => page.textContent('#workload-status')).toContain('bad.goal');
    expect(await hashesOf(page, 2)).toEqual([hash, hash]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows the content of a shared link in a fresh profile, and whether its hash is correct', async () => {
    const first = await open();
    await choose(first.page, 'long-link');
    const hashes = await hashesOf(first.page, 2);
    await first.page.selectOption('#chart-flow', '3');
    await first.page.click('#share');
    await first.page.waitForFunction(() => document.querySelector('#status')?.textContent.startsWith('The link is'));
    const link = new URL(first.page.url()).hash;
    const legend = await first.page.textContent('#chart-queue-legend');
    await first.context.close();

    const second = await open(link);
    expect(await hashesOf(second.page, 2)).toEqual(hashes);
    expect(await second.page.textContent('#status')).toContain('as the link states');
    await expect.poll(() => second.page.inputValue('#chart-flow')).toBe('3');
    await expect.poll(() => second.page.textContent('#chart-queue-legend')).toBe(legend);
    expect(second.faults).toEqual([]);
    await second.context.close();

    const damaged = await open(link.slice(0, -20));
    await expect.poll(() => damaged.page.textContent('#status')).toContain('The link is damaged');
    await damaged.context.close();
  });

  it('shows an error of a scenario at its key, and runs it again when it is fixed', async () => {
    const { page, context } = await open();
    await hashesOf(page, 1);
    await page.click('role=tab[name="JSON"]');
    const text = await page.inputValue('#scenario-json');
    await page.fill('#scenario-json', text.replace('"senders": 4', '"senders": 1.5'));
    await expect.poll(() => page.textContent('#scenario-error')).toContain('senders');
    const line = text.split('\n').findIndex((one) => one.includes('"senders"')) + 1;
    await page.click(`text=Go to line ${line}`);
    const chosen = await page.$eval('#scenario-json', (element) => {
      const area = element as HTMLTextAreaElement;
      return area.value.slice(area.selectionStart, area.selectionEnd);
    });
    expect(chosen).toBe('"senders": 1.5');
    await page.fill('#scenario-json', text);
    await expect.poll(() => page.textContent('#scenario-error')).toBe('');
    await context.close();
  });

  it('shows an error at the slider, greys out the old results, and runs again when it is fixed', async () => {
    const { page, context, faults } = await open();
    const [hash] = await hashesOf(page, 1);
    const slide = (place: string) =>
      page.$eval('[data-path="switches.ecn.kminKB"] input[type=range]', (element, value) => {
        const slider = element as HTMLInputElement;
        slider.value = value;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }, place);
    const fault = () => page.textContent('[data-path="switches.ecn.kminKB"] .fault');
    await slide('200');
    await expect.poll(fault).toBe('Invalid: Kmin (1,600 kB) exceeds Kmax (400 kB). Showing the last valid run.');
    expect(await page.textContent('#status')).toBe(await fault());
    expect(await page.isVisible('#form-rejection')).toBe(false);
    expect(await page.$eval('#charts', (element) => getComputedStyle(element).filter)).toContain('opacity(0.5)');
    await slide('100');
    await expect.poll(fault).toBe('');
    expect(await hashesOf(page, 1)).toEqual([hash]);
    expect(await page.$eval('#charts', (element) => getComputedStyle(element).filter)).toBe('none');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('keeps a change in the address through a reload, and undoes and redoes it', async () => {
    const { page, context, faults } = await open();
    const [before] = await hashesOf(page, 1);
    expect(new URL(page.url()).hash).toBe('');
    const kmin = '[data-path="switches.ecn.kminKB"] input[type=number]';
    await page.fill(kmin, '150');
    await page.keyboard.press('Enter');
    const hash = () => page.$$eval('.hash', (all) => all.map(({ textContent }) => textContent).join());
    await expect.poll(hash, { timeout: RUN_MS }).not.toBe(before);
    await page.waitForFunction(() => location.hash.startsWith('#1.'));
    await page.waitForTimeout(800);
    const after = await hash();
    await page.reload();
    expect(await hashesOf(page, 1)).toEqual([after]);
    expect(await page.textContent('#status')).toContain('as the link states');
    expect(await page.inputValue(kmin)).toBe('150');
    await page.fill(kmin, '100');
    await page.keyboard.press('Enter');
    await expect.poll(hash, { timeout: RUN_MS }).toBe(before);
    await page.waitForTimeout(800);
    await page.focus('#run');
    await page.keyboard.press('Control+z');
    await expect.poll(hash, { timeout: RUN_MS }).toBe(after);
    await expect.poll(() => page.inputValue(kmin)).toBe('150');
    await page.click('#redo');
    await expect.poll(hash, { timeout: RUN_MS }).toBe(before);
    expect(await page.getAttribute('[data-path="switches.ecn.kminKB"] .hint a', 'href')).toMatch(
      /scenarios\.md#settings$/,
    );
    expect(faults).toEqual([]);
    await context.close();
  });

  it('forks a run at an instant, draws both runs, and keeps the fork in the address, with undo and redo', async () => {
    const { page, context, faults } = await open();
    const [before] = await hashesOf(page, 1);
    await page.fill('#fork-at', '1500');
    await page.click('#fork');
    await hashesOf(page, 2);
    // Settings that are fixed at the start of a run have no row.
    await expect.poll(() => page.isVisible('[data-path="switches.ecn.markAt"]')).toBe(false);
    const kmin = '[data-path="switches.ecn.kminKB"] input[type=number]';
    const [a, unset] = await hashesOf(page, 2);
    expect(a).toBe(before);
    await page.fill(kmin, '20');
    await page.keyboard.press('Enter');
    const hashOfB = async () => (await page.$$eval('.hash', (all) => all.map(({ textContent }) => textContent)))[1];
    await expect.poll(hashOfB, { timeout: RUN_MS }).not.toBe(unset);
    const forked = (await hashesOf(page, 2))[1];
    const start = JSON.parse(
      readFileSync(path.join(import.meta.dirname, '../../web/scenarios/four-flows.json'), 'utf8'),
    ) as ScenarioSpec;
    expect(forked).toBe(
      runScenarioSync({ ...start, changes: [{ atUs: 1500, set: { 'switches.ecn.kminKB': 20 } }] }).hash,
    );
    await expect.poll(() => page.textContent('#chart-queue-legend')).toContain('Kmin from 1.5 ms on 20 kB');
    expect(await page.textContent('#results-body .settings tbody')).toContain('switches.ecn.kminKB, from 1.5 ms on');
    await page.waitForTimeout(800);
    await page.reload();
    expect(await hashesOf(page, 2)).toEqual([a, forked]);
    await page.click('role=button[name="Edit B"]');
    await page.fill(kmin, '1600');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('[data-path="switches.ecn.kminKB"] .fault')).toContain(
      'Kmin (1,600 kB) exceeds Kmax (400 kB).',
    );
    await page.waitForTimeout(800);
    await page.click('#undo');
    await expect.poll(hashOfB, { timeout: RUN_MS }).toBe(forked);
    await expect.poll(() => page.inputValue(kmin)).toBe('20');
    await page.fill('#fork-time', '2000');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('#chart-queue-legend')).toContain('Kmin from 2 ms on 20 kB');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows the error of a misspelt key in view, at its line', async () => {
    const { page, context } = await open();
    await hashesOf(page, 1);
    await page.click('role=tab[name="JSON"]');
    const text = await page.inputValue('#scenario-json');
    await page.fill('#scenario-json', text.replace('"senders"', '"sendrs"'));
    await expect.poll(() => page.textContent('#scenario-error')).toContain('did you mean "senders"?');
    const inView = (selector: string) =>
      page.$eval(selector, (element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    expect(await inView('#scenario-error')).toBe(true);
    expect(await page.textContent('.line-note')).toBe('"sendrs" is not a known key: did you mean "senders"?');
    expect(await page.textContent('#status')).toContain('"sendrs"');
    await context.close();
  });

  it('keeps JSON that is being typed when the experiment is shown again', async () => {
    const { page, context, faults } = await open();
    await hashesOf(page, 1);
    await page.click('role=tab[name="JSON"]');
    await page.evaluate(() => {
      const area = document.querySelector<HTMLTextAreaElement>('#scenario-json');
      const field = document.querySelector('[data-path="switches.ecn.kminKB"] input[type=number]');
      if (area === null || field === null) throw new Error('the experiment is not built');
      area.value = area.value.replace('"senders"', '"sendrs"');
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
      // The form shows the experiment again when a field loses the focus.
      for (const type of ['focusin', 'focusout']) field.dispatchEvent(new FocusEvent(type, { bubbles: true }));
    });
    await expect.poll(() => page.textContent('#scenario-error')).toContain('did you mean "senders"?');
    expect(await page.inputValue('#scenario-json')).toContain('"sendrs"');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('compares a copy with one changed parameter while its slider moves', async () => {
    const { page, context, faults } = await open();
    await hashesOf(page, 1);
    await page.click('#add-b');
    const [a, same] = await hashesOf(page, 2);
    expect(same).toBe(a);
    const row = '[data-path="switches.ecn.kminKB"]';
    await page.$eval(`${row} input[type=range]`, (element) => {
      const slider = element as HTMLInputElement;
      slider.value = '20';
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await expect.poll(async () => (await page.$$eval('.hash', (all) => all.map((element) => element.textContent)))[1], {
      timeout: RUN_MS,
    }).not.toBe(a);
    const [stillA, b] = await hashesOf(page, 2);
    expect(stillA).toBe(a);
    expect(b).toMatch(/^[0-9a-f]{16}$/);
    expect(await page.textContent('#results-body .settings tbody')).toContain('switches.ecn.kminKB');
    expect(await page.textContent('#results')).toMatch(/better|worse/);
    expect(await page.$eval(row, (element) => element.classList.contains('changed'))).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('offers kinds of topology and workload with their fields, and reports inconsistencies', async () => {
    const { page, context, faults } = await open();
    await hashesOf(page, 1);
    const scenario = async () =>
      JSON.parse(await page.inputValue('#scenario-json')) as { topology: { kind: string }; workload: { kind: string } };
    await page.selectOption('[data-path="workload.kind"] select', 'permutation');
    await page.click('summary:text-is("Topology: star")');
    await page.selectOption('[data-path="topology.kind"] select', 'leaf-spine');
    await expect.poll(scenario).toMatchObject({ topology: { kind: 'leaf-spine' }, workload: { kind: 'permutation' } });
    await expect.poll(() => page.inputValue('[data-path="topology.spines"] input[type=number]')).toBe('2');
    const isMarked = (path: string) => page.$eval(`[data-path="${path}"]`, (row) => row.classList.contains('changed'));
    expect([await isMarked('topology.kind'), await isMarked('workload.sizeBytes')]).toEqual([true, false]);
    await page.fill('[data-path="topology.spines"] input[type=number]', '0');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('#form-rejection')).toContain('spines');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('keeps each section of the form in the page while another structure is built', async () => {
    const { page, context, faults } = await open();
    await hashesOf(page, 1);
    await page.waitForSelector('[data-path="topology.kind"] select', { state: 'attached' });
    const missing = await page.evaluateHandle(() => {
      const form = document.querySelector('.form');
      if (form === null) throw new Error('the form is not built');
      // By a clock that runs fast, a frame has time for one step of the build.
      const now = performance.now.bind(performance);
      let calls = 0;
      performance.now = () => now() + 100 * calls++;
      const titles: string[] = [];
      new MutationObserver(() => {
        const shown = Array.from(form.querySelectorAll(':scope > details > summary'), (title) => title.textContent);
        if (!shown.some((title) => title.startsWith('Topology'))) titles.push(shown.join(', '));
      }).observe(form, { childList: true });
      return titles;
    });
    // A second workload has its own section before that of the topology.
    await choose(page, 'jobs');
    await expect.poll(() => page.isVisible('summary:text-is("Topology: leaf-spine")')).toBe(true);
    expect(await missing.jsonValue()).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('keeps a number that is being typed while the form is rebuilt', async () => {
    const { page, context, faults } = await open();
    await hashesOf(page, 1);
    const field = '[data-path="switches.ecn.kminKB"] input[type=number]';
    // A field that has the focus stops the build of the sections after it.
    await page.waitForSelector('[data-path="topology.kind"] select', { state: 'attached' });
    await page.focus(field);
    await page.evaluate((selector) => {
      const kind = document.querySelector<HTMLSelectElement>('[data-path="topology.kind"] select');
      const typed = document.querySelector<HTMLInputElement>(selector);
      if (kind === null || typed === null) throw new Error('the form is not built');
      kind.value = 'leaf-spine';
      kind.dispatchEvent(new Event('change', { bubbles: true }));
      typed.value = '77';
      typed.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }, field);
    await hashesOf(page, 1);
    await expect.poll(() => page.inputValue('#scenario-json')).toContain('leaf-spine');
    await hashesOf(page, 1);
    expect(await page.inputValue(field)).toBe('77');
    await page.$eval(field, (typed) => typed.dispatchEvent(new Event('change', { bubbles: true })));
    await expect.poll(() => page.inputValue('#scenario-json')).toContain('"kminKB": 77');
    await expect.poll(() => page.isVisible('summary:text-is("Topology: leaf-spine")')).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows the figures before a change, and reverts the change with its hash', async () => {
    const { page, context, faults } = await open();
    const [first] = await hashesOf(page, 1);
    const row = '[data-path="switches.ecn.kminKB"]';
    expect(await page.isVisible(`${row} .reset`)).toBe(false);
    await page.fill(`${row} input[type=number]`, '20');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('.hash'), { timeout: RUN_MS }).not.toBe(first);
    await expect.poll(() => page.$$eval('#key-numbers .before', (all) => all.map((one) => one.textContent)))
      .toContainEqual(expect.stringMatching(/^was 210\.1 kB.*%$/));
    await page.click(`${row} .reset`);
    await expect.poll(() => page.textContent('.hash'), { timeout: RUN_MS }).toBe(first);
    await expect.poll(() => page.isVisible(`${row} .reset`)).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('marks the same instant in all charts, in any color scheme', async () => {
    const { page, context } = await open();
    await choose(page, 'incast');
    await hashesOf(page, 1);
    await page.$eval('#scrub', (scrub) => {
      (scrub as HTMLInputElement).value = '500';
      scrub.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.click('#head-end button:has-text("Dark")');
    await hashesOf(page, 1);
    const shares = await page.$$eval('.instant:not([hidden])',
      (all) =>
        all.map((mark) => new DOMMatrix(getComputedStyle(mark).transform).e / (mark.parentElement?.clientWidth ?? 0)));
    expect(shares.length).toBeGreaterThan(3);
    for (const share of shares) expect(share).toBeCloseTo(0.5, 2);
    await context.close();
  });

  it('explains a rate change on a click on its line, from a run with the same hash', async () => {
    const { page, context, faults } = await open();
    const [hash] = await hashesOf(page, 1);
    await page.locator('#chart-rates .u-over').scrollIntoViewIfNeeded();
    const plot = (await (await page.$('#chart-rates .u-over'))!.boundingBox())!;
    await page.mouse.click(plot.x + plot.width / 2, plot.y + plot.height / 2);
    await expect.poll(() => page.textContent('#rate-change'), { timeout: RUN_MS }).toMatch(/Change \d+ of \d+\./);
    await expect.poll(() => page.inputValue('#chart-flow')).toMatch(/^\d+$/);
    const flow = await page.inputValue('#chart-flow');
    const first = await page.textContent('#rate-change');
    expect(first).toMatch(
      new RegExp(`^Flow ${flow} at [\\d.]+ [mµ]s: [\\d.]+ [GM]b/s to [\\d.]+ [GM]b/s[\\w ]+ \\(dcqcn\\): `),
    );
    expect(first).toContain('R_T, target rate');
    expect(first).not.toContain('different result');
    const source = await page.getAttribute('#rate-change a', 'href');
    expect(existsSync(path.join(import.meta.dirname, '../..', source!.split('/blob/main/')[1]!))).toBe(true);
    const count = () => page.textContent('#rate-change .words');
    const before = await count();
    await page.click('text=Change before');
    await expect.poll(count).not.toBe(before);
    await page.focus('text=Next change');
    await page.keyboard.press('Enter');
    await expect.poll(count).toBe(before);
    expect(await hashesOf(page, 1)).toEqual([hash]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('reads a dropped capture, sends no requests, and shows its frames', async () => {
    const { page, context, faults } = await open();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.setInputFiles('#capture-file', [CAPTURE_FILE, FLOWS_FILE]);
    await expect.poll(() => page.textContent('#capture-status'), { timeout: RUN_MS }).toMatch(/[\d,]+ frames in/);
    await page.click('[data-frame="0"]');
    await expect.poll(() => page.textContent('#capture-frame')).toContain('Base Transport Header');
    expect(await page.textContent('#packet-bytes')).toMatch(/^0000 {2}[0-9a-f]{2} /);
    expect(await page.$$eval('#capture-engine canvas', (all) => all.length)).toBe(1);
    expect(requests.filter((request) => !/^GET .*\/assets\/[\w-]+\.js$/.test(request))).toEqual([]);
    await page.setInputFiles('#capture-file', [path.join(lab.dir, SUB_PATH, 'index.html')]);
    await expect.poll(() => page.textContent('#capture-status')).not.toMatch(/frames in|^Reading/);
    expect(await page.textContent('#capture-report')).toBe('');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('has a sample capture of both directions of a link of the current run', async () => {
    const { page, context, faults } = await open();
    await hashesOf(page, 1);
    const shown = () => page.textContent('#key-numbers div:has(dt:text-is("CNPs")) dd');
    await expect.poll(shown).toMatch(/^\d/);
    const cnps = await shown();
    await page.click('#capture-sample');
    await expect.poll(() => page.textContent('#capture-status'), { timeout: RUN_MS }).toMatch(/[\d,]+ frames in/);
    expect(await page.textContent('#capture-status')).toContain(`${cnps} CNPs`);
    const sums = await page.$$eval('#capture-connections tr.sum td', (cells) => cells.map((cell) => cell.textContent));
    expect(sums[3]).toBe(cnps);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('supports the steps of docs/guides/lab.md', async () => {
    const { page, context } = await open();
    await hashesOf(page, 1);
    await expect.poll(() => page.textContent('#verdict')).toMatch(/^Bottleneck: s0:h4, .*crosses Kmin \d+ times/);
    await choose(page, 'incast');
    await expect.poll(() => page.textContent('#verdict'), { timeout: RUN_MS }).toContain('Bottleneck: s0:h16');
    const why = page.locator('#why-body details', { hasText: 'Why was no pause frame sent?' });
    await expect.poll(() => why.locator('li').first().textContent()).toContain('nearest was s0:h6');
    expect(await page.textContent('#why-body details[open] li')).toContain('16 of 16 flows were notified');
    await page.click('#add-b');
    await hashesOf(page, 2);
    await page.fill('[data-path="algorithms.dcqcn.parameters.aiRateBps"] input[type=number]', '400');
    await page.keyboard.press('Enter');
    const p99 = () => page.textContent('#results tr:has-text("completion time, p99")');
    await expect.poll(p99, { timeout: RUN_MS }).toContain('10.07 ms6.933 ms−31.1 % better');
    await choose(page, 'long-link');
    await expect.poll(p99, { timeout: RUN_MS }).toContain('13.83 ms5.806 ms');
    await choose(page, 'wrong-switch');
    await page.click('text=Is a switch set up differently?');
    await expect.poll(() => page.textContent('[data-topic="switches"] li'), { timeout: RUN_MS }).toContain(
      'leaf2 has Kmin 5,000 kB, other ports of 100 Gb/s have 50 kB',
    );
    await page.click('[data-topic="switches"] button');
    await expect.poll(() => page.inputValue('#chart-port')).toMatch(/^leaf2:/);
    await context.close();
  });

  it('keeps sections opened or closed when the results of a later run are shown', async () => {
    const { page, context, faults } = await open();
    const isOpen = () =>
      page.$$eval('#why-body details', (all: HTMLDetailsElement[]) =>
        all.map((one) => ({ question: one.querySelector('summary')?.textContent ?? '', isOpen: one.open })));
    const verdict = () => page.textContent('#verdict');
    await choose(page, 'wrong-switch');
    await expect.poll(verdict, { timeout: RUN_MS }).toContain('leaf');
    const opened = 'Is a switch set up differently?';
    const closed = (await isOpen())[0]?.question ?? '';
    await page.click(`#why-body summary:text-is("${opened}")`);
    await page.click('#why-body summary >> nth=0');
    const before = await verdict();
    await choose(page, 'long-link');
    await expect.poll(verdict, { timeout: RUN_MS }).not.toBe(before);
    await choose(page, 'wrong-switch');
    await expect.poll(verdict, { timeout: RUN_MS }).toBe(before);
    await expect.poll(isOpen).toContainEqual({ question: opened, isOpen: true });
    expect(await isOpen()).toContainEqual({ question: closed, isOpen: false });
    expect(faults).toEqual([]);
    await context.close();
  });

  it('saves the drawing of its network', async () => {
    const { page, context, faults } = await open();
    await hashesOf(page, 1);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('text=Network as SVG')]);
    expect(saved.suggestedFilename()).toBe('network.svg');
    const svg = readFileSync(await saved.path(), 'utf8');
    expect(svg).toMatch(/^<svg xmlns="[^"]*" viewBox="0 0 \d/);
    expect(svg).toContain('<title>s0</title>');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('saves its charts as tables with units', async () => {
    const { page, context, faults } = await open();
    await hashesOf(page, 1);
    await expect.poll(() => page.textContent('#sizes-legend')).toContain('4 of 4 flows done');
    const heads = new Map<string, string>();
    page.on('download', (file) => {
      void file.path().then((place) => {
        heads.set(file.suggestedFilename(), readFileSync(place, 'utf8').split('\r\n')[0]!);
      });
    });
    await page.click('text=Charts as CSV');
    await expect.poll(() => Object.fromEntries(heads)).toMatchObject({
      'queue.csv': 'Time (ms),s0:h4 (kB)',
      'fairness.csv': 'Time (ms),of the allowed rates',
      'sizes.csv': 'Run,Size (B),Completion time (µs)',
    });
    expect(heads.get('rates.csv')).toMatch(/^Time \(ms\),.*\(Gb\/s\)$/);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('can be used by keyboard alone', async () => {
    const { page, context } = await open();
    await hashesOf(page, 1);
    const walked: string[] = [];
    for (let step = 0; step < 260; step++) {
      await page.keyboard.press('Tab');
      walked.push(await page.evaluate(() => {
        const { id, dataset, className } = document.activeElement as HTMLElement;
        return id !== '' ? id : dataset['item'] ?? className;
      }));
      if (walked.at(-1) === 'network') break;
    }
    expect(walked).toEqual(expect.arrayContaining([
      'skip',
      'run',
      'live',
      'share',
      'export',
      'theme',
      'four-flows',
      'incast',
      'jobs',
      'add-b',
      'network',
    ]));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => {
      const port = await page.inputValue('#chart-port');
      return port.includes(':') && (await page.textContent('#network-words'))?.startsWith(`${port}, `);
    }).toBe(true);
    await page.focus('[data-item="deadlock"]');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await page.$$eval('.hash', (all) => all.map((element) => element.textContent))), {
      timeout: RUN_MS,
    }).toEqual(hashesInNode('deadlock'));
    await context.close();
  });

  it.each([
    ['desktop, light', DESKTOP, 'light'],
    ['desktop, dark', DESKTOP, 'dark'],
    ['phone, light', PHONE, 'light'],
  ] as const)('has no violation that axe finds, and nothing wider than the screen: %s',
    async (_name, viewport, colorScheme) => {
      const { page, context, faults } = await open('', { viewport, colorScheme, bypassCSP: true });
      await hashesOf(page, 1);
      await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core') });
      const views = viewport === PHONE ? ['experiment', 'network', 'charts'] : [''];
      for (const view of views) {
        if (view !== '') await page.click(`[data-show="${view}"]`);
        expect(await violationsIn(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      }
      expect(faults).toEqual([]);
      await context.close();
    });

  it.each([
    ['1024 px', { width: 1024, height: 768 }, '#chart-queue .plot'],
    ['390 px', PHONE, '#mini .plot'],
  ] as const)('keeps a slider and its chart in view together: %s', async (_name, viewport, chart) => {
    const { page, context, faults } = await open('', { viewport });
    await hashesOf(page, 1);
    if (viewport === PHONE) await page.click('[data-show="experiment"]');
    const slider = page.locator('[data-path="switches.ecn.pmax"] input[type=range]');
    await slider.evaluate((element) => {
      element.scrollIntoView({ block: 'center' });
    });
    const isInView = async (place: Locator) => {
      const box = await place.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= viewport.height;
    };
    await expect.poll(() => isInView(slider)).toBe(true);
    await expect.poll(() => isInView(page.locator(chart))).toBe(true);
    expect(await page.locator(`${chart} canvas`).count()).toBe(1);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('has a table of ports, bottleneck first, in which ports can be selected', async () => {
    const { page, context, faults } = await open();
    await hashesOf(page, 1);
    await choose(page, 'pause-storm');
    await expect.poll(() => page.textContent('#ports-table tbody tr'), { timeout: RUN_MS }).toMatch(
      /^leaf1:h3 bottleneck/,
    );
    await page.click('#ports-table tbody tr:nth-child(2) button');
    await expect.poll(() => page.inputValue('#chart-port')).toMatch(/leaf0:spine0|spine0:leaf1/);
    expect(await page.textContent('#chart-queue-legend')).toContain(await page.inputValue('#chart-port'));
    expect(await page.textContent('.stalled')).toMatch(/^The flows of A were stalled for 9\d/);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('transfers at most 436 kB, compressed', () => {
    const folder = path.join(lab.dir, SUB_PATH);
    const first = ['index.html', ...readdirSync(path.join(folder, 'assets')).map((file) => `assets/${file}`)]
      .filter((file) =>
        !/capture-main|capture-panel|rate-trace-panel|sim-trace|algorithm-panel|strip-types|svg-|workload-/.test(file)
      );
    const bytes = first.reduce((sum, file) => sum + gzipSync(readFileSync(path.join(folder, file))).length, 0);
    console.log(`The lab's first load: ${bytes} bytes, gzip`);
    expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_MAX_BYTES);
  });

  it('draws a fat-tree with k = 8 on canvases, and reports frame times during the run', async () => {
    const { page, context } = await open();
    await hashesOf(page, 1);
    await page.click('role=tab[name="JSON"]');
    await page.fill('#scenario-json', JSON.stringify({
      name: 'fat-tree, k = 8',
      topology: { kind: 'fat-tree', k: 8 },
      workload: { kind: 'permutation', sizeBytes: 500_000 },
    }));
    await expect.poll(() => page.textContent('#about')).toBe('');
    await page.evaluate(() => {
      window.labFrames.length = 0;
      window.labTasks.length = 0;
    });
    await page.click('#run');
    await expect.poll(() => page.$$eval('.hash', (all) => all.length), { timeout: RUN_MS }).toBe(1);
    const { frames, tasks } = await page.evaluate(() => ({ frames: window.labFrames, tasks: window.labTasks }));
    frames.sort((a, b) => a - b);
    const at = (share: number): string => (frames[Math.floor(share * (frames.length - 1))] ?? NaN).toFixed(1);
    const long = frames.filter((ms) => ms > LONG_FRAME_MS);
    console.log(
      `Frames of the lab, fat-tree k = 8: ${frames.length}; p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${
        at(0.99)
      } ms, longest ${at(1)} ms; ${long.length} over ${LONG_FRAME_MS} ms. Tasks of the page over ${LONG_FRAME_MS} ms: ${
        tasks.map((ms) => ms.toFixed(0)).join(', ') || 'none'
      }`,
    );
    expect(frames.length).toBeGreaterThan(0);
    // The network and each chart is one element; options of the list of ports are not laid out.
    const nodes = await page.evaluate(() => ({
      all: document.querySelectorAll('*').length,
      options: document.querySelectorAll('option').length,
      network: document.querySelectorAll('#network-body *').length,
      rowsOfPorts: document.querySelectorAll('#ports-body tbody tr').length,
    }));
    expect(nodes.all - nodes.options).toBeLessThan(2000);
    expect(nodes.network).toBeLessThan(60);
    expect(nodes.rowsOfPorts).toBeLessThan(40);
    await context.close();
  });
}, { timeout: 240_000 });
