/**
 * What losses cost under each transport and network configuration, and the claims of the IRN paper. `npm run study` prints the tables and
 * writes docs/studies/loss-study.md; `--scenario LOAD CONFIGURATION TRANSPORT` prints the scenario of a row.
 */
import { caseOf, scenarioOf } from './loss/cases.js';
import { lossPage } from './loss/page.js';
import { writeStudy } from './study-page.js';

const asked = process.argv.indexOf('--scenario');
if (asked < 0) writeStudy('loss', lossPage());
else {
  const [load = '', configuration = '', way = ''] = process.argv.slice(asked + 1);
  process.stdout.write(`${JSON.stringify(scenarioOf(caseOf(load, configuration, way)), null, 2)}\n`);
}
