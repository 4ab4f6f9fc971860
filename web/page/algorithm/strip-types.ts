/** Strips TypeScript's types and keeps line numbers. Loaded with the first code that is not JavaScript. */
import { transform } from 'sucrase';

/** @throws Error with the location in its message: `(line:column)`. */
export function stripTypes(text: string): string {
  return transform(text, { transforms: ['typescript'], disableESTransforms: true }).code;
}
