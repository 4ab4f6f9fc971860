/** docs/result-members.md and docs/result.schema.json: every member of a result, from its schema. */
import * as z from 'zod';
import { FLOW_COLUMNS } from '../src/sim/files/flows-csv.js';
import { PORT_COLUMNS } from '../src/sim/files/ports-csv.js';
import { RESULT_SCHEMA } from '../src/sim/result-schema/result.js';
import { table, tableRow } from './markdown-table.js';

type Piece = z.core.$ZodTypes;

const HEADS = ['member', 'unit', 'meaning'];
const HEAD = `# Members of a result

Every member of the JSON of a result, from its schema ([result.schema.json](result.schema.json)): written by \`npm run docs\`. What they are for:
[results](results.md).

- Units are in the names: \`Ps\` picoseconds, \`Bps\` bits per second, \`Bytes\` bytes. What has no unit is a count.
- Optional members are absent where their meaning says so. \`null\`: not yet, or never.
`;
const UNITS: readonly (readonly [ending: string, unit: string])[] = [['Ps', 'ps'], ['Bps', 'b/s'], ['Bytes', 'bytes'], [
  'Packets',
  'packets',
]];

/** The page. */
export function resultMembersPage(): string {
  const sections: string[] = [];
  addSection(RESULT_SCHEMA, 'result', sections);
  return [HEAD, ...sections].join('\n');
}

/** The published schema of a result (JSON schema, draft 2020-12). */
export function resultJsonSchema(): unknown {
  const { $schema, ...rest } = z.toJSONSchema(RESULT_SCHEMA, { override: publish });
  return { $schema, $id: 'result.schema.json', title: 'roce-cc result', ...rest };
}

function publish({ zodSchema, jsonSchema }: {
  readonly zodSchema: object;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  delete jsonSchema['typeName'];
  delete jsonSchema['about'];
  if (zodSchema !== RESULT_SCHEMA.shape.scenario) return;
  delete jsonSchema.type;
  delete jsonSchema.properties;
  delete jsonSchema.additionalProperties;
  jsonSchema.$ref = 'scenario.schema.json';
}

/** A table for an object, then those for the objects in it. */
function addSection(record: z.ZodObject, path: string, sections: string[]): void {
  const columns = csvColumns(path);
  const rows = Object.entries<Piece>(record.shape).map(([member, field]) => {
    const { piece, isOptional } = unwrapped(field);
    const { description = '' } = piece as unknown as z.ZodType;
    return tableRow([
      `\`${member}\``,
      unitOf(member, piece),
      (isOptional ? 'Optional. ' : '') + description.replaceAll('|', '\\|'),
    ]);
  });
  const csv = columns === undefined ?
    '' :
    `\nAs CSV (\`roce-cc run --csv\`), in this order: ${columns.map((name) => `\`${name}\``).join(', ')}.\n`;
  sections.push(`## ${path}\n\n${String(record.meta()?.['about'])}\n${csv}\n${table(HEADS, rows, HEADS.length)}\n`);
  for (const [member, field] of Object.entries<Piece>(record.shape)) {
    const { inner, suffix } = objectIn(unwrapped(field).piece);
    if (inner !== undefined && member !== 'scenario')
      addSection(inner, `${path === 'result' ? '' : `${path}.`}${member}${suffix}`, sections);
  }
}

function csvColumns(path: string): readonly string[] | undefined {
  if (path === 'flows[]') return FLOW_COLUMNS.map(({ name }) => name);
  return path === 'ports[]' ? PORT_COLUMNS.map(({ name }) => name) : undefined;
}

function objectIn(piece: Piece): { readonly inner?: z.ZodObject; readonly suffix: string } {
  const { def } = piece._zod;
  if (def.type === 'object') return { inner: piece as unknown as z.ZodObject, suffix: '' };
  if (def.type === 'array') return { ...objectIn(def.element as Piece), suffix: '[]' };
  return def.type === 'nullable' ? objectIn(def.innerType as Piece) : { suffix: '' };
}

function unwrapped(piece: Piece): { readonly piece: Piece; readonly isOptional: boolean } {
  const { def } = piece._zod;
  return def.type === 'optional' ? { piece: def.innerType as Piece, isOptional: true } : { piece, isOptional: false };
}

function unitOf(member: string, piece: Piece): string {
  const { def } = piece._zod;
  if (def.type === 'nullable') return `${unitOf(member, def.innerType as Piece)} or \`null\``.trim();
  if (def.type === 'enum') return Object.values(def.entries).map((word) => `\`${word}\``).join(', ');
  if (def.type === 'array') return `list${suffixed(member, def.element as Piece)}`;
  if (def.type === 'record') return 'lists by name';
  if (def.type === 'object') return 'object';
  if (def.type === 'boolean' || def.type === 'literal')
    return 'true, false'.slice(0, def.type === 'literal' ? 4 : undefined);
  if (def.type === 'string') return 'text';
  return UNITS.find(([ending]) => member.endsWith(ending))?.[1] ?? '';
}

function suffixed(member: string, item: Piece): string {
  const { type } = item._zod.def;
  if (type === 'object') return ' of objects';
  if (type === 'string') return ' of texts';
  const unit = unitOf(member, item);
  return unit === '' ? '' : `, ${unit}`;
}
