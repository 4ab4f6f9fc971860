/** Notes on the path of a flow: what could not be followed. */
import { noteMaker, type NoteOf } from '../../note-record.js';

/** A packet, and where it was seen last. */
interface LastSeen {
  readonly flow: number;
  /** First byte of the packet. */
  readonly sequence: number;
  /** The last port that it left by; null: it left by none. */
  readonly port: string | null;
  /** When it left that port; null: it left by none. */
  readonly atPs: number | null;
}

/** The figures are for programs; the sentences do not use all of them. */
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
