/** Settings of engines and congestion points, with their defaults and rules, as tables of C. */
import { congestionPointDefaults, resolveCongestionPointConfig } from '../../src/config/congestion-point.js';
import { engineConfig, parser } from '../../src/config/engine-config.js';
import { fastCnp } from '../../src/config/fast-cnp.js';
import type { FieldRule } from '../../src/config/field-rules.js';
import { notificationPoint } from '../../src/config/notification-point.js';
import { RoceError } from '../../src/errors.js';
import { dcqcnSigcomm15 } from '../../src/index.js';
import { double } from './c-source.js';
import type { RuleWriter } from './rule-tables.js';

const parameterSets = { p: dcqcnSigcomm15({ lineRateBps: 1e11 }) };

type Build = (given: object) => unknown;

const engine = (given: object): object => engineConfig({ parameterSets, ...given });

/** What a field may be, as its check states when it is wrong. */
function ruleOf(build: Build, path: string): FieldRule {
  const given = path.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), null) as object;
  try {
    build(given);
  } catch (error) {
    if (error instanceof RoceError && error.allowed !== undefined)
      return {
        allowed: error.allowed,
        accepts: () => false,
      };
  }
  throw new Error(`${path} does not state what it may be`);
}

/** Leaves of a record by path. */
function* leaves(record: object, prefix = ''): Generator<readonly [string, unknown]> {
  for (const [name, value] of Object.entries(record)) {
    const path = `${prefix}${name}`;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      yield* leaves(value as object, `${path}.`);
    else yield [path, value];
  }
}

const CAPACITY = 'capacity.';

/** The tables of an engine's settings, of its capacity, and of a congestion point. */
export function settingTables(writer: RuleWriter): string[] {
  const { capacity } = engine({}) as { capacity: object };
  const all = [
    ...leaves({ notificationPoint: notificationPoint(), fastCnp: fastCnp(), parser: parser() }),
    ['lateEvents', 'reject'] as const,
    ['rateActions', true] as const,
  ];
  return [
    ...table('settings', [...all], engine, writer),
    ...table('capacities', [...leaves(capacity, CAPACITY)], engine, writer),
    ...table('point_settings', Object.entries(congestionPointDefaults), resolveCongestionPointConfig, writer),
  ];
}

function table(name: string, entries: readonly (readonly [string, unknown])[], build: Build,
  writer: RuleWriter): string[] {
  const lines = entries.map(([path, value]) => {
    const last = path.split('.').at(-1);
    const rule = ruleOf(build, path);
    return `  {${writer.rule(path, last, rule)}, ${
      double(last === 'accessList' ? 0 : writer.valueOf(last, rule, value))
    }},`;
  });
  return [`const struct input ${name}[] = {`, ...lines, '};', `const unsigned ${name}_count = ${lines.length};`, ''];
}

/** Indices of the settings, `SETTING_FAST_CNP_ENABLED`. */
export function settingEnums(): string[] {
  const { capacity } = engine({}) as { capacity: object };
  const paths = [...leaves({ notificationPoint: notificationPoint(), fastCnp: fastCnp(), parser: parser() })].map((
    [path],
  ) => path);
  return [
    enumOf('SETTING_', [...paths, 'lateEvents', 'rateActions']),
    enumOf('CAPACITY_', Object.keys(capacity)),
    enumOf('POINT_', Object.keys(congestionPointDefaults)),
  ];
}

function enumOf(prefix: string, names: readonly string[]): string {
  const items = names.map((name) =>
    `${prefix}${name.replaceAll('.', '_').replaceAll(/([A-Z])/g, '_$1').toUpperCase()}`
  );
  return `enum { ${items.join(', ')}, ${prefix}COUNT };`;
}
