/**
 * Fills the column `default` of the tables of settings in docs/scenarios.md and docs/wan.md from the published schema: `npm run docs` does
 * so, and test/docs/setting-defaults.test.ts fails when a page says something else. Cells of settings without a fixed default are written by
 * hand.
 */
import { SCENARIO_SCHEMA } from '../src/sim/scenario/published-schema.js';

/** The pages, from docs/. */
export const PAGES_OF_SETTINGS = ['scenarios.md', 'wan.md'] as const;

interface Schema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly 'x-defaults'?: Readonly<Record<string, unknown>>;
  readonly 'x-absent-unless-given'?: true;
}

/** The page with the defaults that the schema has. */
export function withDefaults(page: string): string {
  let prefix: string | undefined;
  return page.split('\n').map((line) => {
    const head = /^\| key(?: of `([\w.]+)`)? \| default \|/.exec(line);
    if (head !== null) prefix = head[1] === undefined ? '' : `${head[1]}.`;
    if (!line.startsWith('|')) prefix = undefined;
    return prefix === undefined ? line : rowWithDefault(line, prefix);
  }).join('\n');
}

function rowWithDefault(row: string, prefix: string): string {
  const [, keys = '', , ...meaning] = row.split(/(?<!\\)\|/);
  const defaults = pathsIn(keys, prefix).flatMap((path) => defaultText(settingAt(path)) ?? []);
  return defaults.length === 0 ? row : `|${[keys, ` ${defaults.join('; ')} `, ...meaning].join('|')}`;
}

/** Of several consecutive keys, those after the first are in the same object. */
function pathsIn(keys: string, prefix: string): string[] {
  const [first = '', ...others] = [...keys.matchAll(/`([\w.]+)`/g)].map(([, key = '']) => key);
  const parent = first.slice(0, first.lastIndexOf('.') + 1);
  return [first, ...others.map((key) => `${parent}${key}`)].map((key) => `${prefix}${key}`);
}

function settingAt(path: string): Schema | undefined {
  let schema: Schema | undefined = SCENARIO_SCHEMA;
  for (const key of path.split('.')) {
    const alternatives: readonly Schema[] = [schema, ...schema.oneOf ?? []];
    schema = alternatives.map(({ properties }) => properties?.[key]).find((one) => one !== undefined);
    if (schema === undefined) return undefined;
  }
  return schema;
}

/** Of an object the defaults in it, by key; undefined: there is none. */
export function defaultText(schema: Schema = {}): string | undefined {
  const { properties = {}, 'x-defaults': others = {}, 'x-absent-unless-given': isPart = false } = schema;
  const own = [
    ...('default' in schema ? [valueText(schema.default)] : []),
    ...Object.entries(others).map(([fidelity, value]) => `under \`${fidelity}\` ${valueText(value)}`),
  ];
  if (own.length > 0) return own.join('; ');
  const inner = Object.entries(properties).flatMap(([key, one]) => {
    const text = one.properties === undefined ? defaultText(one) : undefined;
    return text === undefined ? [] : [`\`${key}\` ${text}`];
  });
  if (inner.length === 0) return undefined;
  return isPart ? `none; where it is given ${inner.join(', ')}` : inner.join(', ');
}

function valueText(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en-US', { maximumFractionDigits: 9 });
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `\`${value}\``;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  return `\`${JSON.stringify(value)}\``;
}
