/** The presets of the npm package, as tables of C. */
import { PARAMETER_RULES } from '../../src/config/algorithms/parameter-rules.js';
import { ALGORITHMS } from '../../src/config/algorithms/registry.js';
import { IRDMA_DEFAULTS } from '../../src/config/algorithms/dcqcn/preset-irdma.js';
import { DEFAULT_BYTE_RESET_UNIT_BYTES } from '../../src/config/algorithms/dcqcn/preset-connectx.js';
import { DCQCN_NS3_SETS, dcqcnConnectx, dcqcnIrdma, dcqcnNs3, dcqcnSigcomm15, dctcpNs3, HPCC_NS3_SETS, hpccNs3,
  hpccPintNs3, hpccPpDraft, hpccSigcomm19, swiftSigcomm20, timelyNs3, timelySigcomm15 } from '../../src/index.js';
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
  { name: 'timely-sigcomm15', inputs: [], build: of(timelySigcomm15) },
  { name: 'timely-ns3', inputs: [], build: of(timelyNs3) },
  { name: 'dctcp-ns3', inputs: [], build: of(dctcpNs3) },
  { name: 'swift-sigcomm20', inputs: [], build: of(swiftSigcomm20) },
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
function probesOf({ build, inputs }: Preset): Probe[] {
  const base = { mssBytes: 4096, rttPs: us(20) };
  const probes: Probe[] = [];
  for (const lineRateBps of LINE_RATES_BPS) {
    for (const baseRttPs of RTTS_PS) {
      for (const variation of VARIATIONS) {
        const known = { ...INPUT_DEFAULTS, lineRateBps, baseRttPs, ...base, ...variation };
        const given = Object.fromEntries(
          Object.entries({ ...known, ...variation }).filter(([name]) =>
            name === 'lineRateBps' || !INPUTS.includes(name as never) || inputs.includes(name as never)
          ),
        );
        const values = attempt(() => build(given));
        // Parameters that were given are not derived.
        if (values && isDefaultsOnly(variation, values)) probes.push({ inputs: known, values: values as Given });
      }
    }
  }
  return probes;
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
  const preset = PRESETS.find(({ inputs }) => input === 'lineRateBps' || inputs.includes(input))!;
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

/** Tables of algorithms, inputs and presets. */
export function presetTables(writer: RuleWriter): string[] {
  const algorithms = Object.keys(ALGORITHMS) as (keyof typeof ALGORITHMS)[];
  const fieldsOf = new Map(algorithms.map((name) => [
    name as string,
    Object.keys(PARAMETER_RULES[name]!).filter((field) => field !== 'algorithm'),
  ]));
  const lines: string[] = [];
  for (const name of algorithms) {
    const rules = fieldsOf.get(name)!.map((field) => `  ${writer.rule(field, field, PARAMETER_RULES[name]![field]!)},`);
    lines.push(`static const struct rule fields_${id(name)}[] = {`, ...rules, '};', '');
  }
  lines.push('const struct algorithm algorithms[] = {');
  for (const name of algorithms) {
    const { code, traits } = ALGORITHMS[name];
    lines.push(`  {${quoted(name)}, ${code}u, ${traits}u, fields_${id(name)}, ${fieldsOf.get(name)!.length}},`);
  }
  lines.push('};', `const unsigned algorithm_count = ${algorithms.length};`, '');
  lines.push('const struct input inputs[INPUT_COUNT] = {');
  for (const input of INPUTS) {
    lines.push(`  {${writer.rule(input, input, ruleOfInput(input))}, ${double(INPUT_DEFAULTS[input])}},`);
  }
  lines.push('};', '');
  const entries: string[] = [];
  PRESETS.forEach((preset, index) => {
    const probes = probesOf(preset);
    const { algorithm } = probes[0]!.values as { algorithm: string };
    const fields = fieldsOf.get(algorithm)!;
    const derived = Object.keys(probes[0]!.values).filter((field) => field !== 'algorithm').map((field) => {
      const rule = PARAMETER_RULES[algorithm]![field]!;
      const own = probes.filter(({ inputs, values }) => !isGiven(field, inputs, values, preset));
      const { name, a, b } = derivationOf(`${field} of ${preset.name}`, own,
        (values) => writer.valueOf(field, rule, values[field]));
      return `  {${fields.indexOf(field)}, DERIVE_${name}, ${double(a)}, ${double(b)}},`;
    });
    lines.push(`static const struct preset_field preset_${index}[] = {`, ...derived, '};', '');
    const needs = preset.inputs.filter((input) => INPUT_DEFAULTS[input] === 0);
    const bits = (names: readonly string[]): string =>
      String(names.reduce((sum, name) => sum + 2 ** INPUTS.indexOf(name as never), 0));
    entries.push(
      `  {${quoted(preset.name)}, ${preset.set === undefined ? 'NULL' : quoted(preset.set)}, ${
        algorithms.indexOf(algorithm as never)
      }, ${bits(['lineRateBps', ...preset.inputs])}u, ${
        bits(['lineRateBps', ...needs])
      }u, preset_${index}, ${derived.length}},`,
    );
  });
  lines.push('const struct preset presets[] = {', ...entries, '};', `const unsigned preset_count = ${PRESETS.length};`,
    '');
  return lines;
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
