/**
 * Many paths: balancers and transports over the same traffic, and detours on Fast CNPs. `npm run study` prints the tables and writes
 * docs/paths-study.md.
 */
import { writeFileSync } from 'node:fs';
import { pathsPage } from './paths/page.js';
import { withRepositoryLinks } from './repository-links.js';

const page = pathsPage();
process.stdout.write(page);
if (process.argv.includes('--write'))
  writeFileSync(new URL('../docs/paths-study.md', import.meta.url), withRepositoryLinks(page));
