/** Defaults of settings in the docs are those of the published schema, and so those in force (test/sim/default-settings.test.ts). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultText, PAGES_OF_SETTINGS, withDefaults } from '../../scripts/setting-defaults.js';
import { SCENARIO_SCHEMA } from '../../src/sim/index.js';
import { DEFAULT_FLOWLET_GAPS_US } from '../../src/sim/scenario/defaults.js';

/** Of all settings with this key, in any object. */
function defaultsOf(key: string, schema: unknown = SCENARIO_SCHEMA): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, object>> };
  const own = Object.entries(properties).flatMap(([name, one]) => (name === key ? defaultText(one) ?? [] : []));
  return [...own, ...Object.values(schema).flatMap((inner) => defaultsOf(key, inner))];
}

describe.each(PAGES_OF_SETTINGS)('docs/%s', (name) => {
  const page = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

  it('has the defaults of the schema in its tables (npm run docs writes them)', () => {
    expect(withDefaults(page)).toBe(page);
  });

  it('states defaults in brackets as the schema has them', () => {
    for (const [said, key = '', value] of page.matchAll(/`(\w+)` \(([\d,]+)\)/g)) {
      expect(defaultsOf(key), said).toContain(value);
    }
  });
});

it('docs/scenarios.md has the gaps of flowlets, which depend on the rule', () => {
  const page = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8');
  const { flowlet, conga } = DEFAULT_FLOWLET_GAPS_US;
  expect(page).toContain(`| \`switches.flowletGapUs\` | ${flowlet}; \`conga\` ${conga} |`);
});

describe('docs/scenarios.md', () => {
  const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
  const page = read('scenarios.md');
  const rows = page.split('\n').flatMap((row) => {
    const path = /^\| `([\w.]+)` \|/.exec(row)?.[1];
    const keys = path === undefined ? [] : keysOf(path);
    return path === undefined || keys.length === 0 ? [] : [{ path, row, keys }];
  });

  it.each(rows)('shows the keys of $path, in its row or where that leads', ({ path, row, keys }) => {
    const [, file = '', anchor = ''] = /\]\(([\w.-]*)(#[\w-]+)?\)/.exec(row) ?? [];
    const elsewhere = file !== '' ? read(file) : anchor === '' ? '' : page.slice(page.indexOf(row) + row.length);
    const isShown = (key: string) =>
      row.includes(`\`${key}\``) || page.includes(`\`${path}.${key}\``) || elsewhere.includes(`\`${key}\``);
    expect(keys.filter((key) => !isShown(key))).toEqual([]);
  });

  it('has enough such rows for this to mean something', () => {
    expect(rows.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['switches.ecn', 'hosts.irn', 'record', 'wan']),
    );
  });
});

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly items?: ObjectSchema;
  readonly oneOf?: readonly ObjectSchema[];
  readonly additionalProperties?: ObjectSchema | boolean;
}

/** Keys of the object at this path of a scenario, or of those in its list or map; none: it is no object. */
function keysOf(path: string): string[] {
  let schema: ObjectSchema | undefined = SCENARIO_SCHEMA;
  for (const key of path.split('.')) schema = schema?.properties?.[key];
  const { additionalProperties: named } = schema ?? {};
  const inner = schema?.items ?? (typeof named === 'object' ? named : schema);
  return (inner?.oneOf ?? [inner]).flatMap((one) => Object.keys(one?.properties ?? {}));
}
