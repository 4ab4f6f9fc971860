/** Reads and changes values of a scenario by path, without modifying the original. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Path = readonly (string | number)[];

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export const toText = (scenario: Json): string => `${JSON.stringify(scenario, undefined, 2)}\n`;

export function valueAt(json: Json | undefined, path: Path): Json | undefined {
  let at: Json | undefined = json;
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Readonly<Record<string | number, Json | undefined>>)[step];
  }
  return at;
}

/** @param value undefined removes the key, and objects that become empty. */
export function withValue(json: Json, path: Path, value: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value ?? null;
  if (Array.isArray(json)) {
    return json.map((item: Json, index) => (index === step ? withValue(item, rest, value) : item));
  }
  const record = typeof json === 'object' && json !== null ? json as Readonly<Record<string, Json>> : {};
  const inner = rest.length === 0 ? value : withValue(record[step] ?? {}, rest, value);
  const others = Object.fromEntries(Object.entries(record).filter(([key]) => key !== String(step)));
  const isEmpty = inner === undefined || (value === undefined && isEmptyObject(inner));
  if (isEmpty) return others;
  return Object.hasOwn(record, step) ? { ...record, [step]: inner } : { ...others, [step]: inner };
}

function isEmptyObject(json: Json): boolean {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && Object.keys(json).length === 0;
}

/** A path as text: `switches.ecn.kminKB`, `workload[0].senders`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}

/** One difference between two scenarios. */
export interface Difference {
  readonly path: string;
  readonly a: Json | undefined;
  readonly b: Json | undefined;
}

const NO_EFFECT = new Set(['name', 'description', '$schema']);

/** Values that differ, each at its deepest path; ignores names and descriptions. */
export function differences(a: Json | undefined, b: Json | undefined, path: Path = []): Difference[] {
  if (isObject(a) && isObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) =>
      path.length > 0 || !NO_EFFECT.has(key)
    );
    return keys.flatMap((key) => differences(a[key], b[key], [...path, key]));
  }
  if (isObject(a) || isObject(b)) {
    const [whole, isA] = isObject(a) ? [a, true] : [b as Readonly<Record<string, Json>>, false];
    if ((isA ? b : a) === undefined) {
      return Object.keys(whole).flatMap((key) =>
        isA ? differences(whole[key], undefined, [...path, key]) : differences(undefined, whole[key], [...path, key])
      );
    }
  }
  return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ path: pathText(path), a, b }];
}

export function isObject(json: Json | undefined): json is Readonly<Record<string, Json>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
