/** `npm run lab-picture`: takes README's picture of the lab, in Chromium. */
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../test/package/browser-page.js';
import { serve, urlOf } from '../test/package/static-server.js';
import { buildLab, SUB_PATH } from '../test/web/built-lab.js';

const PICTURE = fileURLToPath(new URL('../docs/images/lab.png', import.meta.url));
const ITEM = 'long-link';
const RUNS = 2;
const SIZE = { width: 1280, height: 760 };

const lab = await buildLab();
const server = await serve(lab.dir);
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(urlOf(server, `${SUB_PATH}/index.html`));
  await page.click(`[data-item="${ITEM}"]`);
  await page.waitForFunction((wanted) => document.querySelectorAll('.hash').length === wanted, RUNS);
  await page.waitForTimeout(500);
  await page.screenshot({ path: PICTURE });
} finally {
  await browser.close();
  server.close();
  lab.remove();
}
