/**
 * The sentence of each note on tuned parameters as adapters' settings, by its code; its parameter declares the note's
 * values. Notes are data; only this file contains their text.
 */
import { noteMaker, type NoteOf } from '../../note-record.js';

const SENTENCES = {
  'value-rounded': ({ setting, written, wanted }: {
    /** The setting's name at the vendor. */
    readonly setting: string;
    readonly written: number;
    /** The exact value for the parameter. */
    readonly wanted: number;
  }) => `${setting}: ${written} instead of ${Number(wanted.toPrecision(6))}.`,
  'alpha-as-retention': () => 'DCE_TCP_G is written as retention: 1024 (1 - g).',
  'byte-reset-in-units': ({ unitBytes }: { readonly unitBytes: number }) =>
    `RPG_BYTE_RESET is written in units of ${unitBytes} bytes.`,
  'increases-of-path': ({ mssBytes, rttPs }: { readonly mssBytes: number; readonly rttPs: number }) =>
    `dcqcn_rai_factor and dcqcn_hai_factor are for an MSS of ${mssBytes} bytes and a round-trip time of ${rttPs} ps.`,
  'no-setting-of-alpha': () => 'The driver has no setting for the gain, the period and the first value of alpha.',
};

/** A note on what an adapter's settings cannot express, or on how they are written. */
export type WrittenSettingNote = NoteOf<typeof SENTENCES>;

export const writtenSettingNote = noteMaker(SENTENCES);
