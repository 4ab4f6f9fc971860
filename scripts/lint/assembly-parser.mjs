// A parser of AssemblyScript for ESLint: that of TypeScript, which knows all of it but decorators on functions.
//
// `@inline` and its like are blanked, at the same length, so that every place in a report is its place in the file.

import { parser } from 'typescript-eslint';

/** Decorators that asc knows and that precede functions, methods and classes here. */
const DECORATOR = /^([ \t]*)(@(?:inline|unmanaged|unsafe|lazy|global|final))\b(?!\()/gm;

const blanked = (text) => text.replace(DECORATOR, (_, indent, name) => indent + ' '.repeat(name.length));

/** As ESLint calls a parser. */
export const meta = { name: 'assembly-parser', version: '1' };

/** The tree of an AssemblyScript file, with the tokens and comments of the blanked text. */
export function parseForESLint(text, options) {
  return parser.parseForESLint(blanked(text), options);
}
