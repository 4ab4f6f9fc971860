/** Rules of parameters and settings as tables of C: names, ranges, choices. */
import type { FieldRule } from '../../src/config/field-rules.js';
import type { AllowedRange } from '../../src/errors.js';
import { double, quoted } from './c-source.js';

/** Kinds of native/rules.h. */
type Kind = 'NUMBER' | 'NUMBERS' | 'CHOICE' | 'FLAG' | 'SET' | 'NUMBER_OR_WORD' | 'ACCESS_LIST';

interface RuleParts {
  readonly kind: Kind;
  readonly range?: AllowedRange;
  /** A number that is allowed outside of the range. */
  readonly extra?: number;
  readonly choices?: readonly string[];
  readonly numbers?: readonly number[];
}

/** Rules whose values are lists. */
const SETS: Readonly<Record<string, readonly string[]>> = { signalSources: ['acks', 'fast-cnps', 'cnps'] };

function isRange(value: unknown): value is AllowedRange {
  return typeof value === 'object' && value !== null;
}

/** What a rule allows, by its kind. @throws Error for a rule of a kind that C does not know. */
function partsOf(name: string, { allowed }: FieldRule): RuleParts {
  if (name === 'accessList') return { kind: 'ACCESS_LIST' };
  if (name in SETS) return { kind: 'SET', choices: SETS[name] };
  if (isRange(allowed) && !Array.isArray(allowed)) return { kind: 'NUMBER', range: allowed };
  if (!Array.isArray(allowed)) throw new Error(`the rule of ${name} has no form in C`);
  const values = allowed as readonly unknown[];
  if (values.every((value) => typeof value === 'boolean')) return { kind: 'FLAG' };
  if (values.every((value) => typeof value === 'string')) return { kind: 'CHOICE', choices: values };
  if (values.every((value) => typeof value === 'number')) return { kind: 'NUMBERS', numbers: values };
  const range = values.find(isRange);
  const other = values.find((value) => !isRange(value));
  if (values.length !== 2 || range === undefined) throw new Error(`the rule of ${name} has no form in C`);
  if (typeof other === 'string') return { kind: 'NUMBER_OR_WORD', range, choices: [other] };
  return { kind: 'NUMBER', range, extra: Number(other) };
}

/** An initialiser of struct rule, and the arrays that it points at. */
export class RuleWriter {
  readonly arrays: string[] = [];

  /** @param name of the field, the last part of a path. @param path as C knows it. */
  rule(path: string, name: string, rule: FieldRule): string {
    const { kind, range = {}, extra, choices = [], numbers = [] } = partsOf(name, rule);
    const { min = -Infinity, max = Infinity, multipleOf, unit = '' } = range;
    const words = choices.length === 0 ? 'NULL' : this.#array('const char *const', choices.map(quoted));
    const values = numbers.length === 0 ? 'NULL' : this.#array('const double', numbers.map(double));
    const fields = [
      quoted(path),
      `RULE_${kind}`,
      multipleOf === undefined ? '0' : '1',
      extra === undefined ? '0' : '1',
      String(choices.length + numbers.length),
      double(Number(min)),
      double(Number(max)),
      double(extra ?? 0),
      words,
      values,
      quoted(unit),
    ];
    return `{${fields.join(', ')}}`;
  }

  /** A value in the units of C: a choice by its index, a flag as 0 or 1, a set as bits. */
  valueOf(name: string, rule: FieldRule, value: unknown): number {
    const { kind, choices = [] } = partsOf(name, rule);
    if (kind === 'FLAG') return Number(value);
    if (kind === 'SET')
      return choices.reduce((bits, choice, bit) => bits + ((value as string[]).includes(choice) ? 2 ** bit : 0), 0);
    if (kind === 'CHOICE') return choices.indexOf(value as string);
    if (kind === 'NUMBER_OR_WORD' && typeof value === 'string') return -1;
    return Number(value);
  }

  #array(type: string, items: readonly string[]): string {
    const text = `[] = {${items.join(', ')}};`;
    const known = this.arrays.findIndex((array) => array.endsWith(text) && array.includes(type));
    if (known >= 0) return `words_${known}`;
    this.arrays.push(`static ${type} words_${this.arrays.length}${text}`);
    return `words_${this.arrays.length - 1}`;
  }
}
