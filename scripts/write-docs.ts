/** `npm run docs`: writes the pages, the columns and the picture that the code makes itself. */
import { readFileSync, writeFileSync } from 'node:fs';
import { writeResultsPage } from '../bench/support/results-file.js';
import { SCENARIO_SCHEMA } from '../src/sim/scenario/published-schema.js';
import { abiPage } from './abi-page.js';
import { withGymTables } from './gym-tables.js';
import { withMetricsTable } from './metrics-table.js';
import { withUetOptions } from './uet-options-table.js';
import { memoryPage } from './memory-page.js';
import { picture } from './picture.js';
import { PAGES_OF_CLONES, withRepositoryLinks } from './repository-links.js';
import { resultJsonSchema, resultMembersPage } from './result-members-page.js';
import { settingsPage } from './settings-page.js';
import { sweepJsonSchema, sweepMembersPage, tuningJsonSchema, tuningMembersPage } from './sweep-members-pages.js';
import { shippedPages } from './shipped-pages.js';
import { wirePage } from './wire-page.js';
import { workloadFormatsPage } from './workload-formats-page.js';

const SWEEPS = new URL('../docs/guides/sweeps.md', import.meta.url);
const UET = new URL('../docs/guides/uet-reference.md', import.meta.url);
const GYM = new URL('../docs/guides/gym.md', import.meta.url);

writeFileSync(SWEEPS, withMetricsTable(readFileSync(SWEEPS, 'utf8')));
writeFileSync(GYM, withGymTables(readFileSync(GYM, 'utf8')));
writeFileSync(UET, withUetOptions(readFileSync(UET, 'utf8')));
writeFileSync(new URL('../docs/reference/abi.md', import.meta.url), await abiPage());
writeFileSync(new URL('../docs/reference/wire.md', import.meta.url), wirePage());
writeFileSync(new URL('../docs/internals/memory.md', import.meta.url), await memoryPage());
writeFileSync(new URL('../docs/reference/settings.md', import.meta.url), settingsPage());
writeFileSync(new URL('../docs/reference/result-members.md', import.meta.url), resultMembersPage());
writeFileSync(new URL('../docs/result.schema.json', import.meta.url),
  `${JSON.stringify(resultJsonSchema(), null, 2)}\n`);
writeFileSync(new URL('../docs/reference/sweep-result-members.md', import.meta.url), sweepMembersPage());
writeFileSync(new URL('../docs/sweep-result.schema.json', import.meta.url),
  `${JSON.stringify(sweepJsonSchema(), null, 2)}\n`);
writeFileSync(new URL('../docs/reference/tuning-result-members.md', import.meta.url), tuningMembersPage());
writeFileSync(new URL('../docs/tuning-result.schema.json', import.meta.url),
  `${JSON.stringify(tuningJsonSchema(), null, 2)}\n`);
writeFileSync(new URL('../docs/reference/workload-formats.md', import.meta.url), workloadFormatsPage());
writeFileSync(new URL('../docs/scenario.schema.json', import.meta.url),
  `${JSON.stringify(SCENARIO_SCHEMA, null, 2)}\n`);
writeFileSync(new URL('../docs/images/four-flows.svg', import.meta.url), picture());
writeResultsPage();
for (const name of shippedPages().filter((page) => !PAGES_OF_CLONES.includes(page))) {
  const page = new URL(`../${name}`, import.meta.url);
  writeFileSync(page, withRepositoryLinks(readFileSync(page, 'utf8')));
}
