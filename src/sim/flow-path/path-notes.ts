/** Notes on the path of a flow: what could not be followed. */
import { noteMaker, type NoteOf } from '../../note-record.js';

/** A packet, and how far it was seen. */
interface LastSeen {
  readonly flow: number;
  /** First byte of the packet. */
  readonly sequence: number;
  /** The last port that it left; null: it left none. */
  readonly port: string | null;
  /** When it left that port; null: it left none. */
  readonly atPs: number | null;
}

/** The sentences leave the figures to programs. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- an interface has no index signature
type Sentences = {
  readonly 'notification-not-found': (figures: { readonly flow: number }) => string;
  readonly 'data-not-delivered': (figures: LastSeen) => string;
};

const SENTENCES: Sentences = {
  'notification-not-found': () =>
    'No packet that notified the sender of congestion was found: it reacted to a loss, or too many packets were in flight.',
  'data-not-delivered': () => 'The data packet was lost, or was still in flight when the flow was no longer followed.',
};

/** A note on the path of a flow. */
export type FlowPathNote = NoteOf<Sentences>;

export const pathNote = noteMaker(SENTENCES);
