/** A value that notifies its readers when it changes. */
export class Signal<Value> {
  #value: Value;
  readonly #readers = new Set<(value: Value) => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set value(value: Value) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.notify();
  }

  /** Notifies readers that the value has changed internally. */
  notify(): void {
    for (const reader of [...this.#readers]) reader(this.#value);
  }

  onChange(reader: (value: Value) => void): void {
    this.#readers.add(reader);
  }
}
