/**
 * The sentence of each note of `roce-cc lint`, by its code; its parameter declares the note's values. Notes are data;
 * only this file contains their text.
 */
import { noteMaker, type NoteOf, type NoteRecord } from '../../note-record.js';

const NAMES_SHOWN = 4;

const POINTS = { reaction: 'reaction point', notification: 'notification point' } as const;

const SENTENCES = {
  // Prefixes with the node or port.
  'of-node': ({ node, note }: { readonly node: string; readonly note: NoteRecord }) => `${node}: ${note.text}`,
  'of-port': ({ node, port, note }: {
    readonly node: string;
    readonly port: string;
    readonly note: NoteRecord;
  }) => `${node}, ${port}: ${note.text}`,
  'of-ports': ({ ports, note }: { readonly ports: readonly string[]; readonly note: NoteRecord }) =>
    `${portsWords(ports)}: ${note.text}`,

  // Assumptions.
  'hosts-as-recommended': () => 'The hosts on both sides are assumed to have the recommended settings.',
  'traffic-class-is-priority': () => 'A traffic class (TC) of SONiC is called a priority here.',
  'points-not-in-output': () =>
    'roce_rp, roce_np and the marking of packets are not in the output of mlnx_qos: assumed as recommended.',
  'maps-not-in-settings': () => 'trust, maps, buffers and PFC are not among these settings: assumed as recommended.',
  'points-not-stated': ({ points, vendor }: {
    readonly points: readonly (keyof typeof POINTS)[];
    readonly vendor: 'nvidia' | 'intel';
  }) =>
    `the settings do not state where the ${points.map((point) => POINTS[point]).join(' and ')} is enabled${
      vendor === 'nvidia' ? ' (roce_rp, roce_np, ROCE_CC_PRIO_MASK)' : ''
    }: assumed as recommended.`,
  'notification-point-of-port': ({ priorities }: { readonly priorities: readonly number[] }) =>
    `the notification point is on for priorities ${priorities.join(', ')}, which enables it for the whole port ` +
    '(NVIDIA, HowTo Configure DCQCN for ConnectX-4).',
};

/** A note on what was linted: an assumption, or a contradiction in a file. */
export type LintNote = NoteOf<typeof SENTENCES>;

export const lintNote = noteMaker(SENTENCES);

/** Names of ports; of many, only the first few. */
export function portsWords(ports: readonly string[]): string {
  const names = ports.slice(0, NAMES_SHOWN).join(', ');
  return ports.length > NAMES_SHOWN ? `${names} and ${ports.length - NAMES_SHOWN} more` : names;
}
