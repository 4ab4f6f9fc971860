/**
 * Counts how many times a port's reserve and headroom are set aside: once per guaranteed class, or once for all
 * (reference).
 */

/** @returns the number of classes in a mask of eight bits. */
export function classesIn(bits: number): number {
  let count = 0;
  for (let left = bits; left > 0; left >>>= 1) count += left & 1;
  return count;
}

export function timesSetAside({ guaranteedClasses }: { readonly guaranteedClasses?: number | undefined }): number {
  return guaranteedClasses === undefined ? 1 : classesIn(guaranteedClasses);
}
