/** Notes on transport settings that apply to no flow. */
import type { HostOverrideSpec, Transport } from '../../scenario/spec.js';
import { applying, note, type Note } from '../../notes/note.js';
import type { NoteContext } from '../../compile/note-context.js';

export function notesOnTransports(context: NoteContext): Note[] {
  const { valid, plan, spec } = context;
  if (valid.fidelity !== 'standard') return [];
  const used = new Set<Transport>(plan.transports?.kinds.map(({ transport }) => transport) ?? ['go-back-n']);
  const given: readonly (readonly [string, HostOverrideSpec])[] = [
    ['hosts', spec.hosts ?? {}],
    ...(spec.overrides ?? []).map(({ host }, i) => [`overrides[${i}].host`, host ?? {}] as const),
  ];
  const keepsNone = used.size === 1 && used.has('go-back-n');
  const allIrn = used.size === 1 && used.has('irn');
  return [
    ...notesOnSettings(context, used),
    ...given.flatMap(([where, { reorderingWindowPackets, timeout, retransmitTimeoutUs }]) =>
      applying(reorderingWindowPackets !== undefined && keepsNone &&
        note('nothing-reordered', { setting: `${where}.reorderingWindowPackets` }),
        (timeout ?? retransmitTimeoutUs) !== undefined && allIrn &&
          note('irn-timeouts', { setting: `${where}.${timeout === undefined ? 'retransmitTimeoutUs' : 'timeout'}` }))
    ),
  ];
}

/** Notes on settings of transports that no flow uses. */
function notesOnSettings({ plan, spec }: NoteContext, used: ReadonlySet<Transport>): Note[] {
  return [
    ...applying(spec.hosts?.irn !== undefined && !used.has('irn') &&
      note('transport-unused', { setting: 'hosts.irn', transport: 'irn' })),
    ...applying(spec.hosts?.tolerant !== undefined && !used.has('tolerant') &&
      note('transport-unused', { setting: 'hosts.tolerant', transport: 'tolerant' })),
    ...applying(spec.hosts?.mrc !== undefined && !used.has('mrc') &&
      note('transport-unused', { setting: 'hosts.mrc', transport: 'mrc' })),
    ...applying(plan.trimming !== undefined && !used.has('mrc') &&
      note('nothing-trimmed', { setting: 'switches.trimming' })),
  ];
}
