/**
 * The small corpus test/data/parser/corpus.csv: one frame of each class and of each anomaly, with the expected fields
 * in the columns that `truth.ts` reads, plus `capture`, `link` and `octets` (hex).
 */
import { LINK_ETHERNET, LINK_RAW_IP } from '../../../src/abi/codes.js';
import type { CapturedFrame } from './captures.js';
import { readRows, type Row } from './truth.js';

export interface CorpusEntry {
  readonly row: Row;
  readonly frame: CapturedFrame;
}

const CORPUS = new URL('../../data/parser/corpus.csv', import.meta.url);

export function readCorpus(): CorpusEntry[] {
  return readRows(CORPUS.pathname).map((row) => ({
    row,
    frame: {
      bytes: Uint8Array.from(Buffer.from(row['octets'] ?? '', 'hex')),
      original: Number(row['len']),
      link: row['link'] === 'raw' ? LINK_RAW_IP : LINK_ETHERNET,
    },
  }));
}
