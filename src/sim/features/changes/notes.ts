/** One note per change of settings, so that a result states which settings were in effect when. */
import { note, type Note } from '../../notes/note.js';
import type { NoteContext } from '../../compile/note-context.js';

export function notesOnChanges({ valid: { changes, endPs } }: NoteContext): Note[] {
  return changes.map(({ timePs: atPs, set }, change) =>
    atPs >= endPs ?
      note('change-after-end', { change, atPs }) :
      note('settings-change', { change, atPs, set })
  );
}
