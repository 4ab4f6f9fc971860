/** Names that a file states and the run does without: one note for all of them, with their number and first place. */

/** More names than these are only counted: a file may have any number of them. */
const NAMES_MAX = 16;

export class NamesWithoutEffect {
  readonly #what: string;
  readonly #names = new Set<string>();
  #others = 0;
  #count = 0;
  #first = '';

  /** @param what that they are, in the plural: `attributes`. */
  constructor(what: string) {
    this.#what = what;
  }

  add(name: string, where: string): void {
    if (this.#count++ === 0) this.#first = where;
    if (this.#names.has(name)) return;
    if (this.#names.size < NAMES_MAX) this.#names.add(name);
    else this.#others++;
  }

  /** None, or one: `12 attributes have no effect (comm_priority, tid): first at w.0.et, node 3.` */
  notes(): string[] {
    if (this.#count === 0) return [];
    const more = this.#others === 0 ? [] : ['others'];
    const names = [...[...this.#names].sort(), ...more].join(', ');
    return [`${this.#count} ${this.#what} have no effect (${names}): first at ${this.#first}.`];
  }
}
