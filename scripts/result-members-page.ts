/** docs/reference/result-members.md and docs/result.schema.json: every member of a result, from its schema. */
import { FLOW_COLUMNS, PORT_COLUMNS } from '../src/sim/files/result-csv.js';
import { RESULT_SCHEMA } from '../src/sim/result-schema/result.js';
import { memberSections, publishedSchema } from './members-page.js';

const HEAD = `# Members of a result

Every member of the JSON of a result, from its schema ([result.schema.json](../result.schema.json)): written by \`npm run docs\`. What they are for:
[results](../guides/results.md).

- Units are in the names: \`Ps\` picoseconds, \`Bps\` bits per second, \`Bytes\` bytes. What has no unit is a count.
- Optional members are absent where their meaning says so. \`null\`: not yet, or never.
`;

/** The page. */
export function resultMembersPage(): string {
  return [HEAD, ...memberSections(RESULT_SCHEMA, { title: 'result', moreOf: csvWords, opaque: ['scenario'] })].join(
    '\n',
  );
}

/** The published schema of a result (JSON schema, draft 2020-12). */
export function resultJsonSchema(): unknown {
  return publishedSchema(RESULT_SCHEMA, 'result.schema.json', 'roce-cc result', (piece, published) => {
    if (piece !== RESULT_SCHEMA.shape.scenario) return;
    delete published.type;
    delete published.properties;
    delete published.additionalProperties;
    published.$ref = 'scenario.schema.json';
  });
}

function csvWords(path: string): string {
  const columns = csvColumns(path);
  if (columns === undefined) return '';
  return `\nAs CSV (\`roce-cc run --csv\`), in this order: ${columns.map((name) => `\`${name}\``).join(', ')}.\n`;
}

function csvColumns(path: string): readonly string[] | undefined {
  if (path === 'flows[]') return FLOW_COLUMNS.map(({ name }) => name);
  return path === 'ports[]' ? PORT_COLUMNS.map(({ name }) => name) : undefined;
}
