/** docs/reference/sweep-result-members.md, docs/reference/tuning-result-members.md and the schemas of both, from their declarations. */
import { TUNE_RESULT_SCHEMA } from '../src/cli/tune/result-schema.js';
import { SWEEP_ROW_SCHEMA } from '../src/sim/result-schema/result.js';
import { memberSections, publishedSchema } from './members-page.js';

const NULLS = 'Optional members are absent where their meaning says so. `null`: there is none.';

export function sweepMembersPage(): string {
  const head = `# Members of a sweep's rows

Every member of a line that \`roce-cc sweep --jsonl\` writes, one per run, from its schema ([sweep-result.schema.json](../sweep-result.schema.json)):
written by \`npm run docs\`. What they are for: [sweeps](../guides/sweeps.md). ${NULLS}
`;
  return [head, ...memberSections(SWEEP_ROW_SCHEMA, { title: 'row' })].join('\n');
}

export function tuningMembersPage(): string {
  const head = `# Members of a tuning's result

Every member of the JSON that \`roce-cc tune --json\` writes, from its schema ([tuning-result.schema.json](../tuning-result.schema.json)): written by
\`npm run docs\`. What they are for: [tuning](../guides/tuning.md). ${NULLS}
`;
  return [head, ...memberSections(TUNE_RESULT_SCHEMA, { title: 'result', opaque: ['irdma'] })].join('\n');
}

export function sweepJsonSchema(): unknown {
  return publishedSchema(SWEEP_ROW_SCHEMA, 'sweep-result.schema.json', "A row of roce-cc's sweeps");
}

export function tuningJsonSchema(): unknown {
  return publishedSchema(TUNE_RESULT_SCHEMA, 'tuning-result.schema.json', "A result of roce-cc's tunings");
}
