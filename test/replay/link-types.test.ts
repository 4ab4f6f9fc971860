import { describe, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { createDissector } from '../../src/packet/index.js';
import { capture, options, replayCapture } from './support/incast.js';
import { pcap, type TestFrame } from './support/pcap.js';
import { localBytes } from '../capture/support/corpus.js';

/** The bundled incast's notifications, and frames of every kind, including damaged ones. */
async function frames(): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for await (const frame of readCapture(capture())) if (frame.bytes.length === 94) found.push(frame.bytes);
  for (const name of ['mixed_50.pcap', 'malformed_60.pcap']) {
    for await (const frame of readCapture(localBytes(name))) found.push(frame.bytes);
  }
  return found;
}

/** The frame with a Linux cooked header, version 1, instead of the Ethernet header. */
function sll(frame: Uint8Array): Uint8Array {
  const header = new Uint8Array(16);
  header.set([0, 0, 0, 1, 0, 6]);
  header.set(frame.subarray(6, 12), 6);
  header.set(frame.subarray(12, 14), 14);
  return Buffer.concat([header, frame.subarray(14)]);
}

function sll2(frame: Uint8Array): Uint8Array {
  const header = new Uint8Array(20);
  header.set(frame.subarray(12, 14));
  header.set([0, 0, 0, 2, 0, 1, 0, 6], 4);
  header.set(frame.subarray(6, 12), 12);
  return Buffer.concat([header, frame.subarray(14)]);
}

const raw = (frame: Uint8Array): Uint8Array => frame.subarray(14);
const whole = (frame: Uint8Array): Uint8Array => frame;

/** The classes of frames in `dissect` and in `replay`. */
async function bothWays(linkType: number, list: readonly TestFrame[]) {
  const dissect = createDissector({ linkType });
  const dissected: Record<string, number> = {};
  for (const { bytes, originalBytes } of list) {
    const { class: name } = dissect(bytes, originalBytes);
    dissected[name] = (dissected[name] ?? 0) + 1;
  }
  const report = await replayCapture(pcap(linkType, list), [], { parameters: options.parameters });
  const replayed = Object.fromEntries(
    Object.entries(report.classes).filter(([, { frames: count }]) => count > 0).map((
      [name, { frames: count }],
    ) => [name, count]),
  );
  return { dissected, replayed, report };
}

describe('replay and dissect agree', () => {
  it.each([
    ['Ethernet', 1, whole],
    ['raw IP', 101, raw],
    ['Linux cooked', 113, sll],
    ['raw IPv4, including IPv6', 228, raw],
    ['raw IPv6, including IPv4', 229, raw],
    ['Linux cooked v2', 276, sll2],
  ])('on frames of %s, whole and truncated', async (_name, linkType, form) => {
    const list = (await frames()).flatMap((bytes): TestFrame[] => {
      const frame = form(bytes);
      return [0, 1, 15, 19, 30, 60, frame.length].map((length) => ({
        bytes: frame.subarray(0, length),
        originalBytes: frame.length,
        at: [5, 0],
      }));
    });
    const { dissected, replayed, report } = await bothWays(linkType, list);
    expect(replayed).toEqual(dissected);
    expect(report.totals.unsupportedLink).toBe(0);
    expect(report.capture.linkTypes).toMatchObject([{ linkType, supported: true }]);
    expect(Object.keys(replayed).length).toBeGreaterThan(4);
  });

  it.each([101, 228, 229])('on frames of link type %i without captured bytes, or without any bytes',
    async (linkType) => {
      const list = [0, 1, 19, 20, 39, 40, 60].map((originalBytes): TestFrame => ({
        bytes: new Uint8Array(),
        originalBytes,
        at: [5, 0],
      }));
      const { dissected, replayed } = await bothWays(linkType, list);
      expect(replayed).toEqual(dissected);
    });

  it.each([101, 228, 229])('on raw IP of an unknown version, link type %i, which is not a PAUSE', async (linkType) => {
    const pause = new Uint8Array(64);
    pause.set([0x88, 0x08, 0x00, 0x01, 0x00, 0x05], 12);
    expect((await bothWays(1, [{ bytes: pause, at: [5, 0] }])).report.pauses).toHaveLength(1);
    const { dissected, replayed, report } = await bothWays(linkType, [{ bytes: pause, at: [5, 0] }]);
    expect(replayed).toEqual(dissected);
    expect(report.pauses).toEqual([]);
  });

  it('on frames with a length on the wire below the captured length', async () => {
    const list = (await frames()).map((bytes): TestFrame => ({ bytes, originalBytes: 0, at: [5, 0] }));
    const { dissected, replayed, report } = await bothWays(1, list);
    expect(replayed).toEqual(dissected);
    expect(report.totals.outcomes['bad-descriptor']).toBeUndefined();
    expect(report.capture.bytes).toBe(report.capture.capturedBytes);
  });

  it('on the senders of PAUSE frames, also after a cooked header', async () => {
    const pfc = [...Array(3).keys()].map((quanta) => {
      const frame = new Uint8Array(64);
      frame.set([
        1,
        0x80,
        0xc2,
        0,
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7 + quanta,
        0x88,
        0x08,
        0x01,
        0x01,
        0,
        8,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        5,
      ]);
      return frame;
    });
    const pausesOf = async (linkType: number, form: (frame: Uint8Array) => Uint8Array) =>
      (await bothWays(linkType, pfc.map((bytes) => ({ bytes: form(bytes), at: [5, 0] })))).report.pauses;
    const expected = await pausesOf(1, whole);
    expect(expected.length).toBeGreaterThan(0);
    expect(await pausesOf(113, sll)).toEqual(expected);
    expect(await pausesOf(276, sll2)).toEqual(expected);
  });

  it('on cooked frames with a VLAN tag, which both parse', async () => {
    const [frame = new Uint8Array()] = await frames();
    const tagged = Buffer.concat([frame.subarray(0, 12), Buffer.from([0x81, 0, 0, 5]), frame.subarray(12)]);
    const { dissected, replayed } = await bothWays(113, [{ bytes: sll(tagged), at: [5, 0] }]);
    expect(dissected).toEqual({ cnp: 1 });
    expect(replayed).toEqual(dissected);
  });
});
