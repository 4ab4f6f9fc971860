/** Anchors of headings, as GitHub makes them: links between files work in both places. */

/** Makes anchors of one file's headings, in their order: the second of a name gets `-1`. */
export class Slugs {
  readonly #taken = new Map<string, number>();

  next(heading: string): string {
    const base = heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replaceAll(/\s/g, '-');
    const count = this.#taken.get(base) ?? 0;
    this.#taken.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  }
}
