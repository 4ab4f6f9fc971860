/** Headers with members beyond their table, and formats without a table, in the same shape. */
import { allocating } from '../bytes.js';

/** Writes into existing bytes. */
type WriteInto<Args extends readonly unknown[]> = (target: Uint8Array, offset: number, ...args: Args) => number;

/** Adds a `write` with the same arguments, if there is a `writeInto`. */
type Written<Members> = Members extends { readonly writeInto: WriteInto<infer Args> } ? {
    /** Like `writeInto`, into new bytes. */
    readonly write: (...args: Args) => Uint8Array;
  } :
  unknown;

/** The members of a header or format, plus `write` if there is a `writeInto`. */
export type Format<Members> = Written<Members> & Readonly<Members>;

/** A header with some members replaced and others added. */
export type ExtendedHeader<Base, Members> = Format<Members> & Omit<Base, keyof Format<Members>>;

interface SomeMembers {
  readonly lenBytes?: number | undefined;
  readonly lenBytesOf?: (...args: never[]) => number;
  readonly write?: unknown;
  readonly writeInto?: WriteInto<never[]>;
}

/**
 * Adds members to a header, or replaces some.
 * @param members if they include `writeInto` (and `lenBytesOf` if the length varies), a matching `write` is added.
 */
export function extendHeader<Base extends SomeMembers, const Members extends object>(base: Base,
  members: Members): ExtendedHeader<Base, Members> {
  return { ...base, ...withWrite({ lenBytes: base.lenBytes, ...members }) } as unknown as ExtendedHeader<Base, Members>;
}

/** Defines a format without a table. @param members like those of `extendHeader`. */
export function defineFormat<const Members extends object>(members: Members): Format<Members> {
  return withWrite(members) as Format<Members>;
}

function withWrite(members: SomeMembers): SomeMembers {
  const { lenBytes = 0, lenBytesOf = () => lenBytes, writeInto, write } = members;
  if (writeInto === undefined || write !== undefined) return members;
  return { ...members, write: allocating<never, never[]>(lenBytesOf, writeInto) };
}
