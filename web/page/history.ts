/** States that the reader has been through, to go back to: the newest first undone. */

const MOST = 100;

export class History<State> {
  readonly #states: State[] = [];
  readonly #keyOf: (state: State) => string;
  #at = -1;

  /** @param keyOf equal states have equal keys. */
  constructor(keyOf: (state: State) => string) {
    this.#keyOf = keyOf;
  }

  get canUndo(): boolean {
    return this.#at > 0;
  }

  get canRedo(): boolean {
    return this.#at < this.#states.length - 1;
  }

  /** Keeps a state; those that were undone are gone then. The present one again changes nothing. */
  add(state: State): void {
    const present = this.#states[this.#at];
    if (present !== undefined && this.#keyOf(present) === this.#keyOf(state)) return;
    this.#states.length = this.#at + 1;
    this.#states.push(state);
    if (this.#states.length > MOST) this.#states.shift();
    this.#at = this.#states.length - 1;
  }

  /** The state before; undefined: this is the first. */
  undo(): State | undefined {
    return this.canUndo ? this.#states[--this.#at] : undefined;
  }

  /** The state that was undone last. */
  redo(): State | undefined {
    return this.canRedo ? this.#states[++this.#at] : undefined;
  }
}
