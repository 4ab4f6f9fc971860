/** Runs a table when its header is defined, to record the position of each field. */
import { type FieldTable, type LengthRule, type NumberRule, only } from './field-table.js';
import { Field, type FieldForm, type FieldOptions } from './field.js';

/** Collects the fields of a table, in wire order. Its methods return fields instead of values. */
export class FieldList implements FieldTable {
  readonly fields: Field[] = [];
  /** The field that states the length of the header, if there is one. */
  lengthField: Field | undefined;
  /** The field that takes the rest of the header, if there is one. */
  restField: Field | undefined;
  #bits = 0;

  /** Total length of all fields, bytes. */
  get bytes(): number {
    return this.#bits / 8;
  }

  bits(count: number, fallback?: number): never {
    return this.#add(count, 'number', { fallback });
  }
  flag(fallback?: boolean): never {
    return this.#add(1, 'flag', { fallback });
  }
  ruled(rule: NumberRule, count: number, fallback?: number): never {
    return this.#add(count, 'number', { rule, fallback });
  }
  wide(): never {
    return this.#add(64, 'wide', {});
  }
  bytesOf(count: number): never {
    return this.#add(8 * count, 'bytes', {});
  }
  ipv4Address(): never {
    return this.#add(32, 'ipv4-address', {});
  }
  length(count: number, lengthRule: LengthRule): never {
    this.lengthField = this.#add(count, 'number', { lengthRule });
    return this.lengthField;
  }
  rest(maximumBytes = Infinity, fallback?: Uint8Array): never {
    this.restField = new Field(this.#bits, 0, 'bytes', { fallback, maximumBytes });
    return this.restField as never;
  }
  constant(name: string, count: number, value: number): this {
    this.#hide(name, this.ruled(only(value), count, value));
    return this;
  }
  implied(name: string, count: number): this {
    this.#hide(name, this.bits(count));
    return this;
  }
  impliedLength(name: string, count: number, lengthRule: LengthRule): this {
    this.#hide(name, this.length(count, lengthRule));
    return this;
  }

  #add(count: number, form: FieldForm, options: FieldOptions): never {
    const field = new Field(this.#bits, count, form, options);
    this.fields.push(field);
    this.#bits += count;
    return field as never;
  }
  #hide(name: string, field: Field): void {
    field.name = name;
    field.isHidden = true;
  }
}
