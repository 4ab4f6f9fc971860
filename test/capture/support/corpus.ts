import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { fileURLToPath } from 'node:url';

const LOCAL = new URL('../../data/capture/', import.meta.url);
const SHARED = new URL('../../../../shared/captures/', import.meta.url);

/** What a corpus says of one frame. */
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

/** The captures that come with the tests. */
export const LOCAL_FILES: readonly CorpusFile[] = [
  local('mixed_50.pcap', 'mixed_50.csv'),
  local('mixed_50.pcap.gz', 'mixed_50.csv'),
  local('mixed_50.pcapng', 'mixed_50.csv'),
  local('mixed_be_us_50.pcap', 'mixed_be_us_50.csv'),
  local('mixed_odd.pcapng', 'mixed_odd.csv'),
  local('malformed_60.pcap', 'malformed_60.csv'),
];

/** The full corpus, where it is at hand. */
export const SHARED_FILES: readonly CorpusFile[] = [
  ['mixed.pcap', 'mixed.csv', 1],
  ['mixed.pcapng', 'mixed_pcapng.csv', 1],
  ['mixed_be_us.pcap', 'mixed_be_us.csv', 1],
  ['mixed_raw101.pcap', 'mixed_raw101.csv', 101],
  ['mixed_odd.pcapng', 'mixed_odd_pcapng.csv', 1],
  ['alt_types.pcap', 'alt_types.csv', 1],
  ['malformed.pcap', 'malformed.csv', 1],
  ['incast.pcap.gz', 'incast.csv.gz', 1],
].map(([name, csv, linkType]) => ({
  name: `shared ${String(name)}`,
  path: fileURLToPath(new URL(String(name), SHARED)),
  csvPath: fileURLToPath(new URL(String(csv), SHARED)),
  linkType: Number(linkType),
}));

export const hasSharedCorpus = existsSync(SHARED);

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
