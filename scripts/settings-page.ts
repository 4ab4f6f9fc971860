/** docs/reference/settings.md: every setting of a scenario with its values, default and meaning, from the published schema. */
import { SCENARIO_SCHEMA } from '../src/sim/scenario/published-schema.js';
import { table, tableRow } from './markdown-table.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: string | number;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-defaults'?: Readonly<Record<string, unknown>>;
  readonly 'x-network-defaults'?: Readonly<Record<string, unknown>>;
  readonly 'x-absent-unless-given'?: true;
}

interface Row {
  readonly setting: string;
  readonly values: string;
  readonly given: string;
  readonly meaning: string;
}

const HEADS = ['setting', 'values', 'default', 'meaning'];
/** Bounds from here on say no more than that a number is finite. */
const HUGE = 1e9;
const HEAD = `# Settings

Every setting of a scenario, from its schema ([scenario.schema.json](../scenario.schema.json)): written by \`npm run docs\`. What they do
together: [scenarios](../guides/scenarios.md), [workloads](../guides/workloads.md), [WAN](../guides/wan.md).

- Units are in the names: \`Us\` microseconds, \`Ns\` nanoseconds, \`Gbps\` 10^9 b/s, \`KB\` 1,000 bytes.
- Without a default, a setting's meaning states what holds where it is left out, or the setting has no effect.
- "Under standard", "under reference", "under reference-lossy": the fidelities that have the setting; without it all of them but
  \`reference-uet\`, which has \`uet\` and [some others](../guides/uet-reference.md#as-a-scenario).
`;
/** Parts of a scenario with their own section; what else it has is in the first. */
const SECTIONS = [
  'topology',
  'workload',
  'algorithms',
  'switches',
  'hosts',
  'overrides',
  'discovery',
  'wan',
  'uet',
  'faults',
  'record',
] as const;
const EXAMPLE_NAME = 'NAME';

/** The page. */
export function settingsPage(): string {
  const { properties = {} } = SCENARIO_SCHEMA as Schema;
  const isSection = (key: string) => (SECTIONS as readonly string[]).includes(key);
  const run = Object.fromEntries(Object.entries(properties).filter(([key]) => !isSection(key)));
  return [HEAD, '## Run\n', `${tableOf(rowsOf(run, ''))}\n`, ...SECTIONS.map((key) => section(key, properties[key]))]
    .join('\n');
}

function section(key: string, schema: Schema): string {
  const head = `## ${key}\n\n${sentence(schema.description ?? '')}\n`;
  const kinds = kindsOf(schema);
  if (kinds.length > 0) return `${head}\n${kindTables(kinds)}`;
  const { additionalProperties: named, items } = schema;
  if (typeof named === 'object') return `${head}\n${tableOf(rowsOf(named.properties, `${EXAMPLE_NAME}.`))}\n`;
  const { properties, required } = items ?? schema;
  return `${head}\n${tableOf(rowsOf(properties, items === undefined ? '' : '[].', required))}\n`;
}

/** Kinds of objects that a setting, or each item of its list, may be. */
function kindsOf(schema: Schema): readonly Schema[] {
  const alternatives = schema.oneOf ?? schema.anyOf ?? [];
  const [first] = alternatives;
  if (first === undefined) return schema.items === undefined ? [] : kindsOf(schema.items);
  return first.oneOf ?? (first.properties === undefined ? [] : alternatives);
}

/** A table for each group of kinds that share settings, the largest group first. */
function kindTables(kinds: readonly Schema[]): string {
  const groups = new Map<string, { kinds: string[]; rows: Row[] }>();
  const settings = new Map<string, { row: Row; kinds: string[] }>();
  for (const kind of kinds) {
    for (const row of rowsOf(kind.properties, '', kind.required)) {
      const known = settings.get(JSON.stringify(row));
      if (known === undefined) settings.set(JSON.stringify(row), { row, kinds: [kindName(kind)] });
      else known.kinds.push(kindName(kind));
    }
  }
  for (const { row, kinds: names } of settings.values()) {
    const group = groups.get(names.join()) ?? { kinds: names, rows: [] };
    group.rows.push(row);
    groups.set(names.join(), group);
  }
  const meanings = new Map(kinds.map((kind) => [kindName(kind), kind.description ?? '']));
  const shared = [...groups.values()].filter((group) => group.kinds.length > 1)
    .sort((a, b) => b.kinds.length - a.kinds.length);
  const own = [...meanings].map(([name, meaning]) =>
    [
      `### ${name}\n`,
      `${sentence(meaning)}\n`,
      ...(groups.get(name) === undefined ? [] : [
        `${tableOf(groups.get(name)?.rows ?? [])}\n`,
      ]),
    ].join('\n')
  );
  const common = shared.map((group) =>
    `${group.kinds.length === kinds.length ? 'All kinds' : code(group.kinds)}:\n\n${tableOf(group.rows)}\n`
  );
  return [...common, ...own].join('\n');
}

const kindName = ({ properties = {} }: Schema): string => String((properties['kind'] ?? properties['model'])?.const);

function rowsOf(properties: Schema['properties'] = {}, prefix: string, required?: readonly string[]): Row[] {
  return Object.entries(properties).filter(([, { const: kind }]) => kind === undefined).flatMap(([key, schema]) => {
    const own = {
      setting: `\`${prefix}${key}\``,
      values: valuesOf(schema),
      given: defaultOf(schema),
      meaning: sentence(schema.description ?? '') + (required?.includes(key) === true ? ' Required.' : ''),
    };
    return [own, ...innerRows(schema, `${prefix}${key}`)];
  });
}

/** Of settings within a setting; those of a whole section are there. */
function innerRows(schema: Schema, path: string): Row[] {
  if (path === 'switch') return [];
  const { properties, items, oneOf = [], anyOf = [] } = schema;
  if (properties !== undefined) return rowsOf(properties, `${path}.`, schema.required);
  if (items !== undefined) {
    const inner = `${path}[].`;
    return [
      ...[items, ...items.anyOf ?? []].flatMap((one) => rowsOf(one.properties, inner, one.required)),
      ...innerKinds(items.oneOf ?? [], inner),
    ];
  }
  return [
    ...innerKinds(oneOf, `${path}.`),
    ...anyOf.flatMap((one) => rowsOf(one.properties, `${path}.`, one.required)),
  ];
}

const innerKinds = (kinds: readonly Schema[], prefix: string): Row[] =>
  kinds.flatMap((kind) =>
    rowsOf(kind.properties, prefix, kind.required).map((row) => ({
      ...row,
      meaning: `Of \`${kindName(kind)}\`: ${row.meaning}`,
    }))
  );

function valuesOf(schema: Schema): string {
  const { type, enum: words, const: only, items, properties, additionalProperties, prefixItems } = schema;
  if (only !== undefined) return code([String(only)]);
  if (words !== undefined) return code(words.map(String));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined && type === undefined) return [...new Set(alternatives.map(oneOfValues))].join(', ');
  if (prefixItems !== undefined) return `list of ${prefixItems.length}`;
  if (items !== undefined) return `list of ${plural(items)}`;
  if (Array.isArray(type)) return 'object, true, false';
  if (type === 'boolean') return 'true, false';
  if (type === 'integer' || type === 'number') return rangeOf(schema);
  if (properties !== undefined || additionalProperties !== undefined) return 'object';
  return 'text';
}

const oneOfValues = (schema: Schema): string => schema.properties === undefined ? valuesOf(schema) : 'object';

function plural(items: Schema): string {
  const values = valuesOf(items);
  if (values === 'text') return 'texts';
  return values === 'object' || items.oneOf !== undefined ? 'objects' : values;
}

function rangeOf({ type, minimum, exclusiveMinimum, maximum }: Schema): string {
  const what = type === 'integer' ? 'integer' : 'number';
  const most = maximum === undefined || maximum >= HUGE ? undefined : shown(maximum);
  if (exclusiveMinimum !== undefined)
    return `${what} above ${shown(exclusiveMinimum)}${most === undefined ? '' : ` to ${most}`}`;
  if (most !== undefined) return `${what} ${shown(minimum ?? 0)} to ${most}`;
  return `${what} from ${shown(minimum ?? 0)}`;
}

function defaultOf(schema: Schema): string {
  const { 'x-defaults': others = {}, 'x-network-defaults': networks = {}, 'x-absent-unless-given': isPart } = schema;
  const values = [
    ...(schema.default === undefined ? [] : [shown(schema.default)]),
    ...Object.entries(others).map(([fidelity, value]) => `under \`${fidelity}\` ${shown(value)}`),
    ...Object.entries(networks).filter(([, value]) => value !== schema.default).map(([network, value]) =>
      `with network \`${network}\` ${shown(value)}`
    ),
  ];
  return values.length === 0 && isPart === true ? 'none' : values.join('; ');
}

function shown(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en-US', { maximumFractionDigits: 9 });
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shown).join(', ');
  return typeof value === 'string' ? `\`${value}\`` : `\`${JSON.stringify(value)}\``;
}

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

/** A description as a cell: pages that it names are links. */
const sentence = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll(/\bdocs\/reference\/([\w-]+)\.md/g, '[$1]($1.md)')
    .replaceAll(/\bdocs\/([\w-]+)\/([\w-]+)\.md/g, '[$2](../$1/$2.md)');

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ setting, values, given, meaning }) => tableRow([setting, values, given, meaning]));
  return table(HEADS, lines, HEADS.length);
}
