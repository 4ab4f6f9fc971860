/** The report in a browser without a network. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SimResult } from '../../src/sim/result.js';
import { fakeResult, mainJobResults } from '../cli/support/fake-results.js';
import { launchChromium, whyNoChromium } from '../package/browser-page.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { html } from './support/report-page.js';

const BROWSER_MS = 60_000;

interface OpenPage {
  readonly page: Page;
  /** Warnings and errors of the page, and all its requests except that of the page itself. */
  readonly problems: string[];
}

describeNeeding(whyNoChromium(), 'a report in Chromium', () => {
  let browser: Browser;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-report-'));
    browser = await launchChromium();
  }, BROWSER_MS);
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function open(results: readonly SimResult[],
    options: { colorScheme?: 'light' | 'dark'; width?: number; javaScriptEnabled?: boolean; folded?: boolean } =
      {}): Promise<OpenPage> {
    const file = path.join(folder, 'report.html');
    writeFileSync(file, html(results));
    const { width = 1200, colorScheme, javaScriptEnabled = true } = options;
    const context = await browser.newContext({
      ...(colorScheme && { colorScheme }),
      javaScriptEnabled,
      viewport: { width, height: 900 },
      offline: true,
    });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      problems.push(message.text());
    });
    page.on('pageerror', (error) => {
      problems.push(String(error));
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(pathToFileURL(file).href)) problems.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    if (options.folded !== true && options.javaScriptEnabled !== false) await unfold(page);
    return { page, problems };
  }

  /** Unfolds the sections, and waits until charts have their widths. */
  async function unfold(page: Page): Promise<void> {
    await page.locator('details.section').evaluateAll((all) => {
      for (const one of all) (one as HTMLDetailsElement).open = true;
    });
    await page.evaluate(() =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      })
    );
  }

  it('shows the verdict and the first chart on the first screen, and only the main numbers unfolded', async () => {
    const { page } = await open(mainJobResults(), { folded: true });
    const bottomOf = async (selector: string) => {
      const box = (await page.locator(selector).first().boundingBox())!;
      return box.y + box.height;
    };
    expect(await bottomOf('.verdict p')).toBeLessThan(500);
    expect(await bottomOf('#chart-queue')).toBeLessThan(900);
    expect(await page.locator('main > .scroll table').isVisible()).toBe(true);
    expect(await page.locator('details.section[open]').count()).toBe(0);
  });

  /** The labels of each chart, and the share of its pixels that differ from the background. */
  const chartsOf = (page: Page) =>
    page.$$eval('.chart', (hosts) =>
      hosts.map((host) => {
        const canvas = host.querySelector('canvas')!;
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        const drawn = data.filter((value, index) => index % 4 === 3 && value > 0).length;
        return {
          id: host.id,
          x: host.dataset.xLabel,
          y: host.dataset.yLabel,
          lines: Number(host.dataset.lines),
          inked: drawn / (data.length / 4),
          width: canvas.clientWidth,
        };
      }));

  it('draws all charts with labels and units, without requests, warnings or errors', async () => {
    const { page, problems } = await open(mainJobResults());
    const charts = await chartsOf(page);
    expect(charts.map(({ id, y, x, lines }) => [id, y, x, lines])).toEqual([
      ['chart-queue', 'Queue (kB)', 'Time (ms)', 3],
      ['chart-utilization', 'Utilization (%)', 'Time (ms)', 3],
      ['chart-rates-0', 'Rate (Gb/s)', 'Time (ms)', 17],
      ['chart-rates-1', 'Rate (Gb/s)', 'Time (ms)', 17],
      ['chart-rates-2', 'Rate (Gb/s)', 'Time (ms)', 17],
      ['chart-fairness', "Jain's index", 'Time (ms)', 3],
      ['chart-completions', 'Flows done (%)', 'Completion time (ms)', 3],
      ['chart-sizes', 'Completion time', 'Size', 3],
      ['chart-pauses', 'Paused (µs)', 'Port (node:peer)', 3],
    ]);
    for (const { inked } of charts) expect(inked).toBeGreaterThan(0.01);
    expect(problems).toEqual([]);
  });

  it('shows the values of all runs under the cursor', async () => {
    const { page } = await open(mainJobResults());
    const chart = page.locator('#chart-queue .u-over');
    await chart.hover({ position: { x: 300, y: 50 } });
    const below = (chart: string) => page.locator(`#chart-${chart} + .legend`);
    const values = await below('queue').locator('.line b').allTextContents();
    expect(values).toHaveLength(3);
    for (const value of values) expect(value).toMatch(/^[\d.]+ k?B$/);
    // The cursors of charts over time are synchronized.
    const at = await below('queue').locator('.at').textContent();
    expect(at).toMatch(/^at [\d.]+ [µm]s$/);
    expect(await below('utilization').locator('.at').textContent()).toBe(at);
  });

  it('names the flow of the line under the cursor', async () => {
    const { page } = await open([fakeResult({ convergence: 1000 })]);
    const box = (await page.locator('#chart-rates-0 .u-over').boundingBox())!;
    await page.locator('#chart-rates-0 .u-over').hover({ position: { x: 200, y: box.height * 0.6 } });
    const told = page.locator('#chart-rates-0 + .legend .line');
    expect(await told.first().textContent()).toMatch(/^\d+: h\d+ → h16 [\d.]+ [GM]b\/s$/);
    expect(await told.last().textContent()).toMatch(/^mean [\d.]+ [GM]b\/s$/);
  });

  it('shows the selected port', async () => {
    const { page } = await open(mainJobResults());
    expect(await page.locator('#chart-queue + .legend .name').allTextContents()).toContain('incast-16, s0:h16');
    await page.selectOption('#port', 'h0:s0');
    expect(await page.locator('#chart-queue + .legend .name').allTextContents()).toEqual([
      'incast-16',
      'incast-16-fast-cnp',
      'incast-16-hpcc',
    ]);
    expect(await page.locator('#chart-queue').getAttribute('data-y-label')).toBe('Queue (kB)');
    expect(await page.locator('#chart-queue canvas').count()).toBe(1);
  });

  it.each([['light', 1200], ['dark', 1200], ['light', 400]] as const)('is legible in %s colors, %i pixels wide',
    async (colorScheme, width) => {
      const { page, problems } = await open(mainJobResults(), { colorScheme, width });
      for (
        const selector of [
          'body',
          'figcaption span',
          'caption',
          'pre',
          '.legend .name',
          '.legend .at',
          '.u-legend .u-label',
        ]
      ) {
        const [text, paper] = await page.locator(selector).first().evaluate((element) => {
          const paperOf = (node: Element): string => {
            const color = getComputedStyle(node).backgroundColor;
            return color !== 'rgba(0, 0, 0, 0)' || node.parentElement === null ? color : paperOf(node.parentElement);
          };
          return [getComputedStyle(element).color, paperOf(element)] as const;
        });
        expect([selector, contrast(text, paper) >= 4.5]).toEqual([selector, true]);
      }
      // Wide tables scroll in their frames; the page itself does not scroll sideways.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      for (const chart of await chartsOf(page)) expect(chart.width).toBeLessThanOrEqual(width);
      expect(problems).toEqual([]);
    });

  it('has ordered headings, header cells in each table, and an accessible name for each chart', async () => {
    const { page } = await open(mainJobResults());
    const levels = await page.$$eval('h1, h2, h3', (headings) => headings.map(({ tagName }) => Number(tagName[1])));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, index) => {
      expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    });
    expect(
      await page.$$eval('table:not([role=presentation])', (tables) =>
        (tables as HTMLTableElement[]).filter((table) =>
          table.caption === null || table.querySelector('thead th[scope=col]') === null
        ).length),
    ).toBe(0);
    const names = await page.$$eval('.chart[role=img]',
      (hosts) =>
        hosts.map((host) => document.getElementById(host.getAttribute('aria-labelledby') ?? '')?.textContent ?? ''));
    expect(names).toHaveLength(9);
    for (const name of names) expect(name.length).toBeGreaterThan(20);
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    expect(await page.$$eval('[id]', (all) => all.length - new Set(all.map(({ id }) => id)).size)).toBe(0);
  });

  it('draws a single run that was cancelled', async () => {
    const { page, problems } = await open([fakeResult({ ended: 'cancelled', senders: 1 })]);
    expect((await chartsOf(page)).map(({ id }) => id)).toEqual(['chart-queue', 'chart-utilization', 'chart-rates-0']);
    expect(await page.textContent('header')).toContain('Cancelled');
    expect(problems).toEqual([]);
  });

  it('begins with a chart, labels thresholds, sorts tables by value, and exports charts as CSV and PNG', async () => {
    const [result] = mainJobResults();
    const [any] = result!.ports;
    const ports = [
      ...result!.ports.map((port) =>
        port.name === 's0:h16' ? { ...port, kminBytes: 100_000, kmaxBytes: 400_000 } : port
      ),
      // The chart shows the threshold of the ingress port that came nearest to it, which is not the lowest threshold.
      { ...any!, node: 's0', peer: 'h1', name: 's0:h1', maxIngressBytes: 1e6, minPauseThresholdBytes: 8e6 },
      { ...any!, node: 's0', peer: 'h2', name: 's0:h2', maxIngressBytes: 6e6, minPauseThresholdBytes: 9e6 },
    ];
    const { page, problems } = await open([{ ...result!, ports }]);
    const box = (await page.locator('#chart-queue').boundingBox())!;
    expect(box.y + box.height).toBeLessThan(900);
    expect(await page.locator('#chart-queue + .legend .level').allTextContents()).toEqual([
      'Kmin 100 kB',
      'Kmax 400 kB',
      'pause, input s0:h2 9 MB',
    ]);

    await page.locator('summary', { hasText: 'Flows' }).click();
    const table = page.locator('table[data-sortable]').first();
    const column = async (): Promise<string[]> => table.locator('tbody th').allTextContents();
    const head = table.locator('thead th').first();
    await head.locator('button').click();
    expect(await column()).toEqual(Array.from({ length: 16 }, (_, index) => String(index)));
    await head.locator('button').press('Enter');
    expect([await head.getAttribute('aria-sort'), (await column())[0]]).toEqual(['descending', '15']);

    // Tables are sorted by value, not by text: 10 ms is more than 9,990 µs.
    await table.locator('thead th', { hasText: 'Completion' }).locator('button').click();
    const completions = await table.locator('tbody tr td:nth-child(7)').evaluateAll((cells) =>
      cells.map((cell) => Number((cell as HTMLElement).dataset.value))
    );
    expect(completions).toEqual([...completions].sort((one, other) => one - other));
    expect(new Set(completions).size).toBeGreaterThan(10);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save queue as CSV' }).click(),
    ]);
    const saved = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect([download.suggestedFilename(), saved[0]]).toEqual([
      'queue.csv',
      expect.stringContaining('s0:h16') as string,
    ]);
    expect(saved.length).toBeGreaterThan(10);
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save queue as PNG' }).click(),
    ]);
    expect(readFileSync(await picture.path()).subarray(1, 4).toString()).toBe('PNG');
    expect(problems).toEqual([]);
  });

  it('shows its tables without scripts', async () => {
    const { page } = await open(mainJobResults(), { javaScriptEnabled: false });
    expect(await page.locator('table').first().isVisible()).toBe(true);
  });
}, { timeout: BROWSER_MS });

/** The contrast ratio of WCAG 2.2. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [a, b].map(luminance).sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
