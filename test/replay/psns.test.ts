import { describe, expect, it } from 'vitest';
import type { CaptureFrame } from '../../src/capture/index.js';
import { replay, type StreamSummary } from '../../src/replay/index.js';
import { options } from './support/incast.js';
import { B, back, frame, rep, req, type FrameOptions } from './support/roce-frames.js';

const { parameters } = options;
const SEND_FIRST = 0x00;
const SEND_MIDDLE = 0x01;
const SEND_LAST = 0x02;
const SEND = 0x04;
const WRITE = 0x0a;
const READ = 0x0c;
const [RESPONSE_FIRST, RESPONSE_MIDDLE, RESPONSE_LAST, RESPONSE_ONLY] = [0x0d, 0x0e, 0x0f, 0x10] as const;
const ACK = 0x11;
const ATOMIC_ACK = 0x12;
const COMPARE_AND_SWAP = 0x13;
const FETCH_AND_ADD = 0x14;

async function streamsOf(frames: readonly CaptureFrame[]): Promise<readonly StreamSummary[]> {
  return (await replay([...frames], { parameters })).streams;
}

/** The totals over all streams: gaps, missing PSNs, recovered ones of these, and repeated PSNs. */
async function totals(frames: readonly CaptureFrame[]): Promise<number[]> {
  const streams = await streamsOf(frames);
  const sum = (count: (stream: StreamSummary) => number): number => streams.reduce((all, one) => all + count(one), 0);
  return [
    sum(({ psnGaps }) => psnGaps),
    sum(({ psnsMissing }) => psnsMissing),
    sum(({ psnsRecovered }) => psnsRecovered),
    sum(({ psnsRepeated }) => psnsRepeated),
  ];
}

const mtu = (bytes: number): FrameOptions => ({ payloadBytes: bytes });
const read = (psn: number, dmaLength: number): CaptureFrame => frame(READ, psn, { dmaLength });
const NONE = [0, 0, 0, 0];

/** A READ of three packets of 1,024 bytes, and its response. */
const readOfThree = (psn: number): CaptureFrame[] => [read(psn, 3000), ...responseOfThree(psn)];
const responseOfThree = (psn: number): CaptureFrame[] => [
  back(RESPONSE_FIRST, psn, mtu(1024)),
  back(RESPONSE_MIDDLE, psn + 1, mtu(1024)),
  back(RESPONSE_LAST, psn + 2, mtu(952)),
];

describe('PSNs without loss have no gaps', () => {
  it.each<[string, readonly CaptureFrame[]]>([
    ['READs of one packet among WRITEs', [
      frame(WRITE, 1),
      read(2, 64),
      back(ACK, 1),
      back(RESPONSE_ONLY, 2),
      frame(WRITE, 3),
      read(4, 64),
      back(ACK, 3),
      back(RESPONSE_ONLY, 4),
    ]],
    ['READs of several packets, whose number the next request shows', [
      read(10, 3000),
      frame(SEND, 13),
      read(14, 3000),
      frame(SEND, 17),
    ]],
    ['READs of several packets, whose number the response shows', [
      ...readOfThree(10),
      ...readOfThree(13),
      frame(SEND, 16),
    ]],
    ['READs whose number follows from the MTU of SENDs', [
      frame(SEND_FIRST, 1, mtu(256)),
      frame(SEND_MIDDLE, 2, mtu(256)),
      frame(SEND_LAST, 3, mtu(100)),
      read(4, 1025),
      frame(SEND, 9),
    ]],
    ['atomics', [
      frame(COMPARE_AND_SWAP, 5),
      frame(FETCH_AND_ADD, 6),
      frame(WRITE, 7),
      back(ATOMIC_ACK, 5),
      back(ATOMIC_ACK, 6),
      back(ACK, 7),
      frame(FETCH_AND_ADD, 8),
      back(ATOMIC_ACK, 8),
    ]],
    ['READs and WRITEs of both sides', [
      frame(SEND, 1000),
      back(ACK, 1000),
      back(READ, 50, { dmaLength: 8192 }),
      frame(RESPONSE_FIRST, 50, mtu(4096)),
      frame(RESPONSE_LAST, 51, mtu(4096)),
      back(SEND, 52),
      frame(ACK, 52),
      frame(SEND, 1001),
    ]],
    ['the wrap of 24 bits within a READ', [frame(SEND, 0xfffffd), ...[read(0xfffffe, 3000)], frame(SEND, 1)]],
    ['the wrap of 24 bits within a response', [
      read(0xfffffe, 3000),
      back(RESPONSE_FIRST, 0xfffffe, mtu(1024)),
      back(RESPONSE_MIDDLE, 0xffffff, mtu(1024)),
      back(RESPONSE_LAST, 0, mtu(952)),
    ]],
    ['READs of no byte', [read(1, 0), frame(SEND, 2)]],
    ['several READs ahead of their responses', [
      frame(SEND_FIRST, 0, mtu(1024)),
      frame(SEND_LAST, 1),
      read(2, 3000),
      read(5, 3000),
      read(8, 64),
      ...responseOfThree(2),
      ...responseOfThree(5),
      back(RESPONSE_ONLY, 8),
      frame(SEND, 9),
    ]],
    ['a capture that begins in the middle of a response', [
      back(RESPONSE_MIDDLE, 70),
      back(RESPONSE_LAST, 71),
      frame(SEND, 90),
    ]],
    ['coalesced ACKs and NAKs', [
      frame(SEND, 1),
      frame(SEND, 2),
      frame(SEND, 3),
      back(ACK, 3),
      frame(SEND, 4),
      back(ACK, 4),
    ]],
    ['responses only, between PSNs of WRITEs', [
      back(RESPONSE_ONLY, 10),
      back(RESPONSE_ONLY, 31),
      ...responseOfThree(70),
    ]],
    ['requests only', [read(10, 4096), frame(WRITE, 14), read(15, 4096), frame(WRITE, 19)]],
    ['XRC', [
      frame(0xac, 1, { dmaLength: 3000 }),
      frame(0xaa, 4),
      back(0xad, 1, mtu(1024)),
      back(0xae, 2, mtu(1024)),
      back(0xaf, 3, mtu(952)),
      back(0xb1, 4),
    ]],
    ['UC', [frame(0x26, 1, mtu(512)), frame(0x27, 2, mtu(512)), frame(0x28, 3), frame(0x2a, 4)]],
    ['RD, UD and CNPs, which have no such sequence', [
      frame(0x44, 1),
      frame(0x44, 70),
      frame(0x64, 3),
      frame(0x64, 9),
      back(0x81, 0),
      back(0x81, 5),
    ]],
    ['a READ whose length the capture does not hold', [
      frame(READ, 1, { dmaLength: 3000, snapBytes: 60 }),
      frame(SEND, 9),
    ]],
  ])('%s', async (_what, frames) => {
    expect(await totals(frames)).toEqual(NONE);
  });

  it.each([256, 512, 1024, 2048, 4096])('READs of 20,000 bytes with an MTU of %i', async (bytes) => {
    const packets = Math.ceil(20_000 / bytes);
    const middle = Array.from({ length: packets - 2 }, (_, index) => back(RESPONSE_MIDDLE, 8 + index, mtu(bytes)));
    const frames = [
      read(7, 20_000),
      back(RESPONSE_FIRST, 7, mtu(bytes)),
      ...middle,
      back(RESPONSE_LAST, 6 + packets, mtu(20_000 - (packets - 1) * bytes)),
      frame(SEND, 7 + packets),
    ];
    expect(await totals(frames)).toEqual(NONE);
  });
});

describe('lost packets are gaps', () => {
  it.each<[string, readonly CaptureFrame[], readonly number[]]>([
    ['a WRITE among READs', [frame(WRITE, 1), read(2, 64), read(4, 64)], [1, 1, 0, 0]],
    ['a request behind a READ whose length is explained by no MTU', [read(10, 3000), frame(SEND, 26)], [1, 4, 0, 0]],
    ['a READ', [...readOfThree(10), frame(SEND, 16)], [1, 3, 0, 0]],
    ['a middle response', [read(10, 3000), back(RESPONSE_FIRST, 10, mtu(1024)), back(RESPONSE_LAST, 12)], [1, 1, 0, 0]],
    ['a whole response of one packet', [
      read(1, 64),
      read(2, 64),
      read(3, 64),
      back(RESPONSE_ONLY, 1),
      back(RESPONSE_ONLY, 3),
    ], [1, 1, 0, 0]],
    ['the end of a response, WRITEs in between', [
      read(1, 3000),
      frame(WRITE, 4),
      frame(WRITE, 5),
      read(6, 64),
      back(RESPONSE_FIRST, 1, mtu(1024)),
      back(RESPONSE_ONLY, 6),
    ], [1, 2, 0, 0]],
    ['the end of a response, requests not captured', [back(RESPONSE_FIRST, 1), back(RESPONSE_ONLY, 6)], [1, 1, 0, 0]],
    ['the beginning of a response, requests not captured', [back(RESPONSE_ONLY, 1), back(RESPONSE_LAST, 6)], [
      1,
      1,
      0,
      0,
    ]],
    ['an atomic response', [
      frame(FETCH_AND_ADD, 1),
      frame(FETCH_AND_ADD, 2),
      frame(FETCH_AND_ADD, 3),
      back(ATOMIC_ACK, 1),
      back(ATOMIC_ACK, 3),
    ], [1, 1, 0, 0]],
    ['UC', [frame(0x2a, 1), frame(0x2a, 3)], [1, 1, 0, 0]],
    ['behind READs whose number of packets has shown three times', [
      read(10, 3000),
      read(13, 3000),
      read(16, 3000),
      read(19, 3000),
      frame(SEND, 25),
    ], [1, 3, 0, 0]],
  ])('%s', async (_what, frames, expected) => {
    expect(await totals(frames)).toEqual(expected);
  });
});

describe('retransmissions are no gaps', () => {
  it.each<[string, readonly CaptureFrame[], readonly number[]]>([
    ['behind a NAK, of a packet lost before the capture', [
      frame(SEND, 1),
      frame(SEND, 3),
      back(ACK, 2),
      frame(SEND, 2),
      frame(SEND, 3),
      frame(SEND, 4),
    ], [1, 1, 1, 2]],
    ['behind a NAK, of a packet lost behind the capture', [
      frame(SEND, 1),
      frame(SEND, 2),
      back(ACK, 1),
      frame(SEND, 1),
      frame(SEND, 2),
      frame(SEND, 3),
    ], [0, 0, 0, 2]],
    ['reordered', [frame(SEND, 1), frame(SEND, 4), frame(SEND, 2), frame(SEND, 3), frame(SEND, 5)], [1, 2, 2, 2]],
    ['a whole READ', [read(10, 3000), read(10, 3000), ...responseOfThree(10), frame(SEND, 13)], [0, 0, 0, 1]],
    ['a READ from its middle', [
      ...readOfThree(10).slice(0, 3),
      read(12, 3000 - 2048),
      back(RESPONSE_ONLY, 12),
      frame(SEND, 13),
    ], [0, 0, 0, 1]],
    ['a READ from its middle, with the MTU not known', [read(10, 9000), read(12, 9000 - 2048), frame(SEND, 19)], [
      0,
      0,
      0,
      1,
    ]],
    ['what may be one, or another READ', [read(10, 3000), read(12, 3000 - 2048), read(13, 3000), frame(SEND, 16)], [
      0,
      0,
      0,
      0,
    ]],
    ['a READ whose middle response was lost', [
      read(10, 3000),
      back(RESPONSE_FIRST, 10, mtu(1024)),
      back(RESPONSE_LAST, 12),
      read(11, 1976),
      back(RESPONSE_FIRST, 11, mtu(1024)),
      back(RESPONSE_LAST, 12),
    ], [1, 1, 1, 3]],
  ])('%s', async (_what, frames, expected) => {
    expect(await totals(frames)).toEqual(expected);
  });
});

describe('paths and connections', () => {
  const ALTERNATE = { source: '198.51.100.1', destination: '198.51.100.2' };

  it('have no gap for a path migration and its reversal', async () => {
    const frames = [
      frame(SEND, 1, { migrationRequest: false }),
      frame(SEND, 2, { migrationRequest: false }),
      frame(SEND, 3, { ...ALTERNATE, migrationRequest: true }),
      frame(SEND, 4, { ...ALTERNATE, migrationRequest: false }),
      frame(SEND, 5, { migrationRequest: true }),
    ];
    expect(await totals(frames)).toEqual(NONE);
  });

  it('do not fill a gap by the same PSNs of another host', async () => {
    const other = { source: '192.0.2.9' };
    for (const migrationRequest of [true, false]) {
      const send = (psn: number, more: FrameOptions = {}): CaptureFrame =>
        frame(SEND, psn, { migrationRequest, ...more });
      expect(await totals([send(1), send(1, other), send(2, other), send(3)])).toEqual([1, 1, 0, 0]);
    }
  });

  it('allow any initial PSN for a queue pair that a new connection reuses', async () => {
    const frames = [
      frame(SEND, 7),
      req(1, 0x200, 90_000),
      rep(2, 1, 0x118),
      frame(SEND, 90_000),
      frame(SEND, 90_001),
    ];
    expect(await totals(frames)).toEqual(NONE);
  });

  it('are counted by kind', async () => {
    const [requests, responses] = await streamsOf([...readOfThree(10), frame(SEND, 14), back(RESPONSE_ONLY, 14)]);
    expect(requests).toMatchObject({ requests: { packets: 2, gaps: 1, missing: 1 }, responses: { packets: 0 } });
    expect(responses).toMatchObject({ source: B, requests: { packets: 0 }, responses: { packets: 4 } });
  });
});
