/** Opens a directory of static files in a real Chromium, over a local HTTP server. */

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { serve, urlOf } from './static-server.js';

export const CHROMIUM_PATH = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Why no Chromium is available for tests; undefined if one is. */
export function whyNoChromium(): string | undefined {
  return existsSync(CHROMIUM_PATH) ? undefined : 'chromium is not installed';
}

export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const PAGE_TIMEOUT_MS = 30_000;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_FLAGS });
}

/** The value that the page of `dir` stores in `data-hash` of its body; rejects with the error that the page throws. */
export async function hashFromPage(browser: Browser, dir: string): Promise<string> {
  const server = await serve(dir);
  const page = await browser.newPage();
  try {
    return await openAndRead(page, urlOf(server, 'index.html'));
  } finally {
    await page.close();
    server.close();
  }
}

async function openAndRead(page: Page, url: string): Promise<string> {
  const thrown = new Promise<never>((_, reject) => {
    page.on('pageerror', reject);
  });
  const hash = page
    .goto(url)
    .then(() => page.waitForSelector('body[data-hash]', { timeout: PAGE_TIMEOUT_MS, state: 'attached' }))
    .then((body) => body.getAttribute('data-hash'));
  return (await Promise.race([hash, thrown])) ?? '';
}
