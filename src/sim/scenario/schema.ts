/**
 * The schema of a scenario: checked before anything is computed, and published as
 * docs/scenario.schema.json.
 *
 * The types in spec.ts are written by hand, with the documentation; a line below makes the compiler compare both.
 */
import * as z from 'zod';
import { DEFAULT_ALGORITHM, DEFAULT_END, DEFAULT_END_CHECK_FROM_US, DEFAULT_FIDELITY,
  DEFAULT_SEED } from './defaults.js';
import { NETWORK_PRESETS } from './network-presets.js';
import { listOf, meta, numberAboveZero, optional, publishFlag, record, rejecting, text, TIME_MAX_US, timeUs, wholeIn,
  wordOf } from './schema-parts.js';
import { CHANGES_SCHEMA } from './schema-changes.js';
import { DISCOVERY_SCHEMA } from './schema-discovery.js';
import { ALGORITHM_SCHEMA, FAULTS_SCHEMA, HOST_SCHEMA, OVERRIDES_SCHEMA, RECORD_SCHEMA,
  SWITCH_SCHEMA } from './schema-settings.js';
import { TOPOLOGY_SCHEMA } from './schema-topology.js';
import { WAN_SCHEMA } from './schema-wan.js';
import { WORKLOAD_SCHEMA } from './schema-workload.js';
import type { ScenarioSpec } from './spec.js';

const ALGORITHM_NAME = /^[^\s:]{1,64}$/;
const NAMES = rejecting('an object of parameter sets, each by a name of 1 to 64 characters without blanks and colons');

/** The whole scenario. */
export const SPEC_SCHEMA = record({
  ...optional({ $schema: text('Location of this schema.') }),
  name: text('Name of the scenario.').min(1, rejecting('text of at least one character')),
  ...optional({
    description: text('Description.'),
    fidelity: wordOf(['standard', 'reference', 'reference-lossy'],
      "standard: as standards and papers say. reference: as the ns-3 simulator of the HPCC authors. reference-lossy: as ConWeave's, which has losses and several paths.",
      DEFAULT_FIDELITY),
    seed: wholeIn(0, 2 ** 32 - 1, 'Seed of everything random.', DEFAULT_SEED),
    durationUs: numberAboveZero(TIME_MAX_US, 'When the run stops, us. Default: 1 s after the last start.'),
  }),
  topology: TOPOLOGY_SCHEMA,
  workload: WORKLOAD_SCHEMA,
  ...optional({
    algorithms: z.record(z.string().regex(ALGORITHM_NAME, NAMES), ALGORITHM_SCHEMA, NAMES).meta(
      meta('Parameter sets by name.', { [DEFAULT_ALGORITHM.name]: { preset: DEFAULT_ALGORITHM.preset } }),
    ),
    network: wordOf(NETWORK_PRESETS,
      'Network configuration that sets switches, hosts and slow receivers. Default: none; each setting applies on its own.'),
    switches: SWITCH_SCHEMA,
    hosts: HOST_SCHEMA,
    overrides: OVERRIDES_SCHEMA,
    discovery: DISCOVERY_SCHEMA,
    wan: WAN_SCHEMA,
    faults: FAULTS_SCHEMA,
    changes: CHANGES_SCHEMA,
    record: RECORD_SCHEMA,
    endCheckFromUs: timeUs(
      'Under reference-lossy: from this time on, checked each 100 µs, the run ends if all flows are done, us.',
      DEFAULT_END_CHECK_FROM_US,
    ),
    end: wordOf(['all', 'jobs'], 'When the run ends: when all jobs are done, or when all flows are done too.',
      DEFAULT_END),
    notes: listOf(text('One sentence.'), 0, 1000, 'Repeated unchanged in the result.'),
  }),
}, 'A scenario of the simulator of roce-cc.');

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;
/**
 * Whether two types are identical. The bound of a condition is compared for identity, where assigning would allow extra
 * keys.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- it makes the compiler compare
type Same<A, B> = (<T>() => T extends DeepReadonly<A> ? 1 : 2) extends <T>() => T extends DeepReadonly<B> ? 1 : 2 ?
  true :
  never;

/** Does not compile if the schema and the types differ, even by one key. */
const SCHEMA_IS_THE_TYPE: Same<z.infer<typeof SPEC_SCHEMA>, ScenarioSpec> = true;

/** The schema as JSON schema (draft 2020-12). */
export function jsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, properties = {}, ...rest } = z.toJSONSchema(SPEC_SCHEMA, { io: 'input', override: publishFlag });
  return SCHEMA_IS_THE_TYPE && {
    $schema,
    $id: 'scenario.schema.json',
    title: 'roce-cc scenario',
    ...rest,
    properties: { ...properties, overrides: withoutDefaults(properties['overrides']) },
  };
}

const DEFAULTS = ['default', 'x-defaults', 'x-network-defaults'];

/** What an override leaves out is as in the settings of all nodes. */
function withoutDefaults(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (DEFAULTS.includes(key) ? undefined : value)));
}
