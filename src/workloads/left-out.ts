/** Counts what a file states and the run does without, for notes: how often, and where first. */
export class LeftOut {
  readonly #found = new Map<string, { readonly one: string; count: number; readonly first: string }>();

  /**
   * @param what a clause without a full stop: `collectives have is_cpu_op true and are not sent`.
   * @param one the same of a single one: `collective has is_cpu_op true and is not sent`. Default `what`.
   */
  add(what: string, where: string, count = 1, one = what): void {
    const known = this.#found.get(what);
    if (known === undefined) this.#found.set(what, { one, count, first: where });
    else known.count += count;
  }

  /** One sentence each, in the order of their first places: `4 collectives have ...: first at w.0.et, node 3.` */
  notes(): string[] {
    return [...this.#found].map(([what, { one, count, first }]) =>
      `${count} ${count === 1 ? one : what}: first at ${first}.`
    );
  }
}
