/**
 * Compares tshark with `dissect` on MRC frames up to the BTH; tshark does not decode what follows ("Unknown OpCode").
 * tshark does not know port 4971 and checks well-known source ports first: by default it decodes four frames as TIME,
 * XTACACS, DNS and XYPLEX.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readCapture } from '../../src/capture/reader.js';
import { createDissector, type LayerKind, type LayerOf, type Packet } from '../../src/packet/index.js';
import { describeWithTool } from '../support/foreign-tools.js';
import { BTH_FIELDS, FIELD_KINDS, fieldsOf } from './support/tshark-fields.js';
import { type FieldKind, type FieldRow, readFields, spell } from './support/tshark.js';

const FILE = fileURLToPath(new URL('../captures/mrc/mrc.pcap', import.meta.url));
/** Ports to decode as RoCEv2: the source ports of those four frames, and MRC's other destination port. */
const ROCE_PORTS = [37, 49, 53, 173, 4971];

/** Layers that can precede the BTH of an MRC packet. */
const CARRIERS: readonly LayerKind[] = ['ethernet', 'ipv4', 'ipv6', 'segment-routing', 'udp'];

const KINDS: Readonly<Record<string, FieldKind>> = {
  ...Object.fromEntries(Object.entries(FIELD_KINDS).filter(([name]) => !name.startsWith('infiniband.'))),
  ...Object.fromEntries(Object.keys(BTH_FIELDS).map((name) => [name, 'number' as const])),
};

function rowOf(packet: Packet, bytes: Uint8Array): FieldRow {
  const layers = packet.layers.filter(({ kind }) => CARRIERS.includes(kind));
  const row: Record<string, readonly string[]> = { ...fieldsOf({ layers }, bytes) };
  const bth = packet.layers.find((layer): layer is LayerOf<'mrc-bth'> => layer.kind === 'mrc-bth');
  if (bth === undefined) return row;
  for (const [name, get] of Object.entries(BTH_FIELDS)) row[name] = [spell(get(bth.value))];
  return row;
}

describeWithTool('tshark', 'tshark and dissect agree on MRC frames up to the BTH', (tshark) => {
  it('in every field of every frame', async () => {
    const ours: FieldRow[] = [];
    const read = createDissector();
    for await (const { bytes, originalBytes } of readCapture(new Uint8Array(readFileSync(FILE)))) {
      ours.push(rowOf(read(bytes, originalBytes), bytes));
    }
    expect(ours).toHaveLength(62);
    expect(readFields(tshark, FILE, KINDS, ours.length, ROCE_PORTS)).toEqual(ours);
  });
});
