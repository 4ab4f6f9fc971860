/**
 * Parses a declaration from JSON, for modules without JavaScript around them. JSON has data where JavaScript has
 * functions:
 *
 *   default    { "network": "baseRttPs" }                         a property of NetworkOfFlows
 *   timers     { "parameter": "simultaneous", "values": { "timers-first": "before-event", … } }
 *   telemetry  { "records": { "parameter": "records" }, "intMultiplier": { "parameter": "intMultiplier" } }
 *   pint       like telemetry
 */
import type { AlgorithmDeclaration, NetworkOfFlows, ParameterValues } from '../config/algorithms/custom/declaration.js';
import { requirePlainJson, requireShallowText } from '../config/json-limits.js';
import { checkField, checkKeys, checkRecord, oneOf, reject } from '../config/field-rules.js';

type Json = Readonly<Record<string, unknown>>;

const NETWORK_RULE = oneOf('lineRateBps', 'baseRttPs', 'windowBytes', 'mtuBytes');

/**
 * @param text JSON.
 * @param where the name to use in errors.
 * @throws RoceError `invalid-config`, naming the part.
 */
export function declarationFromJson(text: string, where: string): AlgorithmDeclaration {
  if (typeof where !== 'string') reject({ got: where, allowed: 'a text', where: 'where' });
  const parsed = parse(text, where);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    reject({ what: 'the text of the declaration', got: parsed, allowed: 'an object with fields', where });
  const given = parsed as Json;
  requirePlainJson(given, 'invalid-config', where);
  const { parameters = {}, timers, telemetry, pint } = given;
  const names = Object.keys(checkRecord(parameters, `${where}.parameters`));
  for (const [key, said] of Object.entries({ timers, telemetry, pint }))
    checkReferences(said, names, `${where}.${key}`);
  return {
    ...given,
    parameters: Object.fromEntries(
      Object.entries(checkRecord(parameters, `${where}.parameters`)).map((
        [name, one],
      ) => [name, withDefault(checkRecord(one, `${where}.parameters.${name}`), `${where}.parameters.${name}`)]),
    ),
    ...(isReference(timers) && { timers: byParameter(timers, `${where}.timers`) }),
    ...(telemetry !== undefined && { telemetry: recordByParameters(checkRecord(telemetry, `${where}.telemetry`)) }),
    ...(pint !== undefined && { pint: recordByParameters(checkRecord(pint, `${where}.pint`)) }),
  } as unknown as AlgorithmDeclaration;
}

function parse(text: string, where: string): unknown {
  if (typeof text !== 'string') reject({ got: text, allowed: 'a text', where: 'text' });
  requireShallowText(text, 'invalid-config', where);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return reject({ what: 'the declaration', problem: 'is not JSON', got: text, where, cause: error });
  }
}

function withDefault(declared: Json, where: string): Json {
  const { default: given } = declared;
  if (typeof given !== 'object' || given === null) return declared;
  checkKeys(given, ['network'], `${where}.default`);
  const { network } = given as { readonly network?: unknown };
  checkField(network, NETWORK_RULE, `${where}.default.network`);
  return { ...declared, default: (of: NetworkOfFlows) => of[network as keyof NetworkOfFlows] };
}

function isReference(value: unknown): value is { readonly parameter: string; readonly values?: Json } {
  return typeof value === 'object' && value !== null && 'parameter' in value;
}

/** Requires that references name declared parameters. */
function checkReferences(said: unknown, names: readonly string[], where: string): void {
  if (typeof said !== 'object' || said === null) return;
  if (isReference(said)) {
    checkKeys(said, ['parameter', 'values'], where);
    checkField(said.parameter, oneOf(...names), `${where}.parameter`);
  } else {
    for (const [key, one] of Object.entries(said)) checkReferences(one, names, `${where}.${key}`);
  }
}

function byParameter({ parameter, values }: { readonly parameter: string; readonly values?: Json },
  where: string): (parameters: ParameterValues) => unknown {
  return (parameters) => {
    const value = parameters[parameter];
    if (values === undefined) return value;
    const word = String(value);
    return Object.hasOwn(values, word) ?
      values[word] :
      reject({ what: `parameter ${parameter}`, got: value, allowed: Object.keys(values), where });
  };
}

/** Each member is a constant or the value of a parameter. */
function recordByParameters(record: Json): (parameters: ParameterValues) => unknown {
  return (parameters) =>
    Object.fromEntries(
      Object.entries(record).map((
        [key, value],
      ) => [key, isReference(value) ? byParameter(value, key)(parameters) : value]),
    );
}
