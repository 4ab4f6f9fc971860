/**
 * What notifications and flow control are worth in a WAN. `npm run study` prints the tables and writes docs/studies/wan-study.md;
 * `--scenario KM ALGORITHM NOTIFICATION FLOW-CONTROL` prints the scenario of a row.
 */
import { caseOf, scenarioOf } from './wan/cases.js';
import { wanPage } from './wan/page.js';
import { writeStudy } from './study-page.js';

const asked = process.argv.indexOf('--scenario');
if (asked < 0) writeStudy('wan', wanPage());
else {
  const [km = '', algorithm = '', notification = '', flowControl = ''] = process.argv.slice(asked + 1);
  const scenario = scenarioOf(caseOf(Number(km), algorithm, notification, flowControl));
  process.stdout.write(`${JSON.stringify(scenario, null, 2)}\n`);
}
