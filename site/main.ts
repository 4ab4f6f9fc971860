/**
 * Runs `npm run site`, which assembles the site in build/site from the lab and the API reference, both built before.
 * With `-- --serve` it also serves the site.
 */
import path from 'node:path';
import { preview } from 'vite';
import { buildSite, firstLoadBytes } from './build.js';
import { ROOT } from './catalog.js';

const PORT = 4174;
const out = path.join(ROOT, 'build', 'site');

const pages = await buildSite({ out, lab: path.join(ROOT, 'build', 'lab'), api: path.join(ROOT, 'build', 'api-docs') });
process.stdout.write(
  `build/site: ${pages.length} pages; first load of the start page ${
    firstLoadBytes(out).toLocaleString('en')
  } bytes, gzip\n`,
);

if (process.argv.includes('--serve')) {
  const server = await preview({ configFile: false, root: ROOT, build: { outDir: out }, preview: { port: PORT } });
  server.printUrls();
}
