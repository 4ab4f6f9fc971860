/**
 * Walks over a format's table: each item is stated in a small file with a value other than the default, and has an
 * effect, a note with count and first place, or a typed rejection.
 */
import { expect, it } from 'vitest';
import { RoceError } from '../../../src/errors.js';
import type { FormatItem, FormatTable } from '../../../src/workloads/job-formats.js';

/** The result of reading a file. */
export interface Outcome {
  /** The values that a run depends on. */
  readonly effect: unknown;
  readonly notes: readonly string[];
}

/** Reads a file that states an item, and the same file without it. */
export interface Statement {
  readonly stated: () => Promise<Outcome>;
  readonly without: () => Promise<Outcome>;
  /** The item's name in the note or error. Default: its name in the table. */
  readonly calls?: string;
}

/** A test for each item of the table. @param statements by `part name`. */
export function walkFormat(table: FormatTable, statements: Readonly<Record<string, Statement>>): void {
  it.each(table.items.map((item) => [`${item.part} ${item.name}`, item] as const))('%s', async (key, item) => {
    const statement = statements[key];
    expect(statement, `a file that states ${key}`).toBeDefined();
    if (statement !== undefined) await check(item, statement);
  });

  it('and no other items', () => {
    const keys = table.items.map(({ part, name }) => `${part} ${name}`);
    expect(Object.keys(statements).filter((key) => !keys.includes(key))).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
  });
}

async function check({ name, treatment }: FormatItem, { stated, without, calls = name }: Statement): Promise<void> {
  const base = await without();
  const got = await outcomeOf(stated);
  if (treatment === 'rejected') {
    expect(got).toBeInstanceOf(RoceError);
    expect((got as RoceError).message).toContain(calls);
    return;
  }
  if (treatment === 'effective') {
    expect(got instanceof RoceError || !isSame(got.effect, base.effect)).toBe(true);
    return;
  }
  if (got instanceof RoceError) throw got;
  expect(got.effect).toEqual(base.effect);
  const added = got.notes.filter((note) => !base.notes.includes(note));
  expect(added).toContainEqual(expect.stringMatching(/^\d+ .*: first at .+\.$/));
  expect(added.join(' ')).toContain(calls);
}

async function outcomeOf(read: () => Promise<Outcome>): Promise<Outcome | RoceError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, part: unknown) =>
      ArrayBuffer.isView(part) ? [...part as unknown as Iterable<number>] : part);
  return text(one) === text(other);
}
