/**
 * The sentence of each note of the readers of reference simulators' files, by code; each function's parameter declares the
 * note's figures. `where` is a position in a file; keys are those of a config file.
 */
import { noteMaker, type NoteOf } from '../../note-record.js';

interface OfKeys {
  readonly keys: readonly string[];
}

/** Keys, and the position of the first. */
interface PlacedKeys {
  readonly keys: readonly { readonly key: string; readonly where: string }[];
}

const SENTENCES = {
  // ---- Keys of a config file
  'keys-of-other-modes': ({ keys, mode, name }: OfKeys & { readonly mode: number; readonly name: string }) =>
    `Without effect under CC_MODE ${mode} (${name}): ${keys.join(', ')}.`,
  'keys-without-effect': ({ keys }: OfKeys) =>
    `Without effect in the reference simulator and here: ${keys.join(', ')}.`,
  'keys-of-output': ({ keys }: OfKeys) =>
    `Only name what the reference simulator writes; results here have their own files: ${keys.join(', ')}.`,
  'defaults-assumed': ({ keys }: {
    readonly keys: readonly { readonly key: string; readonly value: string }[];
  }) =>
    `Not given, so the defaults of the reference simulator hold: ${
      keys.map(({ key, value }) => `${key} ${value}`).join(', ')
    }.`,
  'output-of-other-simulators': ({ keys }: PlacedKeys) =>
    `Keys of another simulator's files that only name what it writes: ${placed(keys)}.`,
  'unknown-keys': ({ keys }: PlacedKeys) => `Unknown keys, ignored as requested: ${placed(keys)}.`,
  'rates-given-twice': ({ key, ratesBps }: { readonly key: string; readonly ratesBps: readonly string[] }) =>
    `${key} gives these rates twice, and the last value holds, as in the reference simulator: ${ratesBps.join(', ')}.`,
  'ack-interval': ({ intervalBytes, chunkBytes }: {
    readonly intervalBytes: number;
    /** The value as in the file. */
    readonly chunkBytes: string;
  }) =>
    `L2_ACK_INTERVAL ${intervalBytes}: as in the reference simulator, a flow's bytes below ${intervalBytes} are acknowledged at multiples ` +
    `of L2_CHUNK_SIZE ${chunkBytes} alone, and from there on packet by packet; a flow that ends before may never be.`,
  'window-off': () => 'VAR_WIN 1 is without effect, because HAS_WIN is 0.',
  'marking-off': ({ keys }: OfKeys) => `Without effect, because ENABLE_QCN is 0: ${keys.join(', ')}.`,
  'back-to-zero': () =>
    'L2_BACK_TO_ZERO 1 (losses send a flow back by whole chunks) is not modelled: here flows go back to the lost packet.',
  'intervals-truncated': ({ keys }: OfKeys) =>
    `Cut off to whole microseconds, as the reference simulator does: ${keys.join(', ')}.`,

  // ---- Files of topologies and flows
  'leaves-without-effect': ({ leaves, where }: { readonly leaves: number; readonly where: string }) =>
    `The number of leaves, ${leaves} in ${where}, changes nothing here.`,
  'more-than-counted': ({ of, total, counted, where }: {
    readonly of: 'links' | 'flows';
    readonly total: number;
    /** Number of entries that the file's first line states. */
    readonly counted: number;
    /** Position of the first entry beyond that number. */
    readonly where: string;
  }) => `There are ${total} ${of}, but the first line says ${counted}: left out from ${where} on.`,

  // ---- SimAI
  'link-down-from': ({ value }: { readonly value: string }) =>
    `LINK_DOWN ${value}: the time counts from 2 s, as in the HPCC authors' simulator; ` +
    'a job that ends before has all links.',
  'no-config': () => 'There is no SimAI.conf: the defaults of roce-cc hold.',
  'no-topology': () => 'There is no topology: one switch, a host for each GPU.',
  'send-delay': ({ sendOverheadNs }: { readonly sendOverheadNs: number }) =>
    `Each send waits ${sendOverheadNs} ns, as AS_SEND_LAT of SimAI.`,
  'nvswitch-settings': () => 'NVSwitches mark and pause nothing, as in SimAI, and have 4 GiB of buffer each.',
  'loss-without-timeout': () =>
    'Links lose packets, and fidelity reference has no retransmission timeout: a message that loses its last packet never ends.',
};

/** A note on files of a reference simulator that were read: keys without effect, assumptions, differences. */
export type ReferenceNote = NoteOf<typeof SENTENCES>;

export const referenceNote = noteMaker(SENTENCES);

function placed(keys: PlacedKeys['keys']): string {
  return keys.map(({ key, where }) => `${key} (${where})`).join(', ');
}
