import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { CAPTURES, readTruth } from '../../support/captures.js';
import { fromHex } from './hex.js';

/** The known values of a frame, all columns as text. */
export type Truth = Record<string, string>;

export interface KnownFrame {
  readonly truth: Truth;
  readonly bytes: Uint8Array;
}

function readCsv(url: URL): Truth[] {
  return parse(readFileSync(url), { columns: true });
}

/** Frames of the capture corpus that are stored with the tests, from the link header. */
export function readKnownFrames(): KnownFrame[] {
  const rows = readCsv(new URL('../../data/wire/frames.csv', import.meta.url));
  return rows.map((truth) => ({ truth, bytes: fromHex(truth.frame_hex) }));
}

/** All frames of a little-endian pcap of the corpus. */
export function readCapture(name: string): KnownFrame[] {
  const bytes = new Uint8Array(readFileSync(`${CAPTURES}${name}.pcap`));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const truths = readTruth(`${name}.csv`);
  let at = 24;
  return truths.map((truth) => {
    const length = view.getUint32(at + 8, true);
    const frame = bytes.slice(at + 16, at + 16 + length);
    at += 16 + length;
    return { truth, bytes: frame };
  });
}
