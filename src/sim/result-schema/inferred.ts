/** The type of what a schema accepts, none of which is to be changed. */
import type * as z from 'zod';

export type Inferred<Piece extends z.ZodType> = DeepReadonly<z.infer<Piece>>;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;
