/** Counts what a file contains but the run does not use, for notes: how often, and where first. */
import { workloadNote, type CountedCode, type FurtherFigures, type WorkloadNote } from './notes.js';

interface Found {
  readonly code: CountedCode;
  readonly figures: object;
  readonly where: string;
  count: number;
}

export class LeftOut {
  readonly #found = new Map<string, Found>();

  /** @param where file and place in it; @param figures of the code's note; different figures make a separate note. */
  add<Code extends CountedCode>(code: Code, where: string, count: number,
    ...further: object extends FurtherFigures<Code> ? [] : [figures: FurtherFigures<Code>]): void {
    const [figures = {}] = further as readonly object[];
    const key = `${code} ${JSON.stringify(figures)}`;
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { code, figures, where, count });
    else known.count += count;
  }

  /** Notes, in the order in which they first occur in the file. */
  notes(): WorkloadNote[] {
    return [...this.#found.values()].map(({ code, figures, where, count }) =>
      workloadNote(code, { ...figures, count, where })
    );
  }
}

/** Maximum number of names listed, because a file may have any number of them; further names are only counted. */
const NAMES_MAX = 16;

/** Collects names in a file that have no effect: one note for all of them, with their number and first place. */
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
