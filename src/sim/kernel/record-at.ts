/** Addresses of records in regions of the kernel's memory. */
import type { SimAbi } from './sim-abi.js';

/** Address of a record. @param region SIM_*. @param index of the record in its region. */
export function recordAt(abi: SimAbi, region: number, { bytes }: { readonly bytes: number }, index: number): number {
  return (abi.simRegion(region) >>> 0) + index * bytes;
}
