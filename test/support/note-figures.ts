/** Tests of a table of sentences: each code has one, made of each of its figures. */
import { describe, expect, it } from 'vitest';
import type { NoteRecord } from '../../src/note-record.js';

/** Figures for each code: a list does not compile if one is missing. */
export type NoteExamples<Note extends NoteRecord> = {
  readonly [Code in Note['code']]: Extract<Note, { readonly code: Code }>['figures'];
};

interface Exceptions {
  /** Codes whose sentences leave the figures to programs. */
  readonly silent?: readonly string[];
  /** Another value of figures that have few, by name, or by code and name: `output-incomplete.lacking`. */
  readonly otherWords?: Readonly<Record<string, unknown>>;
}

/** @param make the maker of the area's notes */
export function testNotes(area: string, make: unknown, examples: Readonly<Record<string, object>>,
  { silent = [], otherWords = {} }: Exceptions = {}): void {
  const noteOf = make as (code: string, figures: object) => NoteRecord;
  describe(`notes on ${area}`, () => {
    it.each(Object.entries(examples))('%s: a sentence that states each figure', (code, figures) => {
      expect(code).toMatch(/^[a-z\d]+(-[a-z\d]+)*$/);
      const note = noteOf(code, figures);
      expect(note).toEqual({ code, figures, text: expect.stringMatching(/^\S.*\.$/) as string });
      expect(note.text).not.toMatch(/undefined|NaN|\[object|\.\.$/);
      for (const [name, value] of Object.entries(figures)) {
        const other = noteOf(code, {
          ...figures,
          [name]: otherWords[`${code}.${name}`] ?? otherWords[name] ?? otherThan(value),
        });
        expect({ name, isStated: other.text !== note.text }).toEqual({ name, isStated: !silent.includes(code) });
      }
    });
  });
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return 2 * value + 1e9;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return `${value}-other`;
  if (Array.isArray(value)) return (value as readonly unknown[]).map(otherThan);
  const record = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(record).map(([key, one]) => [key, key === 'algorithm' ? one : otherThan(one)]),
  );
}
