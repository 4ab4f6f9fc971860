/** `npm run docs`: writes the pages that the code draws itself. */
import { writeFileSync } from 'node:fs';
import { SCENARIO_SCHEMA } from '../src/sim/scenario/published-schema.js';
import { wirePage } from './wire-page.js';

writeFileSync(new URL('../docs/wire.md', import.meta.url), wirePage());
writeFileSync(new URL('../docs/scenario.schema.json', import.meta.url),
  `${JSON.stringify(SCENARIO_SCHEMA, null, 2)}\n`);
