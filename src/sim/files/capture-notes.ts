/** Notes on a capture of simulated packets: where its frames differ from the simulation. */
import { noteMaker, type NoteOf } from '../../note-record.js';
import type { Fidelity } from '../scenario/spec.js';

const SENTENCES = {
  'headers-of-standard': ({ fidelity }: { readonly fidelity: Fidelity }) =>
    `Headers are those of RoCEv2 over IPv6; fidelity ${fidelity} simulates shorter ones, so lengths here differ from the simulated ones.`,
  'conweave-replies-left-out': () =>
    'Replies of the destination leaf in ConWeave have no published format and are left out.',
  'credit-packets-left-out': () => 'Credit packets have no format in RoCEv2 and are left out.',
  'frames-truncated': ({ snapLengthBytes }: { readonly snapLengthBytes: number }) =>
    `Frames are truncated to ${snapLengthBytes} bytes; ICRCs of longer ones can't be checked.`,
  'traces-not-kept': () => "Traces in Fast CNPs are free space: what switches recorded isn't kept.",
};

/** A note on a capture. */
export type CaptureNote = NoteOf<typeof SENTENCES>;

export const captureNote = noteMaker(SENTENCES);
