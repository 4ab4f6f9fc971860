/**
 * What each difference between the fidelities does, one at a time, on golden runs: `npm run study` prints the tables and writes
 * docs/reference/fidelity.md.
 */
import { writeFileSync } from 'node:fs';
import { CASES } from './fidelity/cases.js';
import { measureCase } from './fidelity/measure.js';
import { fidelityPage } from './fidelity/page.js';
import { withRepositoryLinks } from './repository-links.js';

const page = fidelityPage(CASES.map(measureCase));
process.stdout.write(page);
if (process.argv.includes('--write'))
  writeFileSync(new URL('../docs/reference/fidelity.md', import.meta.url), withRepositoryLinks(page));
