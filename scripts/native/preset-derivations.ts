/**
 * How a preset's parameter follows from its inputs: found by evaluating the preset, so that C has the numbers of src/config and
 * nothing is stated twice. The formulas are those of native/parameters.c; a parameter that none of them gives stops the build.
 */

/** Inputs of presets that are not parameters, with the defaults that C needs. */
export interface Inputs {
  readonly lineRateBps: number;
  readonly baseRttPs: number;
  readonly expectedFlows: number;
  readonly mssBytes: number;
  readonly rttPs: number;
  readonly raiFactor: number;
  readonly haiFactor: number;
  readonly byteResetUnitBytes: number;
}

/** A preset evaluated at some inputs: the values of all its parameters. */
export interface Probe {
  readonly inputs: Inputs;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A formula, its name in C, and its constants. */
export interface Derivation {
  readonly name: string;
  readonly a: number;
  readonly b: number;
}

const REFERENCES_BPS = [25e9, 10e9];

type Formula = (inputs: Inputs, values: Readonly<Record<string, unknown>>, a: number, b: number) => number;

const stepBytes: Formula = ({ expectedFlows }, { windowBytes, targetUtilization }) =>
  (Number(windowBytes) * (1 - Number(targetUtilization))) / expectedFlows;

const FORMULAS: Readonly<Record<string, Formula>> = {
  CONSTANT: (_inputs, _values, a) => a,
  LINE_RATE: ({ lineRateBps }) => lineRateBps,
  BASE_RTT: ({ baseRttPs }) => baseRttPs,
  SCALED: ({ lineRateBps }, _values, a, b) => Math.trunc((a * lineRateBps) / b),
  RATIO: ({ lineRateBps }, _values, _a, b) => Math.max(1, Math.trunc(lineRateBps / b)),
  PATH_BYTES: ({ lineRateBps, baseRttPs }) => Math.max(1, Math.floor((lineRateBps * baseRttPs) / 8e12)),
  STEP_BYTES: (inputs, values, a, b) => (values['primary'] === 'rate' ? 0 : stepBytes(inputs, values, a, b)),
  STEP_RATE: (inputs, values, a, b) => {
    if (values['primary'] !== 'rate') return 0;
    const rateBps = (stepBytes(inputs, values, a, b) * 8e12) / inputs.baseRttPs;
    return values['numbers'] === 'whole-bps' ? Math.floor(rateBps) : rateBps;
  },
  RAI_RATE: ({ raiFactor, mssBytes, rttPs }) => (raiFactor * mssBytes * 8 * 1e12) / rttPs,
  HAI_RATE: ({ haiFactor, mssBytes, rttPs }) => (haiFactor * mssBytes * 8 * 1e12) / rttPs,
  BYTE_RESET: ({ byteResetUnitBytes }, _values, a) => a * byteResetUnitBytes,
};

/** Names of the formulas, in the order of C's enum. */
export const DERIVATIONS = Object.keys(FORMULAS);

/** @param valueOf the parameter's value in the units of C. @throws Error when no formula gives it at all probes. */
export function derivationOf(field: string, probes: readonly Probe[],
  valueOf: (values: Readonly<Record<string, unknown>>) => number): Derivation {
  const [first] = probes;
  if (first === undefined) throw new Error('no probes');
  for (const candidate of candidates(probes, valueOf)) {
    const formula = FORMULAS[candidate.name];
    const fits = ({ inputs, values }: Probe): boolean =>
      formula(inputs, values, candidate.a, candidate.b) === valueOf(values);
    if (probes.every(fits)) return candidate;
  }
  throw new Error(`no formula of scripts/native/preset-derivations.ts gives ${field}`);
}

function* candidates(probes: readonly Probe[],
  valueOf: (values: Readonly<Record<string, unknown>>) => number): Generator<Derivation> {
  const { inputs, values } = probes[0];
  yield { name: 'CONSTANT', a: valueOf(values), b: 0 };
  for (const name of ['LINE_RATE', 'BASE_RTT', 'PATH_BYTES']) yield { name, a: 0, b: 0 };
  for (const reference of REFERENCES_BPS) {
    const atReference = probes.find((probe) => probe.inputs.lineRateBps === reference);
    if (atReference) yield { name: 'SCALED', a: valueOf(atReference.values), b: reference };
    yield { name: 'RATIO', a: 0, b: reference };
  }
  yield { name: 'BYTE_RESET', a: valueOf(values) / inputs.byteResetUnitBytes, b: 0 };
  for (const name of ['STEP_BYTES', 'STEP_RATE', 'RAI_RATE', 'HAI_RATE']) yield { name, a: 0, b: 0 };
}
