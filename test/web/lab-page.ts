/** The lab in a page of Chromium. */
import type { Server } from 'node:http';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { urlOf } from '../package/static-server.js';
import { SUB_PATH } from './built-lab.js';

export const DESKTOP = { width: 1400, height: 900 };
export const PHONE = { width: 390, height: 844 };
export const RUN_MS = 60_000;
/** A result has about ten charts, in addition to those of a second variant and of the form. */
const FRAMES_OF_RESULT = 16;

export interface OpenedLab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the console and the page. */
  readonly faults: string[];
}

/** @param hash in the URL. */
export async function openLab(browser: Browser, server: Server, hash = '',
  options: Parameters<Browser['newContext']>[0] = {}): Promise<OpenedLab> {
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  await page.goto(`${urlOf(server, `${SUB_PATH}/index.html`)}${hash}`);
  return { page, context, faults };
}

/** Hashes of A and B, once that many results are shown and no other run has started. */
export async function hashesOf(page: Page, count: number): Promise<string[]> {
  await page.waitForFunction((wanted) => document.querySelectorAll('.hash').length === wanted, count, {
    timeout: RUN_MS,
  });
  await framesLater(page);
  const hashes = await page.$$eval('.hash', (elements) => elements.map((element) => element.textContent));
  return hashes.length === count ? hashes : hashesOf(page, count);
}

/** Panels and charts of a result are drawn in the frames after its hash. */
async function framesLater(page: Page): Promise<void> {
  await page.evaluate((frames) =>
    new Promise<void>((resolve) => {
      let left = frames;
      const tick = (): void => {
        left--;
        if (left === 0) resolve();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }), FRAMES_OF_RESULT);
}

/** The violations that axe finds in the page. */
export async function violationsIn(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: AxeViolation[] }> } };
    const found = (await axe.run()).violations;
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
}

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
