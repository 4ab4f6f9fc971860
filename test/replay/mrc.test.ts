import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { encodeCapture, readCaptureBatches } from '../../src/capture/index.js';
import { dcqcnSigcomm15, gbps } from '../../src/index.js';
import { build, completeStack, trimMrcFrame, type LayerSpec, type MrcOptions } from '../../src/packet/index.js';
import { replay, type MrcSummary, type ReplayReport } from '../../src/replay/index.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { mrcEntropyFields } from '../../src/wire/mrc/ip-fields.js';

const FILE = new URL('../captures/mrc/mrc.pcap', import.meta.url);
const parameters = dcqcnSigcomm15({ lineRateBps: gbps(100) });
const MACS = { destination: Uint8Array.of(2, 0, 0, 0, 0, 1), source: Uint8Array.of(2, 0, 0, 0, 0, 2) };
const [A, B] = [parseIpAddress('2001:db8::a'), parseIpAddress('2001:db8::b')];
const RESPONDER_QPN = 0x22;
const REQUESTER_QPN = 0x11;

const replayed = (bytes: Uint8Array, options: { mrc?: MrcOptions | false; icrc?: 'check' } = {}) =>
  replay(readCaptureBatches(bytes), {
    parameters,
    ...(options.mrc !== undefined && { mrc: options.mrc }),
    ...(options.icrc && { engine: { parser: { icrc: options.icrc } } }),
  });

interface Data {
  readonly psn: number;
  readonly entropy?: number;
  readonly ecn?: number;
  readonly again?: boolean;
  readonly qpn?: number;
  /** The timestamp of its TSETH, which is absent by default. */
  readonly timestamp?: number;
}

const frame = (source: Uint8Array, destination: Uint8Array, entropy: number, ecn: number, dscp: number,
  ...rest: readonly LayerSpec[]): Uint8Array => {
  const { flowLabel, sourcePort } = mrcEntropyFields(entropy);
  return build(completeStack([
    { kind: 'ethernet', value: MACS },
    { kind: 'ipv6', value: { source, destination, dscp, ecn, flowLabel } },
    { kind: 'udp', value: { sourcePort } },
    ...rest,
  ]));
};
const timestamped = (timestamp: number | undefined): LayerSpec[] =>
  timestamp === undefined ? [] : [{ kind: 'tseth', value: { timestamp } }];
const data = ({ psn, entropy = psn, ecn = 2, again = false, qpn = RESPONDER_QPN, timestamp }: Data): Uint8Array =>
  frame(A, B, entropy, ecn, 4, {
    kind: 'mrc-bth',
    value: { opcode: 0xc7, destQpn: qpn, psn, retransmission: again },
  }, { kind: 'meth', value: { msn: 0 } }, ...timestamped(timestamp), {
    kind: 'reth',
    value: { virtualAddress: 0n, rKey: 1, dmaLength: 4096 },
  }, {
    kind: 'payload',
    value: { bytes: new Uint8Array(256) },
  });
const sack = (cumulativePsn: number, bitmap: bigint, cause: number, entropy = cause, qpn = REQUESTER_QPN,
  timestamp = 0): Uint8Array =>
  frame(B, A, 1, 2, 46, { kind: 'mrc-bth', value: { opcode: 0xdc, destQpn: qpn, psn: cumulativePsn } }, {
    kind: 'seth',
    value: { cumulativePsn, sackOffset: 1, ackPsnOffset: cause - cumulativePsn, entropy, bitmap },
  }, { kind: 'mrc-cc-state', value: { timestamp } });

/** @param timesUs the times of the frames; 0 by default. */
async function summaryOf(frames: readonly Uint8Array[], timesUs: readonly number[] = []): Promise<MrcSummary> {
  const capture = encodeCapture(frames.map((bytes, index) => ({
    linkType: 1,
    bytes,
    capturedBytes: bytes.length,
    originalBytes: bytes.length,
    hasTime: true,
    epochSeconds: 1,
    picoseconds: (timesUs[index] ?? 0) * 1e6,
  })) as never, { format: 'pcap', linkType: 1 });
  return (await replayed(capture)).mrc!;
}

describe('replaying the capture of MRC packets', () => {
  it('counts every frame by kind, and the packets of each queue pair', async () => {
    const { mrc, classes } = await replayed(readFileSync(FILE), { icrc: 'check' });
    expect(mrc).toMatchObject({
      frames: 62,
      kinds: {
        data: 36,
        ack: 2,
        sack: 11,
        nack: 7,
        probe: 1,
        'endpoint-request': 2,
        'endpoint-response': 2,
        reserved: 1,
      },
      trimmed: 7,
      routed: 8,
      malformedFrames: [49, 50, 51, 52, 53, 54, 57, 58],
      icrcChecked: 54,
      icrcWrong: 1,
    });
    expect(classes.discard.frames + classes.malformed.frames + classes.other.frames).toBe(62);
    expect(mrc!.queuePairs).toHaveLength(2);
    expect(mrc!.queuePairs[0]).toMatchObject({
      destQpn: 0xa1b2,
      requesterQpn: 0xc3,
      dataFrames: 33,
      retransmissions: 1,
      markedFrames: 2,
      trimmed: 4,
      trimmedAtLastHop: 2,
      skipOnce: 1,
      alwaysSkip: 1,
      acks: 1,
      naks: 1,
      probes: 1,
      nacks: { TRIMMED: 2, TRIMMED_LASTHOP: 1, NO_BITMAP: 1, PSN_OOR_WINDOW: 1, UNEXP_EVENT: 1, '0x42': 1 },
    });
  });

  it('has the same totals when MRC is disabled', async () => {
    const on = await replayed(readFileSync(FILE));
    const off = await replayed(readFileSync(FILE), { mrc: false });
    expect(off.mrc).toBeUndefined();
    const counts = ({ classes, totals }: ReplayReport): unknown => [classes, totals];
    expect(counts(off)).toEqual(counts(on));
    expect(off.othersElsewhere + off.others.length).toBeGreaterThan(0);
    expect(on.others).toEqual([]);
  });

  it('applies the configured DSCPs of the network', async () => {
    const { mrc } = await replayed(readFileSync(FILE), { mrc: { dscps: { trimmed: 11, trimmedLastHop: 'none' } } });
    expect(mrc).toMatchObject({ trimmed: 0 });
    const wrong = replayed(readFileSync(FILE), { mrc: { dscps: { trimmed: 64 } } });
    await expect(wrong).rejects.toThrow(/dscps.trimmed/);
  });
});

describe('the packets of one queue pair', () => {
  it('are counted by entropy value and as out of order', async () => {
    const psns = [0xfffffe, 1, 0xffffff, 0, 5, 2, 4];
    const { queuePairs } = await summaryOf(psns.map((psn) => data({ psn, entropy: psn % 3 })));
    expect(queuePairs[0]).toMatchObject({
      dataFrames: 7,
      entropies: 3,
      outOfOrderFrames: 4,
      reorderingDepth: 3,
      missingPsns: 1,
      requesterQpn: undefined,
    });
  });

  it('are not counted as out of order for a retransmission or a trimmed packet', async () => {
    const trimmed = trimMrcFrame(data({ psn: 1 }));
    const { queuePairs, findings } = await summaryOf([
      data({ psn: 0 }),
      trimmed,
      data({ psn: 2 }),
      data({ psn: 1, entropy: 9, again: true }),
    ]);
    expect(queuePairs[0]).toMatchObject({ trimmed: 1, retransmissions: 1, outOfOrderFrames: 0, missingPsns: 0 });
    expect(findings).toEqual([{ code: 'mrc-trimmed', queuePair: 0, count: 1 }]);
  });

  it('are matched to SACKs by their PSN and entropy value', async () => {
    const { queuePairs } = await summaryOf([
      data({ psn: 1, entropy: 7, qpn: 0x22 }),
      data({ psn: 1, entropy: 8, qpn: 0x33 }),
      sack(1, 0n, 1, 8, 0x44),
      sack(1, 0n, 1, 7, 0x55),
    ]);
    expect(queuePairs.map(({ destQpn, requesterQpn, sacks }) => [destQpn, requesterQpn, sacks])).toEqual([
      [0x22, 0x55, 1],
      [0x33, 0x44, 1],
    ]);
  });

  it('have holes as in the latest SACK', async () => {
    const frames = [0, 1, 3, 5].map((psn) => data({ psn }));
    const { queuePairs, findings } = await summaryOf([...frames, sack(1, 0b1010n, 5), sack(0, 0b1n, 1)]);
    expect(queuePairs[0]).toMatchObject({
      sacks: 2,
      sacksWithHoles: 1,
      mostHoles: 2,
      openHoles: [2, 4],
      missingPsns: 2,
    });
    expect(findings).toEqual([{ code: 'mrc-open-holes', queuePair: 0, count: 2 }]);
  });

  it('have a single path with a single entropy value', async () => {
    const { findings } = await summaryOf(Array.from({ length: 16 }, (_, psn) => data({ psn, entropy: 3 })));
    expect(findings).toEqual([{ code: 'mrc-one-entropy', queuePair: 0, count: 16 }]);
  });

  it('are not required for a queue pair, for which SACKs suffice', async () => {
    const { queuePairs } = await summaryOf([sack(1, 0n, 1)]);
    expect(queuePairs).toMatchObject([{ destQpn: undefined, requesterQpn: REQUESTER_QPN, sacks: 1, dataFrames: 0 }]);
  });
});

describe('round-trip times', () => {
  it('are measured from a packet to the SACK that it caused', async () => {
    const frames = [
      data({ psn: 1 }),
      data({ psn: 2 }),
      data({ psn: 3 }),
      sack(1, 0n, 1),
      sack(2, 0n, 2),
      sack(3, 0n, 3),
    ];
    const { queuePairs } = await summaryOf(frames, [0, 1, 2, 5, 11, 10]);
    expect(queuePairs[0]).toMatchObject({ rttMinPs: 5e6, rttMedianPs: 8e6, rttSamples: 3, repeatsWithoutRtx: 0 });
  });

  it('exclude PSNs that arrived more than once; repeats without rtx are counted', async () => {
    const { queuePairs } = await summaryOf([
      data({ psn: 1 }),
      data({ psn: 1, again: true }),
      data({ psn: 2 }),
      data({ psn: 2 }),
      data({ psn: 3, again: true }),
      sack(1, 0n, 1),
      sack(2, 0n, 2),
      sack(3, 0n, 3),
    ], [0, 1, 2, 3, 4, 5, 6, 7]);
    expect(queuePairs[0]).toMatchObject({
      rttMinPs: undefined,
      rttMedianPs: undefined,
      rttSamples: 0,
      repeatsWithoutRtx: 1,
    });
  });

  it('require the entropy value and the timestamp of the packet', async () => {
    const { queuePairs } = await summaryOf([
      data({ psn: 1, entropy: 7, timestamp: 0xffff }),
      sack(1, 0n, 1, 8, REQUESTER_QPN, 0xffff),
      sack(1, 0n, 1, 7, REQUESTER_QPN, 0),
      sack(1, 0n, 1, 7, REQUESTER_QPN, 0xffff),
    ], [0, 4, 5, 9]);
    expect(queuePairs[0]).toMatchObject({ rttMinPs: 9e6, rttSamples: 1 });
  });
});
