/** Tables of the members of a JSON text, and its published schema, from the zod schema that declares it. */
import * as z from 'zod';
import { table, tableRow } from './markdown-table.js';

type Piece = z.core.$ZodTypes;

const HEADS = ['member', 'unit', 'meaning'];
const UNITS: readonly (readonly [ending: string, unit: string])[] = [['Ps', 'ps'], ['Bps', 'b/s'], ['Bytes', 'bytes'], [
  'Packets',
  'packets',
]];

/** What a page says in addition. */
export interface MembersPage {
  /** The heading of the whole, which paths of members leave out. */
  readonly title: string;
  /** A paragraph behind what an object is, by its path; empty: none. */
  readonly moreOf?: (path: string) => string;
  /** Members whose own members have another page. */
  readonly opaque?: readonly string[];
}

/** A table for the object, then those for the objects in it. */
export function memberSections(schema: z.ZodObject, page: MembersPage): readonly string[] {
  const sections: string[] = [];
  addSection(schema, page.title, page, sections);
  return sections;
}

/** A JSON schema, draft 2020-12. @param change what is published otherwise than it is declared */
export function publishedSchema(schema: z.ZodObject, id: string, title: string,
  change: (piece: object, published: z.core.JSONSchema.BaseSchema) => void = () => undefined): unknown {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    override: ({ zodSchema, jsonSchema }) => {
      delete jsonSchema['typeName'];
      delete jsonSchema['about'];
      change(zodSchema, jsonSchema);
    },
  });
  return { $schema, $id: id, title, ...rest };
}

function addSection(record: z.ZodObject, path: string, page: MembersPage, sections: string[]): void {
  const { title, moreOf = () => '', opaque = [] } = page;
  const rows = Object.entries<Piece>(record.shape).map(([member, field]) => {
    const { piece, isOptional } = unwrapped(field);
    const { description = '' } = piece as unknown as z.ZodType;
    return tableRow([
      `\`${member}\``,
      unitOf(member, piece),
      (isOptional ? 'Optional. ' : '') + description.replaceAll('|', '\\|'),
    ]);
  });
  const about = `${String(record.meta()?.['about'])}\n${moreOf(path)}`;
  sections.push(`## ${path}\n\n${about}\n${table(HEADS, rows, HEADS.length)}\n`);
  for (const [member, field] of Object.entries<Piece>(record.shape)) {
    const { inner, suffix } = objectIn(unwrapped(field).piece);
    if (inner !== undefined && !opaque.includes(member))
      addSection(inner, `${path === title ? '' : `${path}.`}${member}${suffix}`, page, sections);
  }
}

function objectIn(piece: Piece): { readonly inner?: z.ZodObject; readonly suffix: string } {
  const { def } = piece._zod;
  if (def.type === 'object') return { inner: piece as unknown as z.ZodObject, suffix: '' };
  if (def.type === 'array') return { ...objectIn(def.element as Piece), suffix: '[]' };
  if (def.type === 'record') return { ...objectIn(def.valueType as Piece), suffix: '.*' };
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
  if (def.type === 'record') return (def.valueType as Piece)._zod.def.type === 'array' ? 'lists by name' : 'by name';
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
