/** How often a port's reserve and headroom are set aside: once per class that has them, or once for all (reference). */

/** @returns how many of eight classes bits say. */
export function classesIn(bits: number): number {
  let count = 0;
  for (let left = bits; left > 0; left >>>= 1) count += left & 1;
  return count;
}

export function timesSetAside({ guaranteedClasses }: { readonly guaranteedClasses?: number | undefined }): number {
  return guaranteedClasses === undefined ? 1 : classesIn(guaranteedClasses);
}
