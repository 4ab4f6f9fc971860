/**
 * Arguments of callers without types: every function, constructor and method that an entry of package.json declares is
 * called with an invalid value for each argument and for each member of one, one at a time. It must return a result or
 * throw a RoceError that names the value. A new export is included automatically; support/known-values.ts has the valid
 * values that its types do not determine. `ROCE_API_KINDS=all` tries every kind of invalid value at every member.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { whyNoInterfaces } from '../live/support/namespaces.js';
import { readDeclarations } from './support/declarations.js';
import { NOT_CHECKED } from './support/not-checked.js';
import { tryCallable } from './support/trial.js';
import { Values } from './support/valid-values.js';

const LINES = 10;
/** These open network interfaces, which requires privileges. */
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

describe('the list of declarations', () => {
  it('includes functions, methods and constructors of the entry points', () => {
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

  it('includes every name that is listed as not checked', () => {
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

describe('exports listed as not checked still fail the check:', () => {
  it.each(Object.keys(NOT_CHECKED))('%s', async (name) => {
    expect(await problemsOf(name, true), `${name} could leave not-checked.ts`).not.toEqual([]);
  }, TEST_MS);
});
