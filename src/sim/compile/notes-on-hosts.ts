/** Notes on host settings, general or of single hosts. */
import { READS_CNPS } from '../../abi/algorithms.js';
import type { HostOverrideSpec } from '../scenario/spec.js';
import { note, type Note } from '../notes/note.js';
import type { NoteContext } from './note-context.js';

type HostKey = keyof HostOverrideSpec;

/** In the order in which notes name them. */
const KEYS_OF_CNPS: readonly HostKey[] = ['cnpIntervalUs', 'cnpDelayUs', 'notificationPoint'];
const KEYS_OF_SENDERS: readonly HostKey[] = ['retransmitTimeoutUs', 'mtuBytes'];

export function notesOnHosts(context: NoteContext): Note[] {
  const { spec } = context;
  const ofAll = notesOnCnps(context, spec.hosts ?? {}, 'hosts');
  const own = (spec.overrides ?? []).flatMap(({ nodes, host },
    i) => (host === undefined ? [] : notesOnOwn(context, nodes, host, `overrides[${i}].host`))
  );
  return [...ofAll, ...own];
}

/** Notes on CNP settings in runs that have no CNPs. */
function notesOnCnps({ valid, algorithmsInUse }: NoteContext, host: HostOverrideSpec, where: string): Note[] {
  const keys = givenOf(host, KEYS_OF_CNPS);
  if (keys.length === 0) return [];
  if (valid.fidelity !== 'standard') return [note('cnps-under-reference', { host: where, keys })];
  const isRead = algorithmsInUse.some(({ traits }) => traits & READS_CNPS);
  return isRead ? [] : [note('cnps-unread', { host: where, keys })];
}

function notesOnOwn(context: NoteContext, nodes: readonly string[], host: HostOverrideSpec, where: string): Note[] {
  const { flows } = context.plan;
  const cnps = notesOnCnps(context, host, where);
  const receivers = new Set(flows.destination);
  const senders = new Set(flows.source);
  return [
    ...(cnps.length > 0 ?
      cnps :
      notesOnIdle(context, nodes, receivers, givenOf(host, KEYS_OF_CNPS), { host: where, role: 'receiver' })),
    ...notesOnIdle(context, nodes, senders, givenOf(host, KEYS_OF_SENDERS), { host: where, role: 'sender' }),
  ];
}

/** Notes on settings of hosts that have no flow to which they would apply. */
function notesOnIdle({ valid }: NoteContext, names: readonly string[], busy: ReadonlySet<number>,
  keys: readonly HostKey[], about: { readonly host: string; readonly role: 'sender' | 'receiver' }): Note[] {
  if (keys.length === 0) return [];
  const nodes = names.filter((name) => !busy.has(valid.network.nodes.findIndex((node) => node.name === name)));
  return nodes.length === 0 ? [] : [note('host-idle', { ...about, keys, nodes })];
}

function givenOf(host: HostOverrideSpec, keys: readonly HostKey[]): HostKey[] {
  return keys.filter((key) => host[key] !== undefined);
}
