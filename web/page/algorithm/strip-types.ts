/** TypeScript without its types, line by line as it was; loaded with the first code that is not JavaScript. */
import { transform } from 'sucrase';

/** @throws Error with the place in its message: `(line:column)`. */
export function stripTypes(text: string): string {
  return transform(text, { transforms: ['typescript'], disableESTransforms: true }).code;
}
