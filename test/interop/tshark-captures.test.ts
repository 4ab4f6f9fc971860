/** Compares tshark with `dissect` on the frames of the capture corpora. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readCapture } from '../../src/capture/reader.js';
import { createDissector, type Packet } from '../../src/packet/index.js';
import { CORPUS_FILES, localPath } from '../capture/support/corpus.js';
import { describeWithTool } from '../support/foreign-tools.js';
import { FIELD_KINDS, fieldsOf } from './support/tshark-fields.js';
import { withoutMisreads } from './support/tshark-misreads.js';
import { type FieldRow, readFields } from './support/tshark.js';

/** Limits the time for the large capture. */
const MOST_FRAMES = 2000;
const LOCAL = ['mixed_50.pcap', 'mixed_be_us_50.pcap', 'mixed_odd.pcapng'].map((name) =>
  [name, localPath(name)] as const
);
const CORPUS = CORPUS_FILES.filter(({ path }) => /(mixed|mixed_raw101|alt_types)\.pcap$|incast/.test(path)).map((
  { name, path },
) => [name, path] as const);

describeWithTool('tshark', 'tshark and dissect agree on captures', (tshark) => {
  it.each(LOCAL)('%s', async (_, path) => {
    await expectAgreement(tshark, path);
  });

  it.each(CORPUS)('%s', async (_, path) => {
    await expectAgreement(tshark, path);
  });
});

async function expectAgreement(tshark: string, path: string): Promise<void> {
  const rows = readFields(tshark, path, FIELD_KINDS, MOST_FRAMES);
  const { ours, packets } = await readOurs(path);
  expect(rows).toHaveLength(ours.length);
  const theirs = rows.map((row, index) => comparable(row, ours[index]!, packets[index]!));
  expect(theirs).toEqual(ours.map((row, index) => withoutMisreads(row, packets[index]!)));
}

async function readOurs(path: string): Promise<{ ours: FieldRow[]; packets: Packet[] }> {
  const ours: FieldRow[] = [];
  const packets: Packet[] = [];
  for await (const { bytes, originalBytes, linkType } of readCapture(new Uint8Array(readFileSync(path)))) {
    const packet = createDissector({ linkType })(bytes, originalBytes);
    ours.push(fieldsOf(packet, bytes));
    if (packets.push(packet) === MOST_FRAMES) break;
  }
  return { ours, packets };
}

/** tshark also decodes what follows a RoCE packet, such as quoted packets: only as many values as ours are compared. */
function comparable(theirs: FieldRow, ours: FieldRow, packet: Packet): FieldRow {
  const row = withoutMisreads(theirs, packet);
  if (packet.class !== 'other') return row;
  const known = Object.entries(row).filter(([name]) => ours[name] !== undefined);
  return Object.fromEntries(known.map(([name, values]) => [name, values.slice(0, ours[name]!.length)]));
}
