/** Reads which classes a MAC control frame pauses, and for how long; ignores frames that are neither PFC nor PAUSE. */
import { MacControl } from '../../wire/link/mac-control.js';
import { Pfc } from '../../wire/link/pfc.js';

const PFC_TIMES = 4;

/**
 * @param frame with its opcode at `at`. @param found is called for classes 1 to 7: class 0 carries pause frames. PAUSE
 * stops all classes.
 */
export function readPauses(
  { bytes, at, end }: { readonly bytes: Uint8Array; readonly at: number; readonly end: number },
  found: (trafficClass: number, quanta: number) => void,
): void {
  const u16 = (offset: number): number => (bytes[offset] << 8) | bytes[offset + 1];
  if (at + 4 > end) return;
  const opcode = u16(at);
  if (opcode === MacControl.PAUSE) {
    for (let trafficClass = 1; trafficClass < Pfc.CLASS_COUNT; trafficClass += 1) found(trafficClass, u16(at + 2));
    return;
  }
  if (opcode !== MacControl.PFC || at + PFC_TIMES + 2 * Pfc.CLASS_COUNT > end) return;
  const enabled = u16(at + 2);
  for (let trafficClass = 1; trafficClass < Pfc.CLASS_COUNT; trafficClass += 1) {
    if ((enabled & (1 << trafficClass)) !== 0) found(trafficClass, u16(at + PFC_TIMES + 2 * trafficClass));
  }
}
