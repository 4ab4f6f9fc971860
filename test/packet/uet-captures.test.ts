/** Frames of an independent generator (test/captures/README.md), one for each form of Ultra Ethernet packet. */
import { readFileSync } from 'node:fs';
import { describe as suite, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { build, describe, describeTree, dissect, layersFromJson, packetToJson } from '../../src/packet/index.js';
import { toHex } from '../wire/support/hex.js';

interface Row {
  readonly frame: number;
  readonly name: string;
  readonly type: string;
  readonly layers: readonly { readonly kind: string; readonly value: object }[];
}

const folder = new URL('../captures/uet/', import.meta.url);
const rows = JSON.parse(readFileSync(new URL('uet.json', folder), 'utf8')) as readonly Row[];
const frames: Uint8Array[] = [];
for await (const { bytes } of readCapture(new Uint8Array(readFileSync(new URL('uet.pcap', folder)))))
  frames.push(bytes);

/** A value as in the rows: 64-bit numbers as decimal text, bytes as hexadecimal. */
function plain(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([name, item]: [string, unknown]) => [
    name,
    item instanceof Uint8Array ? toHex(item) : typeof item === 'bigint' ? String(item) : item,
  ]));
}

suite.each(rows)('frame $frame, $name', ({ frame, type, layers }) => {
  const bytes = frames[frame - 1]!;
  const packet = dissect(bytes);

  it('has the layers and fields that it was built from', () => {
    const ultraEthernet = packet.layers.slice(packet.layers.findIndex(({ kind }) => kind === 'udp') + 1);
    expect(ultraEthernet.map(({ kind, value }) => ({ kind, value: plain(value) }))).toEqual(layers);
    expect(packet).toMatchObject({ class: 'other', uet: { typeName: type.split(' ')[0], isTrimmed: false } });
    expect(packet.trouble).toBeUndefined();
    expect(packet.unread).toBeUndefined();
  });

  it('is rebuilt from its layers and from their JSON', () => {
    expect(toHex(build(packet.layers))).toBe(toHex(bytes));
    const json = JSON.parse(JSON.stringify(packetToJson(packet))) as { layers: unknown };
    expect(toHex(build(layersFromJson(json.layers)))).toBe(toHex(bytes));
  });

  it('is described by its type', () => {
    expect(describe(packet)).toContain(`  UET ${type} `.trimEnd());
    expect(describeTree(packet)).toContain(`; UET, ${type.split(' ')[0]!}`);
  });

  it('is read up to the end if truncated anywhere', () => {
    for (let length = 0; length < bytes.length; length++) {
      const { trouble, layers: [...found] } = dissect(bytes.subarray(0, length), { originalBytes: bytes.length });
      const isWhole = found.every(({ kind }) => kind !== 'undecoded') && found.some(({ kind }) => kind === 'trailer');
      if (!isWhole) expect(trouble?.isCut, `${length} bytes`).toBe(true);
    }
  });
});
