/**
 * RC, MRC and Ultra Ethernet over many paths. `npm run study` prints the tables and writes docs/studies/multipath-study.md and its figure;
 * `--scenario CONDITION WORKLOAD PLANES TRANSPORT LEAVES` prints the scenario of a row, `--published R3` one of the published figures,
 * `--reordering` the table of hashed paths.
 */
import { writeFileSync } from 'node:fs';
import { FOUR_PLANES, ONE_PLANE, scenarioOf, type ConditionKey, type StackKey,
  type WorkloadKey } from './multipath/cases.js';
import { planeFigure } from './multipath/figure.js';
import { multipathPage } from './multipath/page.js';
import { PUBLISHED, publishedRow } from './multipath/published.js';
import { reorderingTable } from './multipath/reordering.js';
import { withRepositoryLinks } from './repository-links.js';

const [option, ...asked] = process.argv.slice(2);
if (option === '--scenario') {
  const [condition, workload, planes, stack, leaves] = asked;
  const network = planes === '4' ? FOUR_PLANES : ONE_PLANE;
  const spec = scenarioOf(network, stack as StackKey, workload as WorkloadKey, condition as ConditionKey,
    Number(leaves));
  process.stdout.write(`${JSON.stringify(spec, null, 2)}\n`);
} else if (option === '--published') {
  for (const figure of PUBLISHED) if (asked.includes(figure.id)) process.stdout.write(`${publishedRow(figure)}\n`);
} else if (option === '--reordering') {
  process.stdout.write(`${reorderingTable()}\n`);
} else {
  const page = multipathPage();
  process.stdout.write(page);
  if (option === '--write') {
    writeFileSync(new URL('../docs/images/multipath-study.svg', import.meta.url), planeFigure());
    writeFileSync(new URL('../docs/studies/multipath-study.md', import.meta.url), withRepositoryLinks(page));
  }
}
