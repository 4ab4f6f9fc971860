/** The dependency rules detect violations, also in assembly, whose imports have no extension. */
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseOptions, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { forbidden, options } = createRequire(import.meta.url)(path.join(ROOT, '.dependency-cruiser.cjs')) as {
  forbidden: IForbiddenRuleType[];
  options: ICruiseOptions;
};

/** Imports added to a copy of the sources, and the rule that each breaks. */
const BROKEN: readonly (readonly [file: string, imported: string, rule: string])[] = [
  ['assembly/wire/bytes.ts', '../rp/qp-event', 'assembly-wire'],
  ['assembly/memory/counters.ts', '../table/hash', 'assembly-memory'],
  ['assembly/algorithms/swift/transitions.ts', '../hpcc/record', 'algorithms-stand-alone'],
  ['assembly/algorithms/hpcc-pp/record.ts', '../timely/transitions', 'kin-of-hpcc-stand-on-hpcc'],
  ['assembly/table/hash.ts', './nothing', 'resolvable'],
  ['assembly/cp/red.ts', '../../src/config/field-rules', 'assembly-shares-only-the-abi'],
];

let copy: string;
const found: string[] = [];

beforeAll(async () => {
  copy = mkdtempSync(path.join(tmpdir(), 'roce-cc-imports-'));
  for (const name of ['assembly', 'src/abi', 'src/config/field-rules.ts', 'src/errors.ts', 'tsconfig.json']) {
    cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  }
  for (const [file, imported] of BROKEN) appendFileSync(path.join(copy, file), `import { x } from '${imported}';\n`);
  writeFileSync(path.join(copy, 'assembly', 'typed.ts'), "import type { T } from './typed-back';\n");
  writeFileSync(path.join(copy, 'assembly', 'typed-back.ts'), "import type { T } from './typed';\n");
  const { output } = await cruise(['assembly'], { ...options, baseDir: copy, ruleSet: { forbidden }, validate: true });
  const { violations } = (output as ICruiseResult).summary;
  found.push(...violations.map(({ rule, from }) => `${rule.name}: ${from}`));
}, 60_000);

afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

describe('the dependency rules', () => {
  it.each(BROKEN)('report %s importing %s', (file, _, rule) => {
    expect(found).toContain(`${rule}: ${file}`);
  });

  it('report a cycle of types', () => {
    expect(found.filter((line) => line.startsWith('no-circular: assembly/typed'))).not.toEqual([]);
  });
});
