/**
 * Single rows of docs/studies/multipath-study.md: `--scenario CONDITION WORKLOAD PLANES TRANSPORT LEAVES` prints the scenario of a row,
 * `--published R3` one of the published figures, `--reordering` the table of hashed paths.
 */
import { FOUR_PLANES, ONE_PLANE, scenarioOf, type ConditionKey, type StackKey, type WorkloadKey } from './cases.js';
import { PUBLISHED, publishedRow } from './published.js';
import { reorderingTable } from './reordering.js';

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
  process.stderr.write('allowed: --scenario, --published and --reordering\n');
  process.exitCode = 2;
}
