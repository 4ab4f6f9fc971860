/**
 * Arguments of callers without types: every function, constructor and method that an entry of package.json declares is called
 * with nonsense for each argument, and each member of one, one at a time. A result, or a RoceError that names it. A new
 * export is included automatically; where its types do not tell a valid call, support/known-values.ts must. `ROCE_API_KINDS=all`
 * tries every kind of nonsense at every member.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { whyNoInterfaces } from '../live/support/namespaces.js';
import { readDeclarations } from './support/declarations.js';
import { NOT_CHECKED } from './support/not-checked.js';
import { tryCallable } from './support/trial.js';
import { Values } from './support/valid-values.js';

const LINES = 10;
/** They need the rights to. */
const OPEN_INTERFACES = ['openPacketPort', 'openTapPort', 'runNamespaceDemo'];
const TEST_MS = 300_000;
const declarations = readDeclarations();
const values = new Values(declarations);
const names = [...new Set(declarations.callables.map(({ name }) => name))];

beforeAll(async () => {
  await values.load();
});

async function problemsOf(name: string, isThorough = false): Promise<string[]> {
  const problems: string[] = [];
  for (const callable of declarations.callables) {
    if (callable.name === name) problems.push(...await tryCallable(callable, values, isThorough));
  }
  return problems;
}

describe('what is declared', () => {
  it('covers all exports of the entry points', () => {
    for (
      const name of [
        'createEngineSync',
        'Engine.openQp',
        'EventBatch.ack',
        'PacketBatch.addInPlace',
        'Actions.get',
        'CongestionPoint.decide',
        'new Bth.View',
        'Ethernet.write',
        'createDissector()',
        'runScenarioSync',
      ]
    ) expect(names).toContain(name);
  });

  it('is listed as not checked only where it exists', () => {
    expect(Object.keys(NOT_CHECKED).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('invalid arguments are rejected by name, or accepted, in', () => {
  const withoutInterfaces = (process.env['CI'] ?? '') === '' ? whyNoInterfaces() : undefined;
  const skipped = withoutInterfaces === undefined ? [] : OPEN_INTERFACES;
  const checked = names.filter((name) => !Object.hasOwn(NOT_CHECKED, name) && !skipped.includes(name));

  it.each(checked)('%s', async (name) => {
    expect((await problemsOf(name)).slice(0, LINES)).toEqual([]);
  }, TEST_MS);

  it.for(skipped)(`%s (skipped: ${withoutInterfaces ?? ''})`, (_, { skip }) => {
    skip(withoutInterfaces);
  });
});

describe('exports listed as unchecked are still unchecked:', () => {
  it.each(Object.keys(NOT_CHECKED))('%s', async (name) => {
    expect(await problemsOf(name, true), `${name} could leave not-checked.ts`).not.toEqual([]);
  }, TEST_MS);
});
