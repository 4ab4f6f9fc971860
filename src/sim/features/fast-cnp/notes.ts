/** Notes on Fast CNPs that have no effect: switches must send them, hosts accept them, and algorithms react to them. */
import { READS_CNPS } from '../../../abi/algorithms.js';
import { applying, note, type Note } from '../../notes/note.js';
import { maySendFastCnps, type NoteContext } from '../../compile/note-context.js';

export function notesOnFastCnp(context: NoteContext): Note[] {
  const { valid, spec } = context;
  const anySender = valid.switches.some((settings) => settings?.fastCnp === true);
  const hostsWant = spec.hosts?.acceptFastCnp === true;
  if (valid.fidelity !== 'standard' && (anySender || hostsWant)) {
    return [note('fast-cnp-under-reference')];
  }
  if (anySender) return notesWithSenders(context);
  return maySendFastCnps(valid) ? [] : notesWithoutSenders(context, hostsWant);
}

function notesWithoutSenders({ switchSpecs }: NoteContext, hostsWant: boolean): Note[] {
  const given = switchSpecs.flatMap(({ fastCnp }) => fastCnp ?? []);
  return applying(hostsWant && note('fast-cnp-not-generated'),
    given.some((fastCnp) => Object.keys(fastCnp).some((key) => key !== 'enabled')) &&
      note('fast-cnp-off-with-settings'));
}

function notesWithSenders({ plan, algorithmsInUse, algorithmNames }: NoteContext): Note[] {
  return applying(!plan.fastCnp.accepted &&
    note('fast-cnp-not-accepted'), !algorithmsInUse.some(({ traits }) => traits & READS_CNPS) &&
    note('fast-cnp-unread', { algorithms: algorithmNames }),
    plan.fastCnp.option === 2 && !algorithmsInUse.some(({ traits, telemetry }) => traits & READS_CNPS && telemetry) &&
      note('fast-cnp-telemetry-unread'));
}
