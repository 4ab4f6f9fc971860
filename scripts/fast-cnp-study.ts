/**
 * Where Fast CNPs help, and where they don't: the same traffic with CNPs of the receiver and with Fast CNPs of the congested switch,
 * over numbers of switches and distances. `npm run study` prints the tables and writes docs/fast-cnp-study.md.
 */
import { writeFileSync } from 'node:fs';
import { fastCnpPage } from './fast-cnp/page.js';
import { withRepositoryLinks } from './repository-links.js';

const page = fastCnpPage();
process.stdout.write(page);
if (process.argv.includes('--write'))
  writeFileSync(new URL('../docs/fast-cnp-study.md', import.meta.url), withRepositoryLinks(page));
