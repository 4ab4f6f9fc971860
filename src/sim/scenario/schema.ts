/**
 * The schema of a scenario, which declares its settings: type, range, unit, default, description. A scenario is validated
 * against it first. docs/scenario.schema.json, the types in spec.ts (scripts/build-schema-types.mjs) and the tables of
 * docs/guides/scenarios.md are generated from it.
 *
 * Every quantity has its unit in its name. Nodes have names: hosts h0, h1, …; switches by topology (s0; leaf0, spine0; edge0, agg0,
 * core0; in two data centres dc0.leaf0, wan0).
 */
import * as z from 'zod';
import { CHANGEABLE_MARKING, CHANGEABLE_OF_MRC, CHANGEABLE_PARAMETERS, CHANGEABLE_PATH } from '../features/changes.js';
import { UET_SCHEMA } from '../features/reference-uet/schema.js';
import { WAN_SCHEMA } from '../features/wan/schema.js';
import { DEFAULT_DISCOVERY, PLAIN_ROUTER, DEFAULT_ALGORITHM, DEFAULT_END, DEFAULT_END_CHECK_FROM_US, DEFAULT_FIDELITY,
  DEFAULT_SEED } from './defaults.js';
import { NETWORK_PRESETS } from './network-presets.js';
import { HOST_SCHEMA, OVERRIDES_SCHEMA } from './schema-hosts.js';
import { ABSENT_UNLESS_GIVEN, alsoUnderUet, flag, listOf, meta, name, NODES_MAX, numberAboveZero, onlyUnderUet,
  optional, publishPiece, record, rejecting, text, TIME_MAX_US, timeUs, typed, wholeIn,
  wordOf } from './schema-parts.js';
import { ALGORITHM_SCHEMA, FAULTS_SCHEMA, RECORD_SCHEMA, SWITCH_SCHEMA } from './schema-settings.js';
import { TOPOLOGY_SCHEMA } from './schema-topology.js';
import { WORKLOAD_SCHEMA } from './schema-workload.js';
import { FIDELITIES } from './setting-words.js';

const CHANGES_MAX = 1000;
const PATHS = rejecting(
  `a setting that can change while a run goes: ${
    [...CHANGEABLE_MARKING, ...CHANGEABLE_OF_MRC].join(', ')
  }, or algorithms.<name>.parameters and one of ${CHANGEABLE_PARAMETERS.join(', ')}`,
);
const NEW_VALUES = rejecting('an object of numbers by the path of their setting, such as switches.ecn.kminKB');

/** Settings that change during a run. */
const CHANGES = listOf(record({
  atUs: numberAboveZero(TIME_MAX_US, 'When, before anything else at that instant, us.'),
  set: z.record(z.string(PATHS).regex(CHANGEABLE_PATH, PATHS), z.number(rejecting('a number')), NEW_VALUES).meta(
    meta(
      'New values by the path of their setting, such as switches.ecn.kminKB or algorithms.default.parameters.aiRateBps: thresholds of marking (switches.ecn.kminKB, kmaxKB, pmax), hosts.mrc.receiverRangePackets, hosts.mrc.windowPenalty, and numbers of DCQCN. Everything else is fixed when a run begins.',
    ),
  ),
}, 'Settings from an instant on.', 'ChangeSpec'), 0, CHANGES_MAX,
  'Under standard: settings that change during the run, in order of time.');

const TIMEOUT_MAX_US = 1e9;
const PRIORITY_MAX = 7;

const ROUTER = record({
  nodes: listOf(name('Name of a switch.'), 1, NODES_MAX, 'Switches with these settings.'),
  ...optional({
    responses: wordOf(['always', 'silent', 'unaware'],
      'always; silent: counts as a hop without a reply; unaware: forwards requests like any packet, neither counts nor replies, and accepts no policy.',
      PLAIN_ROUTER.responses),
    dropsReplies: flag('Whether an access list drops the replies of other nodes that pass here.',
      PLAIN_ROUTER.dropsReplies),
    takesPolicies: flag('Whether it accepts policies from the originators.', PLAIN_ROUTER.takesPolicies),
    rocePriority: wholeIn(0, PRIORITY_MAX,
      'Priority to which it maps the DSCP of RoCE data. Default: the class of the data. Others have neither PFC nor ECN.'),
  }),
},
  'Switches with wrong settings or incomplete support: how they treat requests, replies and policies, and how they map RoCE data.',
  'DiscoveryRouterSpec');

/** Discovery before traffic (Technical Disclosure Commons 1652). */
const DISCOVERY = record(optional({
  form: wordOf(['ipv4', 'ipv6'],
    'ipv4: the form of the disclosure; ipv6: the form of this library, which the simulated flows use.',
    DEFAULT_DISCOVERY.form),
  onMismatch: wordOf(['report', 'push', 'refuse'],
    'If a path is not lossless, or a node does not do all that the policy requires: report: the result reports it; push: the policy is sent to all nodes, and the flows run with the resulting settings; refuse: the run does not start.',
    DEFAULT_DISCOVERY.onMismatch),
  timeoutUs: numberAboveZero(TIMEOUT_MAX_US, 'Timeout for replies, us.', DEFAULT_DISCOVERY.timeoutUs),
  routers: listOf(ROUTER, 0, NODES_MAX, 'Switches with wrong settings; later ones win.'),
}), 'Lossless discovery over the paths of all flows before they start (Technical Disclosure Commons 1652).',
  'DiscoverySpec')
  .meta(ABSENT_UNLESS_GIVEN);

const ALGORITHM_NAME = /^[^\s:]{1,64}$/;
const NAMES = rejecting('an object of parameter sets, each by a name of 1 to 64 characters without blanks and colons');

/** A note of a file reader; src/workloads/notes.ts and src/sim/reference-files/reader-notes.ts declare the codes. */
const READER_NOTE = typed('NoteRecord', record({
  code: text('What it is about, the same in every version: `priorities`.'),
  figures: z.looseObject({}).describe('Its figures by name: numbers with the unit in their name, names, places.'),
  text: text('The sentence that is made of them.'),
}, 'A note of a reader.'), { from: '../../note-record.js' });
const NOTE_ALLOWED = rejecting('a sentence, or a note with the keys code, figures, text');
const NOTE = z.union([text('One sentence.'), READER_NOTE], NOTE_ALLOWED).describe(
  'A sentence, or the note of a reader.',
);

/** The whole scenario. */
export const SPEC_SCHEMA = record({
  ...optional({ $schema: alsoUnderUet(text('Where editors find the schema; not read.')) }),
  name: alsoUnderUet(
    text('Name of the scenario, for tables and files.').min(1, rejecting('text of at least one character')),
  ),
  ...optional({
    description: alsoUnderUet(text('For readers; not interpreted.')),
    fidelity: alsoUnderUet(
      typed('Fidelity',
        wordOf(FIDELITIES,
          "standard: as standards and papers specify. reference: as the ns-3 simulator of HPCC's authors, to the nanosecond. reference-lossy: as ConWeave's ns-3 simulator, its descendant with losses, IRN and several paths. reference-uet: as uet-htsim, the Ultra Ethernet Consortium's simulator, to the picosecond. docs/reference/fidelity.md lists the differences.",
          DEFAULT_FIDELITY)),
    ),
    seed: alsoUnderUet(wholeIn(0, 2 ** 32 - 1, 'Seed of random numbers.', DEFAULT_SEED)),
    durationUs: alsoUnderUet(
      numberAboveZero(TIME_MAX_US,
        'Simulated time after which the run stops even if flows are unfinished, us. Default: 1 s after the last start; with jobs also all that they compute and send, one after the other.'),
    ),
  }),
  topology: alsoUnderUet(TOPOLOGY_SCHEMA),
  workload: alsoUnderUet(WORKLOAD_SCHEMA),
  ...optional({
    algorithms: z.record(z.string().regex(ALGORITHM_NAME, NAMES), ALGORITHM_SCHEMA, NAMES).meta(
      meta('Parameter sets by name.', { [DEFAULT_ALGORITHM.name]: { preset: DEFAULT_ALGORITHM.preset } }),
    ),
    network: typed('NetworkProfileName',
      wordOf(NETWORK_PRESETS,
        'Under standard: network configuration of "RoCE Network Proposal" (slides 7 to 10) that sets switches, hosts and slow receivers. PFC, ECN and which devices pause can then only be changed by overrides of single nodes; transport and loss reaction are defaults. Default: none; each setting applies on its own.'),
      { from: '../../qos/network-profiles.js' }),
    switches: SWITCH_SCHEMA,
    hosts: alsoUnderUet(HOST_SCHEMA),
    overrides: OVERRIDES_SCHEMA,
    discovery: DISCOVERY,
    wan: WAN_SCHEMA,
    uet: onlyUnderUet(UET_SCHEMA),
    faults: FAULTS_SCHEMA,
    changes: CHANGES,
    record: RECORD_SCHEMA,
    endCheckFromUs: timeUs(
      'Under reference-lossy: from this time on, checked each 100 µs, the run ends if all flows are done, us (FLOWGEN_START_TIME).',
      DEFAULT_END_CHECK_FROM_US,
    ),
    end: wordOf(['all', 'jobs'],
      'When the run ends: when all jobs are done, whatever other flows remain, or when all flows are done too.',
      DEFAULT_END),
    notes: alsoUnderUet(
      listOf(NOTE, 0, 1000,
        "Repeated in the result; readers of other programs' files state here what they skipped, each note with its code and figures."),
    ),
  }),
}, 'A network, its traffic, its settings and what is recorded of the run.', 'ScenarioSpec');

/** The schema as JSON schema (draft 2020-12). */
export function jsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, properties = {}, ...rest } = z.toJSONSchema(SPEC_SCHEMA, { io: 'input', override: publishPiece });
  return {
    $schema,
    $id: 'scenario.schema.json',
    title: 'roce-cc scenario',
    ...rest,
    properties: { ...properties, overrides: withoutDefaults(properties['overrides']) },
  };
}

const DEFAULTS = ['default', 'x-defaults', 'x-network-defaults'];

/** Removes defaults from the schema of overrides, whose unset keys are those of all nodes. */
function withoutDefaults(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (DEFAULTS.includes(key) ? undefined : value)));
}
