/**
 * Building blocks of the schema of results. Each has a description; the types in result-types.ts, docs/result.schema.json and
 * docs/guides/results.md are generated from it. Results read from files are checked against the same schema
 * (src/sim/files/result-json.ts).
 */
import * as z from 'zod';

/** A finite number. */
export const number = (meaning: string): z.ZodNumber => z.number().describe(meaning);
export const text = (meaning: string): z.ZodString => z.string().describe(meaning);
export const flag = (meaning: string): z.ZodBoolean => z.boolean().describe(meaning);
/** `true`, or absent. */
export const present = (meaning: string): z.ZodLiteral<true> => z.literal(true).describe(meaning);
export const numbers = (meaning: string): z.ZodArray<z.ZodNumber> => z.array(z.number()).describe(meaning);
export const texts = (meaning: string): z.ZodArray<z.ZodString> => z.array(z.string()).describe(meaning);
export const numbersOrNull = (meaning: string): z.ZodArray<z.ZodNullable<z.ZodNumber>> =>
  z.array(z.nullable(z.number())).describe(meaning);
/** Named columns of numbers. */
export const columns = (meaning: string): z.ZodRecord<z.ZodString, z.ZodArray<z.ZodNumber>> =>
  z.record(z.string(), z.array(z.number())).describe(meaning);

/** One of several words. */
export const words = <const Word extends string>(all: readonly Word[],
  meaning: string): z.ZodEnum<{ [Key in Word]: Key }> => z.enum(all).describe(meaning);

export const list = <Item extends z.ZodType>(item: Item, meaning: string): z.ZodArray<Item> =>
  z.array(item).describe(meaning);

/** The piece or null, with the description of the piece. */
export const orNull = <Piece extends z.ZodType>(piece: Piece): z.ZodNullable<Piece> =>
  z.nullable(piece).meta({ description: piece.description });

/** A member that may be absent. */
export const absent = <Piece extends z.ZodType>(piece: Piece): z.ZodExactOptional<Piece> => z.exactOptional(piece);

/** An object. Without a type name, its type is written inline where it is used. */
export const record = <Shape extends z.ZodRawShape>(shape: Shape, about: string,
  typeName?: string): z.ZodObject<Shape> => z.object(shape).meta({ description: about, about, typeName });

/** A type that another module declares; `from` is the path by which result-types.ts imports it. */
export const typeOf = <Piece extends z.ZodType>(typeName: string, from: string, piece: Piece): Piece =>
  piece.meta({ typeName, about: { from } });

/* The type of the values that a schema accepts, deeply read-only. */

export type Inferred<Piece extends z.ZodType> = DeepReadonly<z.infer<Piece>>;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/* A note as data; src/sim/note.ts declares the codes, and the figures of each. */

/**
 * The figures of a note. Codes are texts instead of an enumeration, so that files of later versions with other codes can be
 * read.
 */
export const FIGURES = z.record(z.string(), z.unknown()).describe(
  'Its figures by name: numbers with the unit in their name, names, settings.',
);

const NOTE_MEMBERS = {
  code: text('What the note is about: `no-equal-paths`. A code keeps its meaning.'),
  figures: FIGURES,
};

/** A note of a result, whose sentence is in the list of notes. */
export const NOTE = typeOf('Note', './note.js', record(NOTE_MEMBERS, 'One note.'));

/** A note with its sentence. */
export const PLACED_NOTE = record({
  ...NOTE_MEMBERS,
  text: text('The sentence that is made of them.'),
}, 'One note with its sentence.');
