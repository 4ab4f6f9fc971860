/** Settings of adapters, and flow lists: changed texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { importCcParams, importIrdma, importMlxconfig, importRoceSysfs } from '../../src/config/importers/index.js';
import { gbps, us } from '../../src/index.js';
import { parseFlows } from '../../src/replay/index.js';
import { makeFuzzer } from './fuzzer.js';
import { mutateText } from './mutate.js';
import type { Random } from './random.js';

const FOLDER = new URL('../../test/data/settings/', import.meta.url);
const FLOWS = new URL('../../examples/data/incast-flows.csv', import.meta.url);
const bases = [
  ...readdirSync(FOLDER).map((name) => readFileSync(new URL(name, FOLDER), 'utf8')),
  readFileSync(FLOWS, 'utf8'),
];
const path = { lineRateBps: gbps(100), mssBytes: 4096, rttPs: us(10) };
const READERS = [
  (text: string) => importCcParams(text, path),
  (text: string) => importIrdma(text, path),
  (text: string) => importMlxconfig(text, path),
  (text: string) => importRoceSysfs(text, path),
  (text: string) => parseFlows(text, 'flows.csv'),
];

interface SettingsInput {
  readonly text: string;
  readonly reader: number;
}

const make = (random: Random): SettingsInput => ({
  text: mutateText(random, random.of(bases)),
  reader: random.below(READERS.length),
});

function check({ text, reader }: SettingsInput): void {
  READERS[reader](text);
}

export const settings = makeFuzzer('settings', make, check);
