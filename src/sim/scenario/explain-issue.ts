/**
 * Turns the schema's issues into one error: the path of the key, the value and the allowed values.
 *
 * Only the first issue in the order of the file is reported.
 */
import type * as z from 'zod';
import { rejectScenario } from './scenario-error.js';
import { allowedOf } from './schema-parts.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Rejects a scenario for the first of its issues.
 * @throws RoceError `invalid-scenario`, always.
 */
export function rejectIssue(spec: unknown, issues: readonly Issue[]): never {
  const { issue, path } = deepest(issues[0], []);
  const allowed = allowedOf(issue.message);
  if (issue.code === 'unrecognized_keys') {
    const [field] = issue.keys;
    const keyPath = [...path, field];
    const got = valueAt(spec, keyPath);
    const problem = 'is not a known key';
    rejectScenario({ problem, got, allowed, where: placeOf(keyPath), field, settingFault: 'unknown-key' });
  }
  const got = valueAt(spec, path);
  const settingFault = got === undefined ? 'missing-key' : undefined;
  rejectScenario({ got, allowed, where: placeOf(path), settingFault });
}

/**
 * For a union, the issue of the branch that matched furthest, which is probably the intended one; if none matched at all, that
 * of the union.
 */
function deepest(issue: Issue, above: Path): { readonly issue: Issue; readonly path: Path } {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_key') {
    return { issue: { ...issue, message: issue.issues[0]?.message ?? issue.message }, path };
  }
  if (issue.code !== 'invalid_union') return { issue, path };
  const branches = issue.errors.flatMap((errors) => errors.slice(0, 1).map((first) => deepest(first, path)));
  const furthest = branches.reduce((best, branch) => (branch.path.length > best.path.length ? branch : best), {
    issue,
    path,
  });
  if (furthest.path.length > path.length) return furthest;
  const unknownKey = branches.find((branch) => branch.issue.code === 'unrecognized_keys');
  return unknownKey ?? furthest;
}

/** Formats a path, such as `workload[0].flows[3].from`. */
function placeOf(path: Path): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text === '' ? 'scenario' : text.replace(/^\./, '');
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return at;
}
