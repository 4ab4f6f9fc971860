/** Counts what a file states and the run does without, for notes: how often, and where first. */
export class LeftOut {
  readonly #found = new Map<string, { count: number; readonly first: string }>();

  /** @param what a clause without a full stop: `collectives have is_cpu_op true and are not sent`. */
  add(what: string, where: string, count = 1): void {
    const known = this.#found.get(what);
    if (known === undefined) this.#found.set(what, { count, first: where });
    else known.count += count;
  }

  /** One sentence each, in the order of their first places: `4 collectives have ...: first at w.0.et, node 3.` */
  notes(): string[] {
    return [...this.#found].map(([what, { count, first }]) => `${count} ${what}: first at ${first}.`);
  }
}
