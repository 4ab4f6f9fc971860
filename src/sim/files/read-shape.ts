/**
 * Checks a result read from a file against its schema: every member is present and has the right type, so that code which reads
 * the result can rely on it, whatever wrote the file. Members that the schema does not have are ignored.
 *
 * This is a separate walk because zod's parsing copies what it checks, and results can have millions of flows.
 */
import type * as z from 'zod';
import { RoceError, type Allowed } from '../../errors.js';
import { RESULT_SCHEMA } from '../result-schema/result.js';

type Piece = z.core.$ZodTypes;
type Members = Readonly<Record<string, unknown>>;

/**
 * Checks a result.
 *
 * @param where the result's name in errors.
 * @throws RoceError `invalid-argument` naming the member that is missing or of another type.
 */
export function checkResultShape(result: Members, where: string): void {
  const check = new ShapeCheck(where);
  check.members(RESULT_SCHEMA.shape, result, '');
  for (const [index, { timeline }] of ((result['jobs'] ?? []) as readonly Members[]).entries()) {
    if (timeline !== undefined) check.sameLengths(timeline as Members, `jobs[${index}].timeline`);
  }
}

/** The methods take the path of the object that contains the value; the result's own path is empty. */
class ShapeCheck {
  constructor(private readonly where: string) {}

  members(shape: z.core.$ZodShape, members: Members, path: string): void {
    for (const member in shape) this.#value(shape[member] as Piece, members[member], path, member);
  }

  /** Requires columns of equal length. */
  sameLengths(columns: Members, path: string): void {
    const { length } = columns['operations'] as readonly unknown[];
    for (const [name, column] of Object.entries(columns)) {
      const { length: got } = column as readonly unknown[];
      this.#require(got === length, got, String(length), path, `the length of ${name}`);
    }
  }

  #value(piece: Piece, value: unknown, path: string, member: string): void {
    const { def } = piece._zod;
    switch (def.type) {
      case 'optional':
        if (value !== undefined) this.#value(def.innerType as Piece, value, path, member);
        return;
      case 'nullable':
        if (value !== null) this.#value(def.innerType as Piece, value, path, member);
        return;
      case 'array':
        this.#require(Array.isArray(value), value, allowedBy(piece), path, member);
        this.#items(piece, def.element as Piece, value as readonly unknown[], path, member);
        return;
      case 'record':
        this.#require(isObject(value), value, allowedBy(piece), path, member);
        for (const [name, item] of Object.entries(value as Members))
          this.#value(def.valueType as Piece, item, within(path, member), name);
        return;
      case 'object':
        this.#require(isObject(value), value, allowedBy(piece), path, member);
        this.members(def.shape, value as Members, within(path, member));
        return;
      default:
        this.#require(isSimple(piece, value), value, allowedBy(piece), path, member);
    }
  }

  /** Checks the items of a list. An error names the list if its items are simple values, or the item if it is an object. */
  #items(list: Piece, item: Piece, values: readonly unknown[], path: string, member: string): void {
    const { def } = item._zod;
    if (def.type === 'record') {
      values.forEach((value, index) => {
        this.#value(item, value, within(path, member), `entry ${index}`);
      });
      return;
    }
    if (def.type !== 'object') {
      for (const value of values) this.#require(isSimple(item, value), values, allowedBy(list), path, member);
      return;
    }
    values.forEach((value, index) => {
      this.#require(isObject(value), value, 'an object', within(path, member), `entry ${index}`);
      this.members(def.shape, value as Members, `${within(path, member)}[${index}]`);
    });
  }

  #require(isRight: boolean, got: unknown, allowed: Allowed, path: string, member: string): void {
    if (isRight) return;
    const where = path === '' ? this.where : `${this.where}, ${path}`;
    throw new RoceError('invalid-argument', { what: `${member} of a result`, got, allowed, where });
  }
}

const within = (path: string, member: string): string => path === '' ? member : `${path}.${member}`;

function isSimple(piece: Piece, value: unknown): boolean {
  const { def } = piece._zod;
  switch (def.type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'string':
    case 'boolean':
      return typeof value === def.type;
    case 'literal':
      return (def.values as readonly unknown[]).includes(value);
    case 'enum':
      return (Object.values(def.entries) as unknown[]).includes(value);
    case 'nullable':
      return value === null || isSimple(def.innerType as Piece, value);
    case 'unknown':
      return true;
    default:
      throw new Error(`results have no values of type ${def.type}`);
  }
}

const MANY = { number: 'numbers', string: 'texts' } as const;

function allowedBy(piece: Piece): Allowed {
  const { def } = piece._zod;
  switch (def.type) {
    case 'number':
      return 'a number';
    case 'string':
      return 'a text';
    case 'boolean':
      return 'true or false';
    case 'literal':
      return def.values.map(String).join(', ');
    case 'enum':
      return Object.values(def.entries);
    case 'array':
      return listOf(def.element as Piece);
    default:
      return 'an object';
  }
}

function listOf(item: Piece): string {
  const { def } = item._zod;
  if (def.type === 'nullable') return `${listOf(def.innerType as Piece)} and nulls`;
  return def.type === 'number' || def.type === 'string' ? `a list of ${MANY[def.type]}` : 'a list';
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
