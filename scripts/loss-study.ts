/**
 * What losses cost under each transport and network configuration, and the claims of the IRN paper. `npm run study` prints the tables and
 * writes docs/loss-study.md; `--scenario LOAD CONFIGURATION TRANSPORT` prints the scenario of a row.
 */
import { writeFileSync } from 'node:fs';
import { caseOf, scenarioOf } from './loss/cases.js';
import { lossPage } from './loss/page.js';
import { withRepositoryLinks } from './repository-links.js';

const asked = process.argv.indexOf('--scenario');
if (asked < 0) {
  const page = lossPage();
  process.stdout.write(page);
  if (process.argv.includes('--write'))
    writeFileSync(new URL('../docs/loss-study.md', import.meta.url), withRepositoryLinks(page));
} else {
  const [load = '', configuration = '', way = ''] = process.argv.slice(asked + 1);
  process.stdout.write(`${JSON.stringify(scenarioOf(caseOf(load, configuration, way)), null, 2)}\n`);
}
