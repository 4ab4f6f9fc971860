/** Types of handler arguments, derived from a definition. */
import type { ParameterDeclaration, ParameterValue } from '../config/algorithms/custom/declaration.js';
import type { StateList } from './events.js';

/** The type of a parameter in handlers, from the type of its default. */
type ValueOf<Declared extends ParameterDeclaration<never>> = Declared extends { default: infer Default } ?
  Default extends (...of: never[]) => infer Made ? Widened<Made> : Widened<Default> :
  ParameterValue;
type Widened<T> = T extends number ? number : T extends string ? string : T extends boolean ? boolean : never;
/** Parameters as handlers see them. */
export type ValuesOf<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends ParameterDeclaration<never> ? ValueOf<Declared[Name]> :
    ParameterValue;
};

/** The state as handlers see it. */
export type StateOf<Declared> = {
  -readonly [Name in keyof Declared]: Declared[Name] extends readonly number[] ? StateList : number;
};
