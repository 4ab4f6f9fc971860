// The tables of src/abi/records as the build and docs/internals/memory.md need them: names, places and comments of fields.

import { readFileSync, readdirSync } from 'node:fs';
import { build } from 'esbuild';
import ts from 'typescript';
import { at } from './paths.mjs';

/** The file of that folder that holds no tables. */
const DEFINITIONS = 'define-record';
const TYPE_BYTES = { f64: 8, i64: 8, u64: 8, u32: 4, u16: 2, u8: 1, 'wide-u8': 1 };

/**
 * Files of tables, by name: `{ file, comment, records, slots, codes }`. A record is `{ constant, name, comment, bytes, fields, rules }`, its fields
 * `{ name, comment, type, count, offset, bytes }`; slots are `{ constant, name, comment, type, count, entries }`, codes `{ constant, comment, value }`.
 */
export async function recordFiles() {
  const names = readdirSync(at('src', 'abi', 'records')).map((name) => name.replace('.ts', ''))
    .filter((name) => name !== DEFINITIONS).sort();
  const modules = await modulesOf(names);
  return names.map((name) => fileOf(name, Object.values(modules)[names.indexOf(name)]));
}

async function modulesOf(names) {
  const contents = names.map((name, i) => `export * as file${i} from './src/abi/records/${name}.ts';`).join('\n');
  const { outputFiles: [output] } = await build({
    stdin: { contents, resolveDir: at() },
    bundle: true,
    write: false,
    format: 'esm',
  });
  const module = await import(`data:text/javascript;base64,${Buffer.from(output.contents).toString('base64')}`);
  return names.map((_, i) => module[`file${i}`]);
}

function fileOf(file, module) {
  const { comment, comments } = commentsOf(at('src', 'abi', 'records', `${file}.ts`));
  const own = Object.entries(module).filter(([constant]) => comments.has(constant))
    .sort(([a], [b]) => [...comments.keys()].indexOf(a) - [...comments.keys()].indexOf(b));
  const tables = own.filter(([, table]) => typeof table === 'object').map(([constant, table]) => ({
    constant,
    ...comments.get(constant),
    table,
  }));
  return {
    file,
    comment,
    records: tables.filter(({ table }) => 'fields' in table).map(recordOf),
    slots: tables.filter(({ table }) => 'index' in table).map(slotsOf),
    codes: own.filter(([, value]) => typeof value === 'number')
      .map(([constant, value]) => ({ constant, comment: comments.get(constant).comment, value })),
  };
}

function recordOf({ constant, comment, entries, table }) {
  checkTable(table);
  const fields = fieldsOf(table).map((field) => ({ ...field, comment: entries.get(field.name) ?? [] }));
  return { constant, name: table.name, comment, bytes: table.bytes, fields, base: table.base?.name };
}

/** Fields of a record; of one over another one, its own. */
function fieldsOf({ fields, at: offsets, base }) {
  const own = Object.entries(fields).filter(([name]) => base === undefined || !(name in base.fields));
  return own.map(([name, type]) => ({ name, ...typeOf(type), offset: offsets[name] }));
}

/** Type, number and bytes of a field; the type of unused bytes is `free`. */
function typeOf(type) {
  if (typeof type === 'string')
    return { type, count: 1, bytes: TYPE_BYTES[type], align: TYPE_BYTES[type], isArray: false };
  if ('free' in type) return { type: 'free', count: 1, bytes: type.free, align: 1, isArray: false };
  const isRecord = typeof type.of !== 'string';
  const bytes = isRecord ? type.of.bytes : TYPE_BYTES[type.of];
  return {
    type: isRecord ? type.of.name : type.of,
    count: type.count,
    bytes: bytes * type.count,
    align: isRecord ? alignOf(type.of) : bytes,
    isArray: true,
  };
}

function alignOf({ fields }) {
  return Math.max(...Object.values(fields).map((type) => typeOf(type).align));
}

/** A field that is not aligned, or a sum that is not the record's length, stops the build. */
export function checkTable(table) {
  const { name, bytes, at: offsets, rules: { adjacent = [], sameAs = [] } } = table;
  const fields = fieldsOf(table);
  for (const { name: field, offset, align } of fields)
    if (offset % align !== 0) throw new Error(`${name}.${field}: offset ${offset} is no multiple of ${align}`);
  if (table.base !== undefined) {
    checkOverlay(name, bytes, fields);
    return;
  }
  const sum = fields.reduce((total, field) => total + field.bytes, 0);
  if (sum !== bytes) throw new Error(`${name}: its fields take ${sum} bytes, and it has ${bytes}`);
  for (const names of adjacent) {
    const places = names.map((field) => fields.findIndex((candidate) => candidate.name === field));
    if (places.some((place, i) => place < 0 || place !== places[0] + i))
      throw new Error(`${name}: ${names.join(', ')} must follow each other`);
  }
  for (const [other, names] of sameAs) {
    const moved = names.find((field) => offsets[field] !== other.at[field]);
    if (moved !== undefined)
      throw new Error(`${name}.${moved}: offset ${offsets[moved]}, in ${other.name} ${other.at[moved]}`);
  }
}

function checkOverlay(name, bytes, fields) {
  const sorted = [...fields].sort((a, b) => a.offset - b.offset);
  sorted.forEach((field, i) => {
    const bound = sorted[i + 1]?.offset ?? bytes;
    if (field.offset + field.bytes > bound) throw new Error(`${name}.${field.name}: reaches beyond ${bound}`);
  });
}

function slotsOf({ constant, comment, entries, table: { name, type, count, index } }) {
  const list = Object.entries(index).map(([slot, first]) => ({
    name: slot,
    comment: entries.get(slot) ?? [],
    index: first,
  }));
  return { constant, name, comment, type, count, entries: list };
}

/** Comments of a file: its own, and of each exported constant that of the table and those of its entries; as lines. */
function commentsOf(path) {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const comments = new Map();
  for (const statement of source.statements) {
    const [declaration] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
    if (declaration?.initializer === undefined) continue;
    const table = declaration.initializer.arguments?.find(ts.isObjectLiteralExpression);
    const entries = new Map(table === undefined ? [] : entriesOf(table, text));
    comments.set(declaration.name.getText(), { comment: commentBefore(statement, text), entries });
  }
  return { comment: commentBefore(source.statements[0], text, 0), comments };
}

/** Comments of properties, those of groups included. */
function entriesOf(table, text) {
  return table.properties.flatMap((property) => [
    [property.name.getText(), commentBefore(property, text)],
    ...(ts.isObjectLiteralExpression(property.initializer) ? entriesOf(property.initializer, text) : []),
  ]);
}

/** Lines of a comment before a node, without its marks: of a block comment the last one, or that at `index`. */
function commentBefore(node, text, index = -1) {
  const ranges = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  const blocks = ranges.filter(({ pos }) => text.startsWith('/**', pos));
  const range = blocks.at(index);
  if (range === undefined) return [];
  return text.slice(range.pos + 3, range.end - 2).split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
    .filter((line, i, lines) => line !== '' || (i > 0 && i < lines.length - 1));
}

/** `xoffBytes` is `XOFF_BYTES`. */
export function upperSnake(name) {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}
