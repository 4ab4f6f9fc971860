/** The scenario of B: A's, with a custom algorithm instead of A's. */
import type { DeclaredAlgorithm, DeclaredParameter } from '../../protocol/algorithm-protocol.js';
import { isObject, parseJson, toText, valueAt, withValue, type Json } from '../experiment/scenario-edit.js';

type Parameters = Readonly<Record<string, Json>>;

/**
 * @param a text of A's scenario.
 * @param b text of B's scenario; its parameters are kept if the code still declares them.
 * @returns undefined if A's text is not JSON.
 */
export function customScenario(a: string, b: string, declared: DeclaredAlgorithm): string | undefined {
  const scenario = parseJson(a);
  if (!isObject(scenario)) return undefined;
  const given = scenario['algorithms'];
  const names = isObject(given) && Object.keys(given).length > 0 ? Object.keys(given) : [declared.name];
  const parameters = keptParameters(b, declared);
  const algorithm = { preset: declared.name, ...(Object.keys(parameters).length > 0 && { parameters }) };
  return toText({ ...scenario, algorithms: Object.fromEntries(names.map((name) => [name, algorithm])) });
}

/** Parameters of the custom algorithm in a scenario. */
export function customParameters(scenario: Json | undefined, preset: string): Parameters {
  const algorithms = Object.values(algorithmsOf(scenario));
  const parameters = valueAt(algorithms.find((algorithm) => valueAt(algorithm, ['preset']) === preset), ['parameters']);
  return isObject(parameters) ? parameters : {};
}

/** @param value undefined removes the parameter. */
export function withParameter(text: string, preset: string, name: string, value: Json | undefined): string {
  const scenario = parseJson(text);
  const keys = Object.entries(algorithmsOf(scenario)).filter(([, algorithm]) =>
    valueAt(algorithm, ['preset']) === preset
  );
  return keys.reduce(
    (before, [key]) => toText(withValue(parseJson(before) ?? {}, ['algorithms', key, 'parameters', name], value)),
    text,
  );
}

/** The preset of the first algorithm, which flows use unless they name another one. */
export function presetOf(text: string, fallback: string): string {
  const preset = valueAt(Object.values(algorithmsOf(parseJson(text)))[0], ['preset']);
  return typeof preset === 'string' ? preset : fallback;
}

/** Changes the scenario to another built-in algorithm, with its preset's parameters. */
export function withPreset(text: string, preset: string): string {
  const scenario = parseJson(text);
  if (!isObject(scenario)) return text;
  const keys = Object.keys(algorithmsOf(scenario));
  const names = keys.length > 0 ? keys : [preset];
  return toText({ ...scenario, algorithms: Object.fromEntries(names.map((name) => [name, { preset }])) });
}

function keptParameters(b: string, { name, parameters }: DeclaredAlgorithm): Parameters {
  const all = Object.entries(customParameters(parseJson(b), name));
  return Object.fromEntries(all.filter(([key, value]) => {
    const declared = parameters.find((parameter) => parameter.name === key);
    return declared !== undefined && isAllowed(declared, value);
  }));
}

function isAllowed({ choices, isFlag, min, max, isWhole }: DeclaredParameter, value: Json): boolean {
  if (isFlag) return typeof value === 'boolean';
  if (choices.length > 0) return choices.some((choice) => choice === value);
  return typeof value === 'number' && value >= min && value <= max && (!isWhole || Number.isInteger(value));
}

function algorithmsOf(scenario: Json | undefined): Readonly<Record<string, Json>> {
  const algorithms = valueAt(scenario, ['algorithms']);
  return isObject(algorithms) ? algorithms : {};
}
