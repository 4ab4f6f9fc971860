/** Anchors of headings, the same as GitHub's, so that links between files work in both places. */

/** Makes the anchors of one file's headings, in order; a second heading of the same name gets `-1`. */
export class Slugs {
  readonly #taken = new Map<string, number>();

  next(heading: string): string {
    const base = heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replaceAll(/\s/g, '-');
    const count = this.#taken.get(base) ?? 0;
    this.#taken.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  }
}
