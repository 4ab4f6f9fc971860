/**
 * What notifications and flow control are worth in a WAN. `npm run study` prints the tables and writes docs/wan-study.md;
 * `--scenario KM ALGORITHM NOTIFICATION FLOW-CONTROL` prints the scenario of a row.
 */
import { writeFileSync } from 'node:fs';
import { caseOf, scenarioOf } from './wan/cases.js';
import { wanPage } from './wan/page.js';
import { withRepositoryLinks } from './repository-links.js';

const asked = process.argv.indexOf('--scenario');
if (asked < 0) {
  const page = wanPage();
  process.stdout.write(page);
  if (process.argv.includes('--write'))
    writeFileSync(new URL('../docs/wan-study.md', import.meta.url), withRepositoryLinks(page));
} else {
  const [km = '', algorithm = '', notification = '', flowControl = ''] = process.argv.slice(asked + 1);
  const scenario = scenarioOf(caseOf(Number(km), algorithm, notification, flowControl));
  process.stdout.write(`${JSON.stringify(scenario, null, 2)}\n`);
}
