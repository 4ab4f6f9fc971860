/** Collects names in a file that have no effect: one note for all of them, with their number and first place. */
import { workloadNote, type WorkloadNote } from './notes.js';

/** Maximum number of names listed, because a file may have any number of them; further names are only counted. */
const NAMES_MAX = 16;

export class NamesWithoutEffect {
  readonly #code: 'names-without-effect' | 'unknown-names';
  readonly #names = new Set<string>();
  #hasOthers = false;
  #count = 0;
  #first = '';

  constructor(code: 'names-without-effect' | 'unknown-names') {
    this.#code = code;
  }

  add(name: string, where: string): void {
    if (this.#count++ === 0) this.#first = where;
    if (this.#names.has(name)) return;
    if (this.#names.size < NAMES_MAX) this.#names.add(name);
    else this.#hasOthers = true;
  }

  /** Returns no note or one. */
  notes(): WorkloadNote[] {
    if (this.#count === 0) return [];
    return [workloadNote(this.#code, {
      count: this.#count,
      where: this.#first,
      names: [...this.#names].sort(),
      hasOthers: this.#hasOthers,
    })];
  }
}
