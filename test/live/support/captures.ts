/** Captures written by other programs, including malformed ones. */
import { fileURLToPath } from 'node:url';
import { CAPTURES as CORPUS } from '../../support/captures.js';

const SMALL = ['malformed_60.pcap', 'mixed_50.pcap', 'mixed_odd.pcapng']
  .map((name) => fileURLToPath(new URL(`../../captures/small/${name}`, import.meta.url)));

export const CAPTURES: readonly string[] = [
  ...SMALL,
  ...['malformed.pcap', 'mixed.pcap', 'alt_types.pcap'].map((name) => CORPUS + name),
];
