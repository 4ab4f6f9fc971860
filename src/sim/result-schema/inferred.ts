/** The type of the values that a schema accepts, deeply read-only. */
import type * as z from 'zod';

export type Inferred<Piece extends z.ZodType> = DeepReadonly<z.infer<Piece>>;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;
