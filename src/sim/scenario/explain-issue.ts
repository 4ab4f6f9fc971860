/**
 * From what the schema found to one sentence: what is wrong with which flow, node, link or key, what was got, what is
 * allowed.
 *
 * One error at a time, the first in the order of the file.
 */
import type * as z from 'zod';
import { showValue } from '../../error-text.js';
import { listNames, refuseScenario } from './scenario-error.js';
import { allowedOf } from './schema-parts.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Refuses a scenario for the first of its issues.
 * @throws RoceError `invalid-scenario`, always.
 */
export function refuseIssue(spec: unknown, issues: readonly Issue[]): never {
  const { issue, path } = deepest(issues[0], []);
  const allowed = allowedOf(issue.message);
  if (issue.code === 'unrecognized_keys') {
    const [unknown] = issue.keys;
    const keyPath = [...path, unknown];
    refuseScenario({
      what: `key ${unknown}${ofWhat(spec, path)}`,
      problem: 'is unknown',
      got: valueAt(spec, keyPath),
      allowed,
      where: placeOf(keyPath),
    });
  }
  const key = path.at(-1) ?? 'the scenario';
  const what = `${typeof key === 'number' ? 'item ' : ''}${String(key)}${ofWhat(spec, path.slice(0, -1))}`;
  refuseScenario({ what, got: valueAt(spec, path), allowed, where: placeOf(path) });
}

/**
 * Of a union the branch that got furthest: that is the one that was meant. Where none got anywhere, the union itself.
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

/** The object that a key belongs to, in words: flows, links and nodes by what their users call them. */
function ofWhat(spec: unknown, path: Path): string {
  for (let length = path.length; length > 0; length--) {
    const index = path[length - 1];
    const list = path[length - 2];
    const item = valueAt(spec, path.slice(0, length));
    if (typeof item !== 'object' || item === null) continue;
    const words = typeof index === 'number' ? itemInWords(String(list), index, item) : '';
    if (words !== '') return ` of ${words}`;
    if (list === 'algorithms') return ` of algorithm ${String(index)}`;
  }
  return path.length === 0 ? '' : ` of ${String(path[path.length - 1])}`;
}

function itemInWords(list: string, index: number, item: object): string {
  const { from, to, name, kind, nodes } = item as Readonly<Record<string, unknown>>;
  const ends = typeof from === 'string' && typeof to === 'string' ? ` (${from} to ${to})` : '';
  const kindText = typeof kind === 'string' ? ` (${kind})` : '';
  const words: Readonly<Record<string, string>> = {
    flows: `flow ${index}${ends}`,
    links: `link ${index}${ends}`,
    overrides: `override ${index}${Array.isArray(nodes) ? ` (${listNames(Array.from(nodes, nameText))})` : ''}`,
    nodes: `node ${typeof name === 'string' ? name : index}`,
    workload: `workload ${index}${kindText}`,
    faults: `fault ${index}${kindText}`,
  };
  return words[list] ?? '';
}

/** What stands where a name should may be anything: an object whose `toString` is a number has no text. */
function nameText(name: unknown): string {
  return typeof name === 'string' ? name : showValue(name);
}

/** `workload[0].flows[3].from` */
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
