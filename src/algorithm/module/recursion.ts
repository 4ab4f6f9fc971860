/**
 * Functions that may call themselves, directly or through others. Only there can calls nest without end, so only there
 * their depth is counted: the stack of a browser or of Node overflows at a depth that differs from machine to machine.
 */
import type { DecodedModule } from './decode.js';

/**
 * Functions from which a cycle of calls can be reached; false for all others, whose calls end. By index, imports left out.
 *
 * Functions are removed once all that they call are removed. What remains calls something that remains: a cycle, or what
 * leads to one. A call through the table may be one of each function in it.
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
