/** Layout of a custom algorithm's state in the record of a QP: numbers in the order of the declaration, lists flattened. */
import { CUSTOM_STATE_BYTES_MAX } from '../../../abi/custom-layout.js';
import { checkField, checkRecord, reject } from '../../field-rules.js';
import type { StateDeclaration } from './declaration.js';

/** A field of the state: a number or a list of numbers. */
export interface StateField {
  readonly name: string;
  /** Index of its first number within the state. */
  readonly index: number;
  /** Length of a list; undefined for a single number. */
  readonly length: number | undefined;
  readonly initial: readonly number[];
}

const NAME = /^[a-zA-Z][a-zA-Z0-9]{0,63}$/;
const NAME_RULE = {
  allowed: 'a name of letters and digits that begins with a letter',
  accepts: (name: unknown) => NAME.test(String(name)),
};
const NUMBERS_MAX = CUSTOM_STATE_BYTES_MAX / 8;

/** @throws RoceError `invalid-config`, naming the field of the state. */
export function layOutState(state: StateDeclaration, where: string): readonly StateField[] {
  let index = 0;
  const fields = Object.entries(checkRecord(state, where)).map(([name, given]): StateField => {
    checkField(name, NAME_RULE, `${where}.${name}`);
    const initial = Array.isArray(given) ? (given as readonly unknown[]) : [given];
    initial.forEach((value, place) => {
      if (typeof value === 'number') return;
      reject({
        got: value,
        allowed: 'a number',
        where: Array.isArray(given) ? `${where}.${name}[${place}]` : `${where}.${name}`,
      });
    });
    const field = {
      name,
      index,
      length: Array.isArray(given) ? initial.length : undefined,
      initial: initial as number[],
    };
    index += initial.length;
    return field;
  });
  if (index > NUMBERS_MAX)
    reject({ what: 'the size of the state', got: index, allowed: { max: NUMBERS_MAX, unit: 'numbers' }, where });
  return fields;
}

/** Initial values of all numbers of the state, in order. */
export function numbersOf(fields: readonly StateField[]): readonly number[] {
  return fields.flatMap(({ initial }) => initial);
}
