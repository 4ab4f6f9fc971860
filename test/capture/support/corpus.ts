import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { fileURLToPath } from 'node:url';
import { CAPTURE_FILES, CAPTURES } from '../../support/captures.js';

const LOCAL = new URL('../../captures/small/', import.meta.url);

/** One row of a CSV. */
export interface ExpectedFrame {
  /** Nanoseconds since the epoch; undefined when the record has no time. */
  readonly timeNs: bigint | undefined;
  readonly capturedBytes: number;
  readonly originalBytes: number;
}

export interface CorpusFile {
  readonly name: string;
  readonly path: string;
  readonly csvPath: string;
  readonly linkType: number;
}

const local = (name: string, csv: string): CorpusFile => ({
  name,
  path: localPath(name),
  csvPath: localPath(csv),
  linkType: 1,
});

/** Small captures, kept as they are. */
export const LOCAL_FILES: readonly CorpusFile[] = [
  local('mixed_50.pcap', 'mixed_50.csv'),
  local('mixed_50.pcap.gz', 'mixed_50.csv'),
  local('mixed_50.pcapng', 'mixed_50.csv'),
  local('mixed_be_us_50.pcap', 'mixed_be_us_50.csv'),
  local('modified_50.pcap', 'mixed_be_us_50.csv'),
  local('mixed_50.snoop', 'mixed_be_us_50.csv'),
  local('mixed_odd.pcapng', 'mixed_odd.csv'),
  local('malformed_60.pcap', 'malformed_60.csv'),
];

/** The captures of test/captures. */
export const CORPUS_FILES: readonly CorpusFile[] = CAPTURE_FILES.map(([name, csv]) => ({
  name: `corpus ${name}`,
  path: CAPTURES + name,
  csvPath: CAPTURES + csv,
  linkType: name.includes('raw101') ? 101 : 1,
}));

export function localPath(name: string): string {
  return fileURLToPath(new URL(name, LOCAL));
}

export function localBytes(name: string): Uint8Array {
  return new Uint8Array(readFileSync(localPath(name)));
}

/** Reads the columns ts_ns, caplen and len of a CSV's text. */
export function expectedFrames(csvText: string): ExpectedFrame[] {
  const rows: Record<string, string>[] = parse(csvText, { columns: true });
  return rows.map((row) => ({
    timeNs: row.ts_ns === '' ? undefined : BigInt(row.ts_ns!),
    capturedBytes: Number(row.caplen),
    originalBytes: Number(row.len),
  }));
}
