/** Headers with members beyond their table, and formats without a table, in the one shape that all of them share. */
import { allocating } from '../bytes.js';

/** Writes into bytes that are there. */
type WriteInto<Args extends readonly unknown[]> = (target: Uint8Array, offset: number, ...args: Args) => number;

/** `write` of what has a `writeInto`: the same fields, into new bytes. */
type Written<Members> = Members extends { readonly writeInto: WriteInto<infer Args> } ? {
    /** As `writeInto`, into new bytes. */
    readonly write: (...args: Args) => Uint8Array;
  } :
  unknown;

/** The members of a header or format, and `write` where they have a `writeInto`. */
export type Format<Members> = Written<Members> & Readonly<Members>;

/** A header, some of whose members are replaced, others added. */
export type ExtendedHeader<Base, Members> = Format<Members> & Omit<Base, keyof Format<Members>>;

interface SomeMembers {
  readonly lenBytes?: number | undefined;
  readonly lenBytesOf?: (...args: never[]) => number;
  readonly write?: unknown;
  readonly writeInto?: WriteInto<never[]>;
}

/**
 * Adds members to a header, or replaces some.
 * @param members with `writeInto`, and `lenBytesOf` where the length varies, the header gets the `write` that fits.
 */
export function extendHeader<Base extends SomeMembers, const Members extends object>(base: Base,
  members: Members): ExtendedHeader<Base, Members> {
  return { ...base, ...withWrite({ lenBytes: base.lenBytes, ...members }) } as unknown as ExtendedHeader<Base, Members>;
}

/** A format without a table. @param members as those of `extendHeader`. */
export function defineFormat<const Members extends object>(members: Members): Format<Members> {
  return withWrite(members) as Format<Members>;
}

function withWrite(members: SomeMembers): SomeMembers {
  const { lenBytes = 0, lenBytesOf = () => lenBytes, writeInto, write } = members;
  if (writeInto === undefined || write !== undefined) return members;
  return { ...members, write: allocating<never, never[]>(lenBytesOf, writeInto) };
}
