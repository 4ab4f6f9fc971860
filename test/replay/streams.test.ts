import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCaptureBatches, type CaptureFrame } from '../../src/capture/index.js';
import { build, completeStack, type LayerSpec } from '../../src/packet/index.js';
import { replay, type ReplayReport } from '../../src/replay/index.js';
import { Pause, Pfc, parseIpAddress } from '../../src/wire/index.js';
import { CAPTURES } from '../support/captures.js';
import { capture, expected, flows, options, replayCapture } from './support/incast.js';

const { parameters } = options;
const MAC = Uint8Array.of(2, 0, 0, 0, 0, 7);

const frameOf = (bytes: Uint8Array): CaptureFrame => ({
  bytes,
  capturedBytes: bytes.length,
  originalBytes: bytes.length,
  linkType: 1,
  interfaceId: 0,
  section: 0,
  hasTime: true,
  epochSeconds: 5,
  picoseconds: 0,
});

function data(psn: number, { opcode = 0x07, ecn = 2 as const, destQpn = 0x123456, source = '10.0.0.1' }: {
  opcode?: number;
  ecn?: 2 | 3;
  destQpn?: number;
  source?: string;
} = {}): CaptureFrame {
  const ip = { source: parseIpAddress(source), destination: parseIpAddress('10.0.0.2'), ecn };
  const layers: LayerSpec[] = [
    { kind: 'ethernet', value: { source: MAC, destination: MAC } },
    { kind: 'ipv4', value: ip },
    { kind: 'udp', value: {} },
    { kind: 'bth', value: { opcode, destQpn, psn } },
  ];
  return frameOf(build(completeStack([...layers, ...extended(opcode)])));
}

/** The header that must follow the BTH: an RETH, an AETH or a DETH. */
function extended(opcode: number): LayerSpec[] {
  if (opcode === 0x0c) return [{ kind: 'reth', value: { virtualAddress: 0n, rKey: 1, dmaLength: 4096 } }];
  if (opcode === 0x0d) return [{ kind: 'aeth', value: { syndrome: 0, msn: 1 } }];
  if (opcode === 0x81) return [{ kind: 'payload', value: { bytes: new Uint8Array(16) } }];
  return opcode === 0x64 ? [{ kind: 'deth', value: { qKey: 1, sourceQpn: 2 } }] : [];
}

const replayed = (frames: CaptureFrame[]): Promise<ReplayReport> => replay(frames, { parameters });

describe('streams', () => {
  it('count marks, CNPs and Fast CNPs of a capture without a flow list', async () => {
    const { streams, streamsElsewhere, notifications } = await replayCapture(capture(), [], { parameters });
    const sum = (count: (stream: (typeof streams)[number]) => number): number =>
      streams.reduce((total, stream) => total + count(stream), 0);
    expect(notifications.markedFrames).toBe(2273);
    expect([sum((s) => s.markedFrames), sum((s) => s.cnps), sum((s) => s.fastCnps), streamsElsewhere]).toEqual([
      2273,
      127,
      187,
      0,
    ]);
    const marked = flows.map(({ senderAddress, peerAddress, peerQpn }) =>
      streams.find((s) => s.source === senderAddress && s.destination === peerAddress && s.destQpn === peerQpn)
        ?.markedFrames
    );
    expect(marked).toEqual(expected.map(({ markedFrames }) => markedFrames));
  });

  it('are the same for single frames as for batches', async () => {
    const first = (await replay(readCaptureBatches(capture()), { parameters, limitFrames: 300 })).streams;
    const single = readCaptureBatches(capture(), { maxFrames: 1 });
    expect((await replay(single, { parameters, limitFrames: 300 })).streams).toEqual(first);
  });

  it.each([
    ['a run without a gap', [5, 6, 7], [0, 0, 0]],
    ['two holes', [5, 7, 8, 12], [2, 4, 0]],
    ['going back', [5, 6, 7, 6, 7, 8], [0, 0, 2]],
    ['the wrap of 24 bits', [0xfffffe, 0xffffff, 0, 2], [1, 1, 0]],
  ])('count missing and repeated PSNs: %s', async (_what, psns, [gaps, missing, repeated]) => {
    const { streams } = await replayed(psns.map((psn) => data(psn)));
    expect(streams).toMatchObject([{ psnGaps: gaps, psnsMissing: missing, psnsRepeated: repeated }]);
  });

  it('have no gap for PSNs that a READ, its responses or datagrams consume', async () => {
    const read = [data(5, { opcode: 0x0c }), data(21, { opcode: 0x0c })];
    const responses = [data(900, { opcode: 0x0d }), data(901, { opcode: 0x0e })];
    const datagrams = [data(1, { opcode: 0x64 }), data(77, { opcode: 0x64 })];
    const { streams } = await replayed([...read, ...responses, ...datagrams]);
    expect(streams).toMatchObject([{ psnGaps: 0, psnsMissing: 0, psnsRepeated: 0 }]);
  });

  it('are reported separately up to 10,000; frames of further streams are only counted', async () => {
    const frames = Array.from({ length: 10_030 }, (_, stream) => data(0, { destQpn: 0x1000 + stream }));
    const { streams, streamsElsewhere, capture: { frames: seen } } = await replayed([
      ...frames,
      data(1, { destQpn: 0x1000 }),
    ]);
    expect([streams.length, streamsElsewhere, seen]).toEqual([10_000, 30, 10_031]);
    expect(streams[0]).toMatchObject({ destQpn: 0x1000, frames: 2 });
  });

  it('are listed by name up to 100 times, and only counted beyond that', async () => {
    const cnps = Array.from({ length: 130 }, (_, qpn) => data(0, { opcode: 0x81, destQpn: 0x1000 + qpn }));
    const { unresolved, unresolvedElsewhere } = await replayed(cnps);
    expect([unresolved.length, unresolvedElsewhere]).toEqual([100, 30]);
  });

  it('are distinguished by address and QPN, and count marks', async () => {
    const { streams } = await replayed([
      data(1),
      data(2, { ecn: 3 }),
      data(1, { destQpn: 7 }),
      data(1, { source: '10.0.0.3' }),
    ]);
    expect(streams.map(({ source, destQpn, dataFrames, markedFrames }) => [source, destQpn, dataFrames, markedFrames]))
      .toEqual([['10.0.0.1', 0x123456, 2, 1], ['10.0.0.1', 7, 1, 0], ['10.0.0.3', 0x123456, 1, 0]]);
  });
});

describe('pauses', () => {
  it('are counted per sender and priority', async () => {
    const pauseQuanta = [0, 0, 0, 9, 0, 0, 0, 0];
    const { pauses } = await replayed([
      frameOf(Pfc.frame(MAC, { classEnableVector: 0x18, pauseQuanta })),
      frameOf(Pfc.frame(MAC, { classEnableVector: 0x08, pauseQuanta })),
      frameOf(Pause.frame(MAC, { pauseQuanta: 5 })),
    ]);
    const source = '02:00:00:00:00:07';
    expect(pauses).toEqual([
      { kind: 'pfc', source, priority: 3, pauses: 2, resumes: 0 },
      { kind: 'pfc', source, priority: 4, pauses: 0, resumes: 1 },
      { kind: 'pause', source, priority: undefined, pauses: 1, resumes: 0 },
    ]);
  });
});

describe('Fast CNPs of other option types', () => {
  it('are reported, and read if the types are configured', async () => {
    const source = readFileSync(`${CAPTURES}alt_types.pcap`);
    const { fastCnps } = await replayCapture(source, [], { parameters });
    expect(fastCnps).toMatchObject({
      seen: 0,
      otherOptionTypes: [{ option: 1, type: 0x92, frames: 30 }, { option: 2, type: 0x96, frames: 30 }],
    });
    const fastCnp = { optionType1: 0x92, optionType2: 0x96 };
    const read = await replayCapture(source, [], { parameters, engine: { fastCnp } });
    expect(read.fastCnps).toMatchObject({ seen: 60, otherOptionTypes: [] });
  });
});
