/**
 * Finds functions that may be recursive, directly or through others. Only these can nest calls without limit, so only
 * their depth is counted: browsers and Node overflow their stacks at a depth that differs from machine to machine.
 */
import type { DecodedModule } from './decode.js';

/**
 * Marks the functions from which a cycle of calls can be reached, by index without imports. All others always end.
 *
 * A function is removed once all functions it calls are removed. Each remaining function calls a remaining one, so it
 * is on a cycle or leads to one. A call through the table may reach any function in it.
 */
export function recursiveFunctions({ bodies, importedFunctions, elements }: DecodedModule): readonly boolean[] {
  const table = bodies.length;
  const inTable = new Set(elements.flatMap(({ functions }) => functions));
  const calls = bodies.map(({ callees, callsTable }) => {
    const own = callees.map((index) => index - importedFunctions).filter((index) => index >= 0 && index < table);
    return callsTable ? [...own, table] : own;
  });
  calls.push([...inTable].map((index) => index - importedFunctions).filter((index) => index >= 0 && index < table));
  return remaining(calls).slice(0, table);
}

function remaining(calls: readonly (readonly number[])[]): boolean[] {
  const callers: number[][] = calls.map(() => []);
  for (const [caller, callees] of calls.entries()) { for (const callee of callees) callers[callee].push(caller); }
  const left = calls.map((callees) => callees.length);
  const ended = left.flatMap((count, index) => count === 0 ? [index] : []);
  const remains = calls.map(() => true);
  for (let index = ended.pop(); index !== undefined; index = ended.pop()) {
    remains[index] = false;
    for (const caller of callers[index]) if (--left[caller] === 0) ended.push(caller);
  }
  return remains;
}
