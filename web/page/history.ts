/** The user's states, for undo and redo. */

const MOST = 100;

export class History<State> {
  readonly #states: State[] = [];
  readonly #keyOf: (state: State) => string;
  #at = -1;

  /** @param keyOf returns the same key for equal states. */
  constructor(keyOf: (state: State) => string) {
    this.#keyOf = keyOf;
  }

  get canUndo(): boolean {
    return this.#at > 0;
  }

  get canRedo(): boolean {
    return this.#at < this.#states.length - 1;
  }

  /** Adds a state and drops those that were undone; does nothing if it equals the current state. */
  add(state: State): void {
    const present = this.#states[this.#at];
    if (present !== undefined && this.#keyOf(present) === this.#keyOf(state)) return;
    this.#states.length = this.#at + 1;
    this.#states.push(state);
    if (this.#states.length > MOST) this.#states.shift();
    this.#at = this.#states.length - 1;
  }

  /** Returns the previous state; undefined if this is the first. */
  undo(): State | undefined {
    return this.canUndo ? this.#states[--this.#at] : undefined;
  }

  /** Returns the state that was undone last. */
  redo(): State | undefined {
    return this.canRedo ? this.#states[++this.#at] : undefined;
  }
}
