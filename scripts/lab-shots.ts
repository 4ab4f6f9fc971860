/**
 * `npm run shots`: pictures of the lab's gallery items, at three widths and in both themes, into build/shots, to be looked at.
 * `npm run shots -- incast jobs` takes those of two items alone.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../test/package/browser-page.js';
import { serve, urlOf } from '../test/package/static-server.js';
import { buildLab, GALLERY_FILES, SUB_PATH } from '../test/web/built-lab.js';

const FOLDER = fileURLToPath(new URL('../build/shots/', import.meta.url));
const SIZES = [[1400, 900], [1024, 768], [390, 844]] as const;
const THEMES = ['light', 'dark'] as const;
/** All runs of an item are done: as many hashes as variants. */
const RUN_MS = 120_000;
/** After this the results of the item before are gone. */
const STARTED_MS = 300;
/** Charts draw in the frames after a run. */
const DRAWN_MS = 500;

const asked = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
const lab = await buildLab();
const server = await serve(lab.dir);
const browser = await launchChromium();
try {
  const items = await itemsOf();
  const unknown = asked.filter((item) => !items.includes(item));
  if (unknown.length > 0)
    throw new Error(`No items of the gallery: ${unknown.join(', ')}. There are ${items.join(', ')}.`);
  const pictures = (asked.length === 0 ? items : asked).flatMap((item) =>
    THEMES.flatMap((theme) => SIZES.map(([width, height]) => ({ item, theme, width, height })))
  );
  for (const { item, theme, width, height } of pictures) await shoot(item, { width, height }, theme);
} finally {
  await browser.close();
  server.close();
  lab.remove();
}

async function itemsOf(): Promise<string[]> {
  const page = await browser.newPage();
  await page.goto(urlOf(server, `${SUB_PATH}/index.html`));
  await page.waitForSelector('[data-item]', { state: 'attached' });
  const items = await page.$$eval('[data-item]',
    (elements) => elements.map((element) => (element as HTMLElement).dataset['item'] ?? ''));
  await page.close();
  return items;
}

/** The whole page; its top is what one sees without scrolling. */
async function shoot(item: string, viewport: { width: number; height: number },
  colorScheme: (typeof THEMES)[number]): Promise<void> {
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
  page.on('pageerror', (error) => {
    process.stderr.write(`${item}, ${viewport.width}, ${colorScheme}: ${error.message}\n`);
  });
  await page.goto(urlOf(server, `${SUB_PATH}/index.html`));
  await page.waitForSelector('.hash', { state: 'attached', timeout: RUN_MS });
  // A click by script reaches items in a view that a narrow page does not show.
  const button = page.locator(`[data-item="${item}"]`);
  await button.evaluate((element) => {
    (element as HTMLElement).click();
  });
  await page.waitForTimeout(STARTED_MS);
  const wanted = GALLERY_FILES[item]?.length ?? 1;
  await page.waitForFunction((count) => document.querySelectorAll('.hash').length === count, wanted, {
    timeout: RUN_MS,
  });
  await page.waitForTimeout(DRAWN_MS);
  // What is out of sight is not laid out, and would be blank on a picture of the whole page.
  await page.$$eval('.chart', (charts) => {
    for (const chart of charts as HTMLElement[]) chart.style.contentVisibility = 'visible';
  });
  const file = path.join(FOLDER, `${item}-${viewport.width}-${colorScheme}.png`);
  await page.screenshot({ path: file, fullPage: true });
  process.stdout.write(`${file}\n`);
  await page.close();
}
