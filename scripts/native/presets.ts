/** The presets of the npm package, as tables of C. */
import { PARAMETER_RULES, ALGORITHMS } from '../../src/config/algorithms/registry.js';
import { hpccPpFastCnp } from '../../src/config/algorithms/hpcc-pp.js';
import { IRDMA_DEFAULTS } from '../../src/config/algorithms/dcqcn/preset-irdma.js';
import { DEFAULT_BYTE_RESET_UNIT_BYTES } from '../../src/config/algorithms/dcqcn/preset-connectx.js';
import { DCQCN_NS3_SETS, dcqcnConnectx, dcqcnIrdma, dcqcnNs3, dcqcnSigcomm15, dctcpNs3, HPCC_NS3_SETS, hpccNs3,
  hpccPintNs3, hpccPpDraft, hpccSigcomm19, nsccMrc, nsccUet, rcccUet, swiftSigcomm20, timelyNs3,
  timelySigcomm15 } from '../../src/index.js';
import type { FieldRule } from '../../src/config/field-rules.js';
import { RoceError } from '../../src/errors.js';
import { us } from '../../src/units.js';
import { double, quoted } from './c-source.js';
import { DERIVATIONS, derivationOf, type Inputs, type Probe } from './preset-derivations.js';
import type { RuleWriter } from './rule-tables.js';

type Given = Readonly<Record<string, unknown>>;

interface Preset {
  readonly name: string;
  readonly set?: string;
  /** Inputs in addition to `lineRateBps`; those without a default must be given. */
  readonly inputs: readonly (keyof Inputs)[];
  readonly build: (given: Given) => object;
}

const HPCC_INPUTS = ['baseRttPs', 'expectedFlows'] as const;

// Each preset takes other options: here they are fields by name, as C passes them.
const of = (build: (options: never) => object) => (given: Given): object => build(given as never);

const PRESETS: readonly Preset[] = [
  { name: 'dcqcn-sigcomm15', inputs: [], build: of(dcqcnSigcomm15) },
  ...DCQCN_NS3_SETS.map((set) => ({
    name: 'dcqcn-ns3',
    set,
    inputs: [],
    build: (given: Given) => dcqcnNs3(set, given as never),
  })),
  { name: 'dcqcn-connectx', inputs: ['byteResetUnitBytes'], build: of(dcqcnConnectx) },
  { name: 'dcqcn-irdma', inputs: ['mssBytes', 'rttPs', 'raiFactor', 'haiFactor'], build: of(dcqcnIrdma) },
  { name: 'hpcc-sigcomm19', inputs: HPCC_INPUTS, build: of(hpccSigcomm19) },
  ...HPCC_NS3_SETS.map((set) => ({
    name: 'hpcc-ns3',
    set,
    inputs: ['baseRttPs' as const],
    build: (given: Given) => hpccNs3(set, given as never),
  })),
  { name: 'hpcc-pint-ns3', inputs: ['baseRttPs'], build: of(hpccPintNs3) },
  { name: 'hpcc-pp-draft', inputs: HPCC_INPUTS, build: of(hpccPpDraft) },
  { name: 'hpcc-pp-fast-cnp', inputs: HPCC_INPUTS, build: of(hpccPpFastCnp) },
  { name: 'timely-sigcomm15', inputs: [], build: of(timelySigcomm15) },
  { name: 'timely-ns3', inputs: [], build: of(timelyNs3) },
  { name: 'dctcp-ns3', inputs: [], build: of(dctcpNs3) },
  { name: 'swift-sigcomm20', inputs: [], build: of(swiftSigcomm20) },
  { name: 'nscc-uet', inputs: ['baseRttPs'], build: of(nsccUet) },
  { name: 'nscc-mrc', inputs: ['baseRttPs'], build: of(nsccMrc) },
  { name: 'rccc-uet', inputs: ['baseRttPs'], build: of(rcccUet) },
];

/** Defaults of the inputs; 0 = must be given. */
const INPUT_DEFAULTS: Inputs = {
  lineRateBps: 0,
  baseRttPs: 0,
  // The preset's, found by the derivation of its step.
  expectedFlows: 100,
  mssBytes: 0,
  rttPs: 0,
  raiFactor: IRDMA_DEFAULTS.raiFactor,
  haiFactor: IRDMA_DEFAULTS.haiFactor,
  byteResetUnitBytes: DEFAULT_BYTE_RESET_UNIT_BYTES,
};
const INPUTS = Object.keys(INPUT_DEFAULTS) as (keyof Inputs)[];

const LINE_RATES_BPS = [100e9, 25e9, 10e9, 40e9, 123_456_789_011, 800e9];
const RTTS_PS = [us(13), 12_345_678, us(100)];
const VARIATIONS: readonly Given[] = [
  {},
  { mssBytes: 1024 },
  { byteResetUnitBytes: 1 },
  { raiFactor: 2, haiFactor: 7 },
  { expectedFlows: 7, targetUtilization: 0.9 },
  { primary: 'rate' },
  { primary: 'rate', numbers: 'whole-bps' },
  { windowBytes: 60_000 },
];

/** The preset at many inputs, with the variations that it has. */
function probesOf(preset: Preset): Probe[] {
  const places = LINE_RATES_BPS.flatMap((lineRateBps) => RTTS_PS.map((baseRttPs) => ({ lineRateBps, baseRttPs })));
  return places.flatMap((place) => VARIATIONS.flatMap((variation) => probeAt(preset, place, variation)));
}

/** One probe, or none where the preset rejects the combination or derives what is given. */
function probeAt({ build, inputs }: Preset, place: Pick<Inputs, 'lineRateBps' | 'baseRttPs'>,
  variation: Given): Probe[] {
  const known = { ...INPUT_DEFAULTS, ...place, mssBytes: 4096, rttPs: us(20), ...variation };
  const values = attempt(() => build(takenBy(inputs, known)));
  return values && isDefaultsOnly(variation, values) ? [{ inputs: known, values: values as Given }] : [];
}

/** What a preset takes: its inputs, and parameters. */
function takenBy(inputs: readonly string[], given: object): Given {
  return Object.fromEntries(
    Object.entries(given).filter(([name]) =>
      name === 'lineRateBps' || !INPUTS.includes(name as never) || inputs.includes(name)
    ),
  );
}

/** Variations by parameters serve only those that are not given. */
function isDefaultsOnly(variation: Given, values: object): boolean {
  return Object.keys(variation).every((name) => INPUTS.includes(name as never) || name in values);
}

function attempt(build: () => object): object | undefined {
  try {
    return build();
  } catch (error) {
    // A combination that this preset rejects is no probe.
    if (error instanceof RoceError) return undefined;
    throw error;
  }
}

/** What an input may be, as the preset states when it is wrong. */
function ruleOfInput(input: keyof Inputs): FieldRule {
  const preset = PRESETS.find(({ inputs }) => input === 'lineRateBps' || inputs.includes(input));
  if (preset === undefined) throw new Error(`no preset takes ${input}`);
  const good: Given = { lineRateBps: 100e9, baseRttPs: us(13), mssBytes: 4096, rttPs: us(20) };
  const given = Object.fromEntries(
    Object.entries({ ...good, [input]: -1 }).filter(([name]) =>
      name === 'lineRateBps' || preset.inputs.includes(name as never)
    ),
  );
  try {
    preset.build(given);
  } catch (error) {
    if (error instanceof RoceError && error.allowed !== undefined)
      return {
        allowed: error.allowed,
        accepts: () => false,
      };
  }
  throw new Error(`the preset ${preset.name} does not state what ${input} may be`);
}

type AlgorithmName = keyof typeof ALGORITHMS;

const ALGORITHM_NAMES = Object.keys(ALGORITHMS) as AlgorithmName[];

/** Names of an algorithm's parameters, in the order of the tables. */
function fieldsOf(algorithm: AlgorithmName): string[] {
  return Object.keys(PARAMETER_RULES[algorithm]).filter((field) => field !== 'algorithm');
}

/** Tables of algorithms, inputs and presets. */
export function presetTables(writer: RuleWriter): string[] {
  const presets = PRESETS.map((preset, index) => presetTable(writer, preset, index));
  return [
    ...algorithmTables(writer),
    'const struct input inputs[INPUT_COUNT] = {',
    ...INPUTS.map((input) => `  {${writer.rule(input, input, ruleOfInput(input))}, ${double(INPUT_DEFAULTS[input])}},`),
    '};',
    '',
    ...presets.flatMap(({ fields }) => fields),
    'const struct preset presets[] = {',
    ...presets.map(({ entry }) => entry),
    '};',
    `const unsigned preset_count = ${PRESETS.length};`,
    '',
  ];
}

function algorithmTables(writer: RuleWriter): string[] {
  const fields = ALGORITHM_NAMES.flatMap((name) => [
    `static const struct rule fields_${id(name)}[] = {`,
    ...fieldsOf(name).map((field) => `  ${writer.rule(field, field, PARAMETER_RULES[name][field])},`),
    '};',
    '',
  ]);
  const entries = ALGORITHM_NAMES.map((name) => {
    const { code, traits } = ALGORITHMS[name];
    return `  {${quoted(name)}, ${code}u, ${traits}u, fields_${id(name)}, ${fieldsOf(name).length}},`;
  });
  const count = `const unsigned algorithm_count = ${ALGORITHM_NAMES.length};`;
  return [...fields, 'const struct algorithm algorithms[] = {', ...entries, '};', count, ''];
}

/** A preset's fields, and its entry in the table of presets. */
function presetTable(writer: RuleWriter, preset: Preset, index: number): { fields: string[]; entry: string } {
  const probes = probesOf(preset);
  const { algorithm } = probes[0].values as { algorithm: AlgorithmName };
  const names = fieldsOf(algorithm);
  const derived = Object.keys(probes[0].values).filter((field) => field !== 'algorithm').map((field) => {
    const rule = PARAMETER_RULES[algorithm][field];
    const own = probes.filter(({ inputs, values }) => !isGiven(field, inputs, values, preset));
    const { name, a, b } = derivationOf(`${field} of ${preset.name}`, own,
      (values) => writer.valueOf(field, rule, values[field]));
    return `  {${names.indexOf(field)}, DERIVE_${name}, ${double(a)}, ${double(b)}},`;
  });
  const needs = preset.inputs.filter((input) => INPUT_DEFAULTS[input] === 0);
  const columns = [
    quoted(preset.name),
    preset.set === undefined ? 'NULL' : quoted(preset.set),
    ALGORITHM_NAMES.indexOf(algorithm),
    bitsOf(['lineRateBps', ...preset.inputs]),
    bitsOf(['lineRateBps', ...needs]),
    `preset_${index}`,
    derived.length,
  ];
  return {
    fields: [`static const struct preset_field preset_${index}[] = {`, ...derived, '};', ''],
    entry: `  {${columns.join(', ')}},`,
  };
}

function bitsOf(inputs: readonly (keyof Inputs)[]): string {
  return `${inputs.reduce((sum, name) => sum + 2 ** INPUTS.indexOf(name), 0)}u`;
}

/** Whether a probe states this parameter itself. */
function isGiven(field: string, inputs: Inputs, values: Given, preset: Preset): boolean {
  const base = attempt(() =>
    preset.build(
      Object.fromEntries(Object.entries(inputs).filter(([name]) =>
        name === 'lineRateBps' || preset.inputs.includes(name as never)
      )),
    )
  );
  const isVaried = ['primary', 'numbers', 'targetUtilization', 'windowBytes'].includes(field);
  return isVaried && base !== undefined && (base as Given)[field] !== values[field];
}

function id(name: string): string {
  return name.replaceAll('-', '_');
}

/** Declarations for native/tables.h. */
export function presetEnums(): string[] {
  return [
    `enum { ${
      INPUTS.map((name) => `INPUT_${name.replaceAll(/([A-Z])/g, '_$1').toUpperCase()}`).join(', ')
    }, INPUT_COUNT };`,
    `enum { ${DERIVATIONS.map((name) => `DERIVE_${name}`).join(', ')} };`,
  ];
}

/** The names of an algorithm's fields as indices, `HPCC_WINDOW_BYTES`. */
export function fieldEnums(): string[] {
  return Object.entries(PARAMETER_RULES).map(([name, rules]) => {
    const fields = Object.keys(rules).filter((field) => field !== 'algorithm');
    const prefix = id(name).toUpperCase();
    return `enum { ${
      fields.map((field) => `${prefix}__${field.replaceAll(/([A-Z])/g, '_$1').toUpperCase()}`).join(', ')
    } };`;
  });
}
