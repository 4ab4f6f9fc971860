/** Captures written by other programs, each with the known properties of its frames: test/captures/README.md. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { testData } from './test-data.js';

/** Known properties of one frame, column by column. */
export type FrameTruth = Readonly<Record<string, string>>;

/** The folder of the captures, and of a CSV file next to each. */
export const CAPTURES = testData('captures/rocev2');

/** Every capture, and the CSV file that describes its frames. */
export const CAPTURE_FILES = [
  ['mixed.pcap', 'mixed.csv'],
  ['mixed.pcapng', 'mixed_pcapng.csv'],
  ['mixed_be_us.pcap', 'mixed_be_us.csv'],
  ['mixed_raw101.pcap', 'mixed_raw101.csv'],
  ['mixed_odd.pcapng', 'mixed_odd_pcapng.csv'],
  ['alt_types.pcap', 'alt_types.csv'],
  ['malformed.pcap', 'malformed.csv'],
  ['incast.pcap', 'incast.csv'],
] as const;

/** The rows of a CSV file among the captures. */
export function readTruth(name: string): FrameTruth[] {
  return parse(readFileSync(CAPTURES + name), { columns: true }) as FrameTruth[];
}
