/** Reads the attributes of an element: validates used ones, counts unused ones, and rejects unknown ones. */
import type { LeftOut } from '../left-out.js';
import { rejectWorkload } from '../workload-error.js';
import { attributesOf } from './format.js';
import type { XmlElement } from './xml-reader.js';

/** Describes the file and line of an element. */
export type Where = (element: XmlElement) => string;

const WHOLE_MAX = 2 ** 31;

/** Attributes of one element. */
export class ElementValues {
  readonly #element: XmlElement;
  readonly #where: Where;

  constructor(element: XmlElement, where: Where, left: LeftOut) {
    this.#element = element;
    this.#where = where;
    const known = attributesOf(element.name);
    // Elements for other libraries repeat the attributes of net.
    if (element.name === 'gin' || element.name === 'rma') return;
    for (const key of element.attributes.keys()) {
      const item = known.get(key);
      if (item === undefined) this.#rejectAttribute(key, [...known.keys()]);
      if (item.treatment === 'noted')
        left.add('attribute-without-effect', where(element), 1, { element: element.name, attribute: key });
    }
  }

  text(key: string, missing?: string): string {
    const value = this.#element.attributes.get(key) ?? missing;
    if (value !== undefined) return value;
    const what = `the attribute ${key} of ${this.#element.name}`;
    return rejectWorkload('MISSING_KEY', { what, problem: 'is missing', where: this.#where(this.#element) });
  }

  /** Reads a whole number; -1 means none. */
  whole(key: string, missing?: number): number {
    const value = this.number(key, missing);
    return Number.isInteger(value) ? value : this.#rejectValue(key, 'a whole number');
  }

  number(key: string, missing?: number): number {
    const text = this.text(key, missing === undefined ? undefined : String(missing));
    const isNumber = /^(?:-?\d{1,10}(?:\.\d{1,10})?|0x[\da-f]{1,8})$/i.test(text);
    const value = isNumber ? Number(text) : NaN;
    return value >= -1 && value <= WHOLE_MAX ? value : this.#rejectValue(key, 'a number');
  }

  #rejectValue(key: string, allowed: string): never {
    const what = `the attribute ${key} of ${this.#element.name}`;
    const got = this.#element.attributes.get(key);
    return rejectWorkload('XML_SYNTAX', { what, got, allowed, where: this.#where(this.#element) });
  }

  #rejectAttribute(key: string, allowed: readonly string[]): never {
    const what = `the attribute of ${this.#element.name}`;
    return rejectWorkload('UNKNOWN_TOKEN', { what, got: key, allowed, where: this.#where(this.#element) });
  }
}
