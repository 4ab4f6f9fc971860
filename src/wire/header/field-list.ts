/** A table run when its header is defined: where each field is. */
import type { FieldTable } from './field-table.js';
import { Field, type FieldForm, type FieldOptions } from './field.js';

/** Collects the fields of a table, in wire order. Its methods return the fields in place of their values. */
export class FieldList implements FieldTable {
  readonly fields: Field[] = [];
  #bits = 0;

  /** Bytes of all fields. */
  get bytes(): number {
    return this.#bits / 8;
  }

  bits(count: number, fallback?: number): never {
    return this.#add(count, 'number', fallback === undefined ? {} : { fallback });
  }
  flag(fallback?: boolean): never {
    return this.#add(1, 'flag', fallback === undefined ? {} : { fallback });
  }
  upTo(maximum: number, count: number): never {
    return this.#add(count, 'number', { maximum });
  }
  exactly(value: number, count: number): never {
    return this.#add(count, 'number', { fallback: value, minimum: value, maximum: value });
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
  constant(name: string, count: number, value: number): this {
    this.#add(count, 'number', { name, fallback: value, minimum: value, maximum: value, isHidden: true });
    return this;
  }
  implied(name: string, count: number): this {
    this.#add(count, 'number', { name, isHidden: true });
    return this;
  }

  #add(count: number, form: FieldForm, options: FieldOptions): never {
    const field = new Field(this.#bits, count, form, options);
    this.fields.push(field);
    this.#bits += count;
    return field as never;
  }
}
