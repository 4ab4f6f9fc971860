/** Captures of other programs, malformed ones too: the repository's, and those of the shared folder where there is one. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OWN = ['malformed_60.pcap', 'mixed_50.pcap', 'mixed_odd.pcapng'].map((name) => `../../data/capture/${name}`);
const SHARED = ['malformed.pcap', 'mixed.pcap', 'alt_types.pcap'].map((name) => `../../../../shared/captures/${name}`);

export const CAPTURES: readonly string[] = [...OWN, ...SHARED]
  .map((file) => fileURLToPath(new URL(file, import.meta.url))).filter((file) => existsSync(file));
