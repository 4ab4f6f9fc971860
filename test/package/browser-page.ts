/** Opens a directory of static files in a real Chromium, over a local HTTP server. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

export const CHROMIUM_PATH = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = (): boolean => existsSync(CHROMIUM_PATH);

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const MIME_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
};
const PAGE_TIMEOUT_MS = 30_000;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM_PATH, args: FLAGS });
}

/** What the page of `dir` leaves in `data-hash` of its body; rejects with what the page threw. */
export async function hashFromPage(browser: Browser, dir: string): Promise<string> {
  const server = await serve(dir);
  const page = await browser.newPage();
  try {
    return await openAndRead(page, `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`);
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

function serve(dir: string): Promise<Server> {
  const server = createServer((request, response) => {
    sendFile(response, dir, request.url ?? '/');
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(server);
    });
  });
}

function sendFile(response: ServerResponse, dir: string, url: string): void {
  const file = path.join(dir, path.normalize(new URL(url, 'http://localhost').pathname));
  if (!existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': MIME_TYPES[path.extname(file)] ?? 'application/byte-stream' });
  response.end(readFileSync(file));
}
