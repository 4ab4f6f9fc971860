/** The linter parses AssemblyScript, including decorators, and reports violations in it. */
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const eslint = new ESLint({ cwd: ROOT });

/** The rule and position of each violation in a file of the hot path. */
async function findings(code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: `${ROOT}assembly/rp/made-up.ts` });
  return result!.messages.map(({ ruleId, line, column }) => `${ruleId ?? 'parse'} ${line}:${column}`);
}

describe('the linter in assembly', () => {
  it('accepts decorated functions and the operators of AssemblyScript', async () => {
    const code = [
      '@unmanaged export class Record { a: u32; @inline get b(): u32 { return this.a; } }',
      "const AT: usize = offsetof<Record>('a');",
      '@inline export function read(q: usize): u32 { return load<u32>(q, AT) == 0 ? <u32>1 : 0; }',
      'const TABLE = memory.data<u8>([1, 2]);',
      'export function at(i: u32): u8 { return load<u8>(TABLE + i); }',
    ];
    expect(await findings(code.join('\n'))).toEqual([]);
  });

  it.each([
    ['an object', '  return new Thing();', 'no-restricted-syntax 2:10'],
    ['a closure', '  return each(() => 1);', 'no-restricted-syntax 2:15'],
    ['a string', "  return said('no');", 'no-restricted-syntax 2:15'],
    ['an array', '  return [1];', 'no-restricted-syntax 2:10'],
    ['a Map', '  return changetype<Map<u32, u32>>(q);', 'no-restricted-syntax 2:21'],
    ['a throw', '  throw q;', 'no-restricted-syntax 2:3'],
    ['an unused variable', '  const left: u32 = 1; return q;', '@typescript-eslint/no-unused-vars 2:9'],
    ['a let that stays', '  let kept: u32 = 1; return kept;', 'prefer-const 2:7'],
    ['a name in another case', '  const Kept: u32 = 1; return Kept;', '@typescript-eslint/naming-convention 2:9'],
  ])('reports %s with its position', async (_, line, finding) => {
    expect(await findings(`@inline export function made(q: u32): u32 {\n${line}\n}\n`)).toEqual([finding]);
  });

  it('reports a function that is too long', async () => {
    const body = Array.from({ length: 60 }, (_, line) => `  store<u8>(q, ${line});`).join('\n');
    expect(await findings(`export function long(q: usize): void {\n${body}\n}\n`)).toEqual([
      'max-lines-per-function 1:8',
    ]);
  });
});
