/** Notes on transport settings that apply to no flow. */
import type { HostOverrideSpec, Transport } from '../scenario/spec.js';
import { applying, type NoteContext } from './note-context.js';

export function notesOnTransports(context: NoteContext): string[] {
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
        `${where}.reorderingWindowPackets is without effect: receivers of go-back-n keep nothing.`,
        (timeout ?? retransmitTimeoutUs) !== undefined && allIrn &&
          `${where}.${
              timeout === undefined ? 'retransmitTimeoutUs' : 'timeout'
            } is without effect: all flows have transport irn, ` +
            'whose timeouts are hosts.irn.timeoutLowUs and timeoutHighUs.')
    ),
  ];
}

/** Settings of transports that no flow has. */
function notesOnSettings({ plan, spec }: NoteContext, used: ReadonlySet<Transport>): string[] {
  return [
    ...applying(
      spec.hosts?.irn !== undefined && !used.has('irn') && 'hosts.irn is without effect: no flow has transport irn.',
    ),
    ...applying(spec.hosts?.tolerant !== undefined && !used.has('tolerant') &&
      'hosts.tolerant is without effect: no flow has transport tolerant.'),
    ...applying(spec.hosts?.mrc !== undefined && !used.has('mrc') &&
      'hosts.mrc is without effect: no flow has transport mrc.'),
    ...applying(plan.trimming !== undefined && !used.has('mrc') &&
      'switches.trimming is without effect: no flow has transport mrc, and only its packets are trimmed.'),
  ];
}
