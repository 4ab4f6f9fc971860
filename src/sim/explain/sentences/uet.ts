/** Sentences of findings on runs of fidelity `reference-uet`, by code; each function's parameter declares the figures. */
import { type Text, bytesWords, countWords, wholeWords } from '../text.js';

export const UET_SENTENCES = {
  'uet-packets-counted': ({ trimmedPackets, packetsDropped, markedPackets, retransmittedPackets }: {
    readonly trimmedPackets: number;
    readonly packetsDropped: number;
    readonly markedPackets: number;
    readonly retransmittedPackets: number;
  }): Text =>
    `Switches trimmed ${countWords(trimmedPackets, 'packet')}, dropped ${wholeWords(packetsDropped)} and marked ${
      wholeWords(markedPackets)
    }; senders retransmitted ${countWords(retransmittedPackets, 'packet')}.`,
  'uet-timeouts': ({ timeouts }: { readonly timeouts: number }): Text =>
    `${countWords(timeouts, 'retransmission timeout')} expired.`,
  'uet-longest-queue': ({ queueBytes }: { readonly queueBytes: number }): Text =>
    `The longest queue of data at any port was ${bytesWords(queueBytes)}.`,
};
