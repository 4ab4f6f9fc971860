import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe as suite, expect, it } from 'vitest';
import { readCapture, type CaptureFrame } from '../../src/capture/index.js';
import { build, createDissector, describe, describeTree, dissect, layersFromJson, packetToJson,
  type Packet } from '../../src/packet/index.js';
import { INTENTS, mrcColumns } from './support/mrc-columns.js';

const FOLDER = new URL('../captures/mrc/', import.meta.url);
const rows = parse(readFileSync(new URL('mrc.csv', FOLDER)), { columns: true }) as Readonly<Record<string, string>>[];
const frames: CaptureFrame[] = [];
for await (const frame of readCapture(new Uint8Array(readFileSync(new URL('mrc.pcap', FOLDER))))) frames.push(frame);

/** All headers end before this offset. */
const HEADERS_MAX = 210;

const read = createDissector();
const packetOf = (number: number): Packet => read(frames[number - 1]!.bytes, frames[number - 1]!.originalBytes);

suite('the capture of MRC packets', () => {
  it('has the values of its CSV, frame by frame', () => {
    expect(frames).toHaveLength(rows.length);
    const wrong: string[] = [];
    let compared = 0;
    frames.forEach(({ bytes, originalBytes }, index) => {
      const row = rows[index]!;
      const columns = mrcColumns(read(bytes, originalBytes), bytes);
      for (const [name, expected] of Object.entries(row)) {
        if (INTENTS.includes(name)) continue;
        compared += 1;
        const got = columns[name] ?? '';
        if (got !== expected) wrong.push(`frame ${row['frame']} ${row['kind']}: ${name} ${expected}, got ${got}`);
      }
    });
    expect(wrong).toEqual([]);
    expect(compared).toBe(rows.length * (Object.keys(rows[0]!).length - INTENTS.length));
  });

  it('is rebuilt byte for byte from its layers and from JSON', () => {
    for (const { bytes, originalBytes } of frames) {
      const packet = read(bytes, originalBytes);
      expect(Buffer.from(build(packet.layers)).equals(bytes)).toBe(true);
      const json = JSON.parse(JSON.stringify(packetToJson(packet))) as { layers: unknown };
      expect(Buffer.from(build(layersFromJson(json.layers))).equals(bytes)).toBe(true);
    }
  });

  it('has ICRCs that `build` reproduces', () => {
    let computed = 0;
    frames.forEach(({ bytes, originalBytes }, index) => {
      if (rows[index]!['icrc_ok'] !== '1') return;
      const { layers } = read(bytes, originalBytes);
      const again = build(layers.map((layer) => (layer.kind === 'icrc' ? { kind: 'icrc' } : layer)));
      expect(Buffer.from(again).equals(bytes), `frame ${index + 1}`).toBe(true);
      computed += 1;
    });
    expect(computed).toBe(rows.filter((row) => row['icrc_ok'] === '1').length);
  });

  it('is described as MRC in every frame', () => {
    frames.forEach(({ bytes, originalBytes }, index) => {
      const packet = read(bytes, originalBytes);
      expect(describe(packet), `frame ${index + 1}`).toContain('MRC');
      expect(describeTree(packet)).toContain('Multipath Reliable Connection');
    });
    expect([2, 9, 22, 24, 31, 39, 53, 57].map((number) => describe(packetOf(number)))).toMatchInlineSnapshot(`
      [
        "2001:db8:31::1 > 2001:db8:31::2  MRC WRITE only QP 0x00a1b2 PSN 101, MSN 8, EV 0x0002c0df  DSCP 4 TRIMMABLE ECT(0)  1126 bytes",
        "2001:db8:31::1 > 2001:db8:31::2  MRC WRITE middle QP 0x00a1b2 PSN 16777215 retransmitted, MSN 9, EV 0x30070023  DSCP 8 TRIMMABLE_RETX ECT(0)  1126 bytes",
        "2001:db8:31::1 > 2001:db8:31::2  in SRv6 2001:db8:a31:7::1 > fcbb:bbbb::/32 1103 2205 1109 1301 1402 1503: MRC WRITE only QP 0x00a1b2 PSN 14, MSN 22, EV 0x130700ac  DSCP 4 TRIMMABLE ECT(0) (outer ECT(0))  230 bytes",
        "2001:db8:31::1 > 2001:db8:31::2  MRC WRITE first QP 0x00a1b2 PSN 16, MSN 24, EV 0x150900ae, trimmed at the last hop  DSCP 16 TRIMMED_LASTHOP ECT(0)  128 bytes",
        "2001:db8:31::2 > 2001:db8:31::1  MRC SACK QP 0x0000c3, cumulative PSN 4, holes 5 8, about EV 0x00090025, skip once, EV 0x0003a004  DSCP 46 CONTROL ECT(0)  114 bytes",
        "2001:db8:31::2 > 2001:db8:31::1  MRC NACK QP 0x0000c3 PSN 16, TRIMMED_LASTHOP, about EV 0x140800ae, EV 0x0008a011  DSCP 46 CONTROL ECT(0)  98 bytes",
        "2001:db8:31::1 > 2001:db8:31::2  MRC opcode 0xc0 QP 0x00a1b2 PSN 32, EV 0x000d0032  DSCP 4 TRIMMABLE ECT(0)  malformed: a reserved opcode  110 bytes",
        "2001:db8:31::1 > 2001:db8:31::2  MRC WRITE only QP 0x00a1b2 PSN 35, MSN 35, EV 0x000d0035  DSCP 4 TRIMMABLE ECT(0)  malformed: more pad bytes than the packet has  98 bytes",
      ]
    `);
  });

  it('has reserved opcodes of RoCEv2 if MRC is disabled', () => {
    const packet = dissect(frames[0]!.bytes, { mrc: false });
    expect(packet).toMatchObject({ class: 'discard', why: 'opcode' });
    expect(packet.mrc).toBeUndefined();
    expect(dissect(frames[11]!.bytes, { mrc: false }).unread).toEqual({ field: 'udp-port', number: 4971 });
  });

  it('has the class of a reserved opcode, for endpoints of RoCEv2', () => {
    expect(packetOf(1)).toMatchObject({ class: 'discard', why: 'opcode', mrc: { kind: 'data' } });
    expect(packetOf(12)).toMatchObject({ class: 'other', mrc: { kind: 'data' } });
    expect(packetOf(23)).toMatchObject({ class: 'malformed', why: 'ip-length', mrc: { isTrimmed: true } });
  });
});

/** The reason why a frame cannot be read to its end, or undefined. A trimmed packet may end anywhere. */
function reasonOf({ trouble, mrc, why }: Packet): string | undefined {
  if (trouble !== undefined) return trouble.message;
  return mrc?.isTrimmed === true && why === 'ip-length' ? 'trimmed: yes' : undefined;
}

/** The first property that a truncated frame violates; undefined if none. */
function faultOfCut({ bytes, originalBytes }: CaptureFrame, length: number): string | undefined {
  const start = bytes.subarray(0, length);
  for (const original of [length, originalBytes]) {
    const packet = read(start, original);
    if (packet.layers.reduce((sum, { lenBytes }) => sum + lenBytes, 0) !== length) return 'not covered';
    if (!Buffer.from(build(packet.layers)).equals(start)) return 'built otherwise';
    if (length === bytes.length) continue;
    const reason = reasonOf(packet);
    if (reason === undefined) return 'no reason';
    // The tree of a long payload is slow, and has no other reason.
    if (length <= HEADERS_MAX && !describeTree(packet).includes(reason)) return 'no reason in words';
  }
  return undefined;
}

suite('any cut of an MRC frame', () => {
  it('by the capture or on the wire has layers that cover it, and a reason', () => {
    for (const [index, frame] of frames.entries()) {
      for (let length = 0; length <= frame.bytes.length; length++) {
        const fault = faultOfCut(frame, length);
        if (fault !== undefined) expect.fail(`${fault}: ${length} bytes of frame ${index + 1}`);
      }
    }
  });

  it('by the capture is reported as such if the frame itself is complete', () => {
    for (const [index, { bytes, originalBytes }] of frames.entries()) {
      const whole = read(bytes, originalBytes);
      // For a trimmed packet with its original lengths, a part shows only that these are wrong.
      if (whole.why === 'ip-length' || whole.trouble?.isCut === false) continue;
      for (let length = 0; length < bytes.length; length++) {
        const { trouble } = read(bytes.subarray(0, length), originalBytes);
        const isNamed = trouble?.isCut === true && trouble.required > trouble.actual &&
          trouble.offset + trouble.actual === length;
        if (!isNamed) expect.fail(`${length} bytes of frame ${index + 1}: ${trouble?.message}`);
      }
    }
  });
});
