/**
 * `npm run site`: the lab and the API's reference are built before, this puts the site around them, into build/site.
 * With `-- --serve` it serves it afterwards.
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
