/** One note per change of settings, so that a result states what held when. */
import type { NoteContext } from './note-context.js';

const PS_PER_US = 1e6;

export function notesOnChanges({ valid: { changes, endPs } }: NoteContext): string[] {
  return changes.map(({ timePs, set }, i) => {
    const atUs = (timePs / PS_PER_US).toLocaleString('en');
    if (timePs >= endPs) return `changes[${i}] is without effect: the run ends before ${atUs} µs.`;
    return `From ${atUs} µs on: ${Object.entries(set).map(([path, value]) => `${path} = ${value}`).join(', ')}.`;
  });
}
