/** Settings in the docs match the schema, and thus the defaults in use (test/sim/default-settings.test.ts). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingsPage } from '../../scripts/settings-page.js';
import { SCENARIO_SCHEMA } from '../../src/sim/index.js';
import { pageTables } from './support/page-blocks.js';

const read = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

interface Setting {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Setting>>;
}

/** The keyword under which a parameter set lists the possible parameters of its preset. */
const PARAMETERS_BY_PRESET = 'allOf';

/** All settings of the schema, in any object, without parameters of algorithms. */
function settingsIn(schema: unknown): (readonly [string, Setting])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as Setting;
  const parts = Object.entries(schema).filter(([key]) => key !== PARAMETERS_BY_PRESET);
  return [...Object.entries(properties), ...parts.flatMap(([, part]) => settingsIn(part))];
}

const SETTINGS = settingsIn(SCENARIO_SCHEMA);

describe('docs/reference/settings.md', () => {
  const page = read('reference/settings.md');

  it('matches the schema (npm run docs)', () => {
    expect(page).toBe(settingsPage());
  });

  it('has every setting in a section or a table, except those that only name a kind', () => {
    const shown = new Set(pageTables(page, 'setting').map(({ setting = '' }) => /\w+(?=`$)/.exec(setting)?.[0]));
    const keys = SETTINGS.map(([key]) => key).filter((key) => !['$schema', 'kind', 'model'].includes(key));
    expect(keys.filter((key) => !shown.has(key) && !page.includes(`\n## ${key}\n`))).toEqual([]);
    expect(keys.length).toBeGreaterThan(200);
  });

  it.each([
    ['`ecn.kminKB`', 'number from 0', '100'],
    [
      '`mtuBytes`',
      'integer 1 to 65,000',
      '1,024; under `reference` 1,000; under `reference-lossy` 1,000; under `reference-uet` 4,086',
    ],
    [
      '`pfc`',
      'true, false',
      'true; with network `semi-lossless` false; with network `lossy-1` false; with network `lossy-2` false',
    ],
    ['`watchdog`', 'object, true, false', 'none'],
    ['`buffer.lossyBytes`', 'integer from 1', ''],
    ['`NAME.baseRtt`', '`longest`, `path`', '`longest`'],
  ])('states values and default of %s', (setting, values, given) => {
    const row = pageTables(page, 'setting').find((one) => one['setting'] === setting);
    expect(row).toMatchObject({ values, default: given });
  });
});

it.each(['guides/scenarios.md', 'guides/wan.md'])('docs/%s states the same defaults in brackets as the schema',
  (name) => {
    for (const [said, key = '', value] of read(name).matchAll(/`(\w+)` \(([\d,]+)\)/g)) {
      const defaults = SETTINGS.filter(([one]) => one === key).map(([, setting]) => Number(setting.default));
      expect(defaults, said).toContain(Number(value?.replaceAll(',', '')));
    }
  });
