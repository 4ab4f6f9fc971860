/**
 * Frames of MRC: up to the BTH, tshark reads what we read; of what follows it knows nothing ("Unknown OpCode").
 * It goes by the UDP source port first, and takes four frames for DNS, TIME or XTACACS; it does not know port 4971.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readCapture } from '../../src/capture/reader.js';
import { createDissector, type Layer, type Packet } from '../../src/packet/index.js';
import { describeWithTool } from '../support/foreign-tools.js';
import { type FieldKind, type FieldRow, readFields, spell } from './support/tshark.js';

const FILE = fileURLToPath(new URL('../captures/mrc/mrc.pcap', import.meta.url));
/** Frames whose source port tshark takes for another protocol's, and the one to port 4971. */
const MISREAD = [12, 13, 23, 52, 57];

const BTH: Readonly<Record<string, FieldKind>> = {
  'infiniband.bth.opcode': 'number',
  'infiniband.bth.padcnt': 'number',
  'infiniband.bth.tver': 'number',
  'infiniband.bth.p_key': 'number',
  'infiniband.bth.destqp': 'number',
  'infiniband.bth.a': 'number',
  'infiniband.bth.psn': 'number',
};
const KINDS: Readonly<Record<string, FieldKind>> = {
  'eth.src': 'bytes',
  'ip.src': 'address',
  'ip.dsfield.dscp': 'number',
  'ipv6.src': 'address',
  'ipv6.tclass.dscp': 'number',
  'ipv6.tclass.ecn': 'number',
  'ipv6.flow': 'number',
  'ipv6.plen': 'number',
  'ipv6.routing.segleft': 'number',
  'udp.srcport': 'number',
  'udp.dstport': 'number',
  'udp.length': 'number',
  ...BTH,
};

type Values = Readonly<Record<string, number | bigint | boolean | Uint8Array>>;

function valuesOf(layer: Layer): Values {
  switch (layer.kind) {
    case 'ethernet':
      return { 'eth.src': layer.value.source };
    case 'ipv4':
      return { 'ip.src': layer.value.source, 'ip.dsfield.dscp': layer.value.dscp };
    case 'ipv6': {
      const { source, dscp, ecn, flowLabel, payloadLength } = layer.value;
      return {
        'ipv6.src': source,
        'ipv6.tclass.dscp': dscp,
        'ipv6.tclass.ecn': ecn,
        'ipv6.flow': flowLabel,
        'ipv6.plen': payloadLength,
      };
    }
    case 'segment-routing':
      return { 'ipv6.routing.segleft': layer.value.segmentsLeft };
    case 'udp': {
      const { sourcePort, destinationPort, length } = layer.value;
      return { 'udp.srcport': sourcePort, 'udp.dstport': destinationPort, 'udp.length': length };
    }
    case 'mrc-bth': {
      const { opcode, padCount, transportVersion, pKey, destQpn, ackRequest, psn } = layer.value;
      const values = [opcode, padCount, transportVersion, pKey, destQpn, ackRequest, psn];
      return Object.fromEntries(Object.keys(BTH).map((name, index) => [name, values[index]!]));
    }
    default:
      return {};
  }
}

function rowOf({ layers }: Packet, frame: number): FieldRow {
  const row: Record<string, string[]> = {};
  for (const layer of layers) {
    for (const [name, value] of Object.entries(valuesOf(layer))) {
      if (MISREAD.includes(frame) && name in BTH) continue;
      (row[name] ??= []).push(spell(value));
    }
  }
  return row;
}

describeWithTool('tshark', 'tshark reads frames of MRC up to the BTH as we do', (tshark) => {
  it('in every field of every frame', async () => {
    const ours: FieldRow[] = [];
    const read = createDissector();
    for await (const { bytes, originalBytes } of readCapture(new Uint8Array(readFileSync(FILE)))) {
      ours.push(rowOf(read(bytes, originalBytes), ours.length + 1));
    }
    expect(ours).toHaveLength(62);
    expect(readFields(tshark, FILE, KINDS)).toEqual(ours);
  });
});
