/** Notes on settings of hosts, all of them or single ones. */
import { READS_CNPS } from '../../abi/algorithms.js';
import type { HostOverrideSpec } from '../scenario/spec.js';
import { listNames } from '../scenario/scenario-error.js';
import type { NoteContext } from './note-context.js';

type HostKey = keyof HostOverrideSpec;

/** In the order in which they are stated. */
const KEYS_OF_CNPS: readonly HostKey[] = ['cnpIntervalUs', 'cnpDelayUs', 'notificationPoint'];
const KEYS_OF_SENDERS: readonly HostKey[] = ['retransmitTimeoutUs', 'mtuBytes'];

export function notesOnHosts(context: NoteContext): string[] {
  const { spec } = context;
  const ofAll = notesOnCnps(context, spec.hosts ?? {}, 'hosts');
  const own = (spec.overrides ?? []).flatMap(({ nodes, host },
    i) => (host === undefined ? [] : notesOnOwn(context, nodes, host, `overrides[${i}].host`))
  );
  return [...ofAll, ...own];
}

/** Settings of CNPs in runs without CNPs. */
function notesOnCnps({ valid, algorithmsInUse }: NoteContext, host: HostOverrideSpec, where: string): string[] {
  const given = givenOf(host, KEYS_OF_CNPS);
  if (given.length === 0) return [];
  const subject = `${where}.${given.join(' and ')} ${given.length === 1 ? 'is' : 'are'} without effect`;
  if (valid.fidelity !== 'standard') {
    return [`${subject} under fidelity reference: it has no CNP packets, each ACK repeats its packet's mark.`];
  }
  const isRead = algorithmsInUse.some(({ traits }) => traits & READS_CNPS);
  return isRead ? [] : [`${subject}: no algorithm in use reacts to CNPs.`];
}

function notesOnOwn(context: NoteContext, nodes: readonly string[], host: HostOverrideSpec, where: string): string[] {
  const { flows } = context.plan;
  const cnps = notesOnCnps(context, host, where);
  const receivers = new Set(flows.destination);
  const senders = new Set(flows.source);
  return [
    ...(cnps.length > 0 ?
      cnps :
      notesOnIdle(context, nodes, receivers, givenOf(host, KEYS_OF_CNPS), { where, why: 'receives no flow' })),
    ...notesOnIdle(context, nodes, senders, givenOf(host, KEYS_OF_SENDERS), { where, why: 'sends no flow' }),
  ];
}

/** Settings of hosts that take part in no flow to which they would apply. */
function notesOnIdle({ valid }: NoteContext, names: readonly string[], busy: ReadonlySet<number>,
  given: readonly HostKey[], { where, why }: { readonly where: string; readonly why: string }): string[] {
  if (given.length === 0) return [];
  const idle = names.filter((name) => !busy.has(valid.network.nodes.findIndex((node) => node.name === name)));
  if (idle.length === 0) return [];
  return [
    `${where}.${given.join(' and ')} ${given.length === 1 ? 'is' : 'are'} without effect where a host ${why}: ${
      listNames(idle)
    }.`,
  ];
}

function givenOf(host: HostOverrideSpec, keys: readonly HostKey[]): HostKey[] {
  return keys.filter((key) => host[key] !== undefined);
}
