/** docs/reference/abi.md: the exports, records and codes of engine.wasm for hosts in any language, from src/abi and src/config. */
import { readFileSync } from 'node:fs';
import * as ack from '../src/abi/ack-layout.js';
import * as algorithms from '../src/abi/algorithms.js';
import * as codes from '../src/abi/codes.js';
import * as layout from '../src/abi/layout.js';
import { parameterRecord, type AlgorithmParameters } from '../src/config/algorithms/registry.js';
import { dcqcnSigcomm15, dctcpNs3, gbps, hpccPintNs3, hpccPpDraft, hpccSigcomm19, nsccUet, rcccUet, swiftSigcomm20,
  timelySigcomm15, us } from '../src/index.js';
import { tableRow } from './markdown-table.js';
import { recordFiles, upperSnake, type RecordFile } from './records.mjs';
import { withRepositoryLinks } from './repository-links.js';

type Constants = Readonly<Record<string, unknown>>;

/** Files of src/abi, each a section. */
const FILES: readonly (readonly [file: string, title: string, constants: Constants])[] = [
  ['layout', 'Memory map and records', layout],
  ['codes', 'Codes', codes],
  ['ack-layout', 'Acknowledgements', ack],
  ['algorithms', 'Algorithms', algorithms],
];

/** Tables of src/abi/records, each a section: slots, or a record by its name; what their names begin with. */
const TABLES: readonly (readonly [file: string, title: string, prefix: string, record?: string])[] = [
  ['engine-capacity', 'Capacity', 'CAPACITY'],
  ['telemetry', 'Telemetry', 'TELEMETRY'],
  ['congestion-point', 'Record of a congestion point', 'CP', 'CongestionPoint'],
];

const INTRODUCTION = `# The ABI of engine.wasm

Generated from \`src/abi\` by \`npm run docs\`. For hosts in other languages; C has [a library](../guides/embedding-in-c.md) that does all this.

\`engine.wasm\` imports nothing. It exports functions of numbers, and its memory, in which all records are. Little-endian; times f64
picoseconds, rates f64 bits per second, sizes bytes; u32 results are unsigned. Names below are constants of \`src/abi\`; all are numbers.

## Life of an engine

1. Write the capacity record, u32 at \`CAPACITY_ADDRESS\` + 4 × \`CAPACITY_*\`. What is not stated is 0; qps, endpoints, addresses, events,
   packets and frameBytes are at least 1, accessRanges is 1 for no access list. \`CAPACITY_FEATURES\`: bits \`FEATURE_*\` that the
   settings and parameter sets need; \`CAPACITY_HOPS\`: 16 with HPCC or HPCC++, 2 with NSCC alone, whose state takes the room of two hops, else 0.
2. \`initialise()\`: lays memory out; 0 means the system rejects it. Memory is then at its full size and does not move. Regions: u32
   addresses at \`REGIONS_ADDRESS\` + 4 × \`REGION_*\`.
3. Write parameter sets (up to 16) at \`PARAMETER_SETS_ADDRESS\` + index × \`PARAMETER_SET_BYTES\`: the words below, one after the other.
4. Write the settings, f64 at \`SETTINGS_ADDRESS\` + 8 × \`SETTING_*\`; eight hash keys, odd u64, at \`HASH_KEYS_ADDRESS\`; the access list in
   its region: one range from address 0 that allows nothing or everything; and f64 \`TELEMETRY_NO_FIELD\` at \`TELEMETRY_ADDRESS\` +
   8 × \`TELEMETRY_TX\` and 8 × \`TELEMETRY_RATE\`.
5. \`configure()\`.
6. \`addAddress(endpoint)\` with the address at \`ADDRESS_ARGUMENT\`, for raw frames; \`openQp(endpoint, localQpn, peerQpn, parameterSet)\` with
   the peer's address there.
7. Batches: events in their region, \`applyEvents(n)\`; frames with descriptors, \`applyPackets(n)\`; actions in theirs. Or \`applyEvent\`.

An event is \`EVENT_BYTES\` long: its kind is in the top four bits of the word at \`EVENT_ARG\`, \`kind << EVENT_KIND_SHIFT | value\`.
The engine does not check parameters and settings: out of the ranges of the presets it computes something else.

## Stability

Numbers may change between releases: read them from the page of the release that the file is of. Its hash is in snapshots.

`;

/** The page. */
export async function abiPage(): Promise<string> {
  const files = await recordFiles();
  const parts = [INTRODUCTION, exportsTable(), parameterTables()];
  for (const [file, title, constants] of FILES) parts.push(constantsTable(file, title, constants));
  for (const [file, title, prefix, record] of TABLES) {
    const table = files.find((one) => one.file === file);
    if (table !== undefined) parts.push(recordsTable(table, title, prefix, record));
  }
  return withRepositoryLinks(parts.join('\n'));
}

function read(file: string): string {
  return readFileSync(new URL(`../src/abi/${file}.ts`, import.meta.url), 'utf8');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
}

/** A line of a comment without its marks. */
function withoutStar(line: string): string {
  return line.trim().replace(/^\/?\*{1,2}(?!\/)/, '').replace('*/', '').trim();
}

/** Methods of the interface with their comments. */
function exportsTable(): string {
  const methods = /\/\*\*([^]*?)\*\/\s+(\w+)\??(\([^)]*\)): (\w+);/g;
  const [engineAbi = ''] = /export interface EngineAbi [^]*?\n\}/.exec(read('engine-abi')) ?? [];
  const rows = [...engineAbi.matchAll(methods)].flatMap(([, comment, name, given, result]) => {
    const text = comment.slice(comment.lastIndexOf('/**') + 1).split('\n').map(withoutStar).join(' ');
    return [
      tableRow([`\`${name}${given.replaceAll(': number', '')}\``, result === 'void' ? '–' : 'number', cell(text)]),
    ];
  });
  return `## Exports\n\n${
    [tableRow(['export', 'returns', 'meaning']), tableRow(['---', '---', '---']), ...rows].join('\n')
  }\n`;
}

const RTT = { lineRateBps: gbps(100), baseRttPs: us(13) };
const PARAMETER_SETS: readonly AlgorithmParameters[] = [
  dcqcnSigcomm15({ lineRateBps: gbps(100) }),
  hpccSigcomm19(RTT),
  hpccPintNs3(RTT),
  hpccPpDraft(RTT),
  timelySigcomm15({ lineRateBps: gbps(100) }),
  dctcpNs3({ lineRateBps: gbps(100) }),
  swiftSigcomm20({ lineRateBps: gbps(100) }),
  nsccUet(RTT),
  rcccUet(RTT),
];

/** Words of each algorithm's parameter set, with the values of a preset at 100 Gb/s and a round trip of 13 µs. */
function parameterTables(): string {
  const tables = PARAMETER_SETS.map((parameters) => {
    let offset = 0;
    const rows = parameterRecord(parameters).map(([name, value, type = 'f64']) => {
      const row = tableRow([String(offset), type, `\`${name}\``, String(value)]);
      offset += type === 'u32' ? 4 : 8;
      return row;
    });
    return [
      `### Parameter set: ${parameters.algorithm}`,
      '',
      tableRow(['offset', 'type', 'word', 'example']),
      tableRow(['---:', '---', '---', '---:']),
      ...rows,
      '',
    ].join('\n');
  });
  return `## Parameter sets\n\nExamples: the published presets at 100 Gb/s, base round trip 13 µs.\n\n${
    tables.join('\n')
  }`;
}

/** Constants in the order of the file, under its headings, with their comments. */
function constantsTable(file: string, title: string, constants: Constants): string {
  const lines = [`## ${title}`, ''];
  let comment = '';
  let isOpen = false;
  for (const block of read(file).split('\n')) {
    const heading = /^\/\/ (?:-+ )?(.*)$/.exec(block);
    const constant = /^export const (\w+) =/.exec(block);
    const documented = /^(?:\/\*\*| \*(?!\/))/.test(block);
    if (heading) {
      comment = '';
      lines.push(...(isOpen ? [''] : []), cell(heading[1]), '');
      isOpen = false;
    } else if (constant && typeof constants[constant[1]] === 'number') {
      if (!isOpen) lines.push(tableRow(['name', 'value', 'meaning']), tableRow(['---', '---:', '---']));
      isOpen = true;
      lines.push(tableRow([`\`${constant[1]}\``, String(constants[constant[1]]), cell(comment)]));
      comment = '';
    } else if (documented) comment = `${block.startsWith('/**') ? '' : comment} ${withoutStar(block)}`;
  }
  return `${lines.join('\n')}\n`;
}

/** Indices of slots, or offsets of the record's fields; then the codes of the file. */
function recordsTable({ slots, records, codes }: RecordFile, title: string, prefix: string, record?: string): string {
  const places = slots.length > 0 ?
    slots.flatMap(({ entries }) => entries.map(({ name, index, comment }) => ({ name, value: index, comment }))) :
    (records.find(({ name }) => name === record)?.fields ?? []).filter(({ type }) => type !== 'free').map((
      { name, offset, comment },
    ) => ({
      name,
      value: offset,
      comment,
    }));
  const rows = [
    ...places.map((
      { name, value, comment },
    ) => [`\`${prefix}_${upperSnake(name)}\``, String(value), cell(comment.join(' '))]),
    ...codes.map(({ constant, value, comment }) => [`\`${constant}\``, String(value), cell(comment.join(' '))]),
  ];
  const head = [tableRow(['name', 'value', 'meaning']), tableRow(['---', '---:', '---'])];
  return `## ${title}\n\n${[...head, ...rows.map((row) => tableRow(row))].join('\n')}\n`;
}
