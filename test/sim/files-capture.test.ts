/** Captures of simulated ports: what our own reader and dissector find in them. */
import { FlowPlans } from '../../src/sim/flow-plans.js';
import { describe, expect, it } from 'vitest';
import { readCapture, type CaptureFrame } from '../../src/capture/index.js';
import { describe as describePacket, dissect, type LayerOf, type LayerKind } from '../../src/packet/index.js';
import { FastCnp, Icrc, formatIpAddress } from '../../src/wire/index.js';
import { PortCapture, type CaptureContext, type PortCaptureOptions } from '../../src/sim/files/capture.js';
import type { PacketRecord } from '../../src/sim/result.js';
import { ACK_BYTES, FAST_CNP_BYTES, FLOW_BYTES, HEADER_BYTES, ONE_OF_EACH, captureContext,
  packet } from '../support/sim-capture.js';
import { textsOf } from '../support/note-texts.js';

const ETHERNET_BYTES = 14;
const FCS_BYTES = 4;

async function framesOf(records: readonly PacketRecord[], context: CaptureContext = captureContext(),
  options: PortCaptureOptions = {}): Promise<CaptureFrame[]> {
  const capture = new PortCapture(context, options);
  for (const record of records) capture.add(record);
  expect(capture.count).toBe(records.length);
  const frames: CaptureFrame[] = [];
  for await (const frame of readCapture(capture.finish())) frames.push({ ...frame, bytes: frame.bytes.slice() });
  return frames;
}

async function frameOf(record: PacketRecord, context?: CaptureContext): Promise<Uint8Array> {
  const [frame] = await framesOf([record], context);
  return frame!.bytes;
}

function layer<Kind extends LayerKind>(frame: Uint8Array, kind: Kind): LayerOf<Kind>['value'] {
  const found = dissect(frame).layers.find((one) => one.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found.value as LayerOf<Kind>['value'];
}

describe('A capture of a simulated port', () => {
  it('has one well-formed frame per record, with the correct ICRC', async () => {
    const frames = await framesOf(ONE_OF_EACH);
    const packets = frames.map(({ bytes }) => dissect(bytes));
    expect(packets.map((one) => one.class)).toEqual([
      'data',
      'data',
      'data',
      'ack',
      'nak',
      'ack',
      'cnp',
      'fast-cnp-1',
      'pfc',
      'pfc',
    ]);
    expect(packets.flatMap(({ trouble }) => trouble ?? [])).toEqual([]);
    for (const { bytes } of frames.slice(0, 8)) expect(Icrc.isRight(bytes.subarray(ETHERNET_BYTES))).toBe(true);
  });

  it('has frames of the simulated length, less the FCS, and with the padding to 4 bytes', async () => {
    const frames = await framesOf(ONE_OF_EACH);
    const paddingOf = ({ payloadBytes }: PacketRecord) => (4 - (payloadBytes % 4)) % 4;
    expect(frames.map(({ originalBytes }) => originalBytes)).toEqual(
      ONE_OF_EACH.map((record) => record.lenBytes - FCS_BYTES + paddingOf(record)),
    );
  });

  it('has times from the start of the run, to the nanosecond', async () => {
    const [first, last] = await framesOf([
      packet('data', { timePs: 1_234_567 }),
      packet('resume', { timePs: 1_000_010_000_999 }),
    ]);
    expect([first!.epochSeconds, first!.picoseconds, last!.epochSeconds, last!.picoseconds]).toEqual([
      0,
      1_234_000,
      1,
      10_000_000,
    ]);
  });

  it('has SEND FIRST, MIDDLE, LAST with ascending PSNs, ONLY for a single packet, and CE for a mark', async () => {
    const data = (await framesOf(ONE_OF_EACH.slice(0, 3))).map(({ bytes }) => ({
      ...layer(bytes, 'bth'),
      ecn: layer(bytes, 'ipv6').ecn,
      dscp: layer(bytes, 'ipv6').dscp,
    }));
    expect(data).toMatchObject([
      { opcode: 0, psn: 0, destQpn: 0x800010, ackRequest: true, ecn: 2, dscp: 26 },
      { opcode: 1, psn: 1, ecn: 3 },
      { opcode: 2, psn: 2, padCount: 3, ecn: 2 },
    ]);
    const context = captureContext();
    const short = { ...context, flows: FlowPlans.of([{ ...context.flows.get(0), sizeBytes: 1024 }]) };
    expect(layer(await frameOf(packet('data'), short), 'bth')).toMatchObject({ opcode: 4 });
  });

  it('splits a flow beyond 2^31 bytes into several messages, and wraps PSNs at 2^24', async () => {
    const context = captureContext();
    const long = { ...context, flows: FlowPlans.of([{ ...context.flows.get(0), sizeBytes: 2 ** 36 }]) };
    const at = async (sequence: number) => layer(await frameOf(packet('data', { sequence }), long), 'bth');
    expect(await at(2 ** 31 - 1024)).toMatchObject({ opcode: 2, psn: 2 ** 21 - 1 });
    expect(await at(2 ** 31)).toMatchObject({ opcode: 0, psn: 2 ** 21 });
    expect(await at(2 ** 34 + 1024)).toMatchObject({ opcode: 1, psn: 1 });
    expect(layer(await frameOf(packet('ack', { sequence: 2 ** 31 + 1024 }), long), 'aeth').msn).toBe(1);
  });

  it('has the last in-order PSN and the MSN in an ACK, and the missing PSN in a NAK', async () => {
    const bothOf = (bytes: Uint8Array) => ({ ...layer(bytes, 'aeth'), ...layer(bytes, 'bth') });
    expect((await framesOf(ONE_OF_EACH.slice(3, 6))).map(({ bytes }) => bothOf(bytes))).toMatchObject([
      { psn: 0, syndrome: 0x1f, msn: 0, destQpn: 0x10 },
      { psn: 1, syndrome: 0x60, msn: 0 },
      { psn: 2, syndrome: 0x1f, msn: 1 },
    ]);
    expect(bothOf(await frameOf(packet('ack', { sequence: 0 }))).psn).toBe(2 ** 24 - 1);
  });

  it('has CNPs from the receiver to the sender, with opcode 0x81 and DSCP 48', async () => {
    const frame = await frameOf(packet('cnp', { port: 2 }));
    expect(layer(frame, 'bth')).toMatchObject({ opcode: 0x81, destQpn: 0x10, becn: true });
    const { source, destination, dscp, ecn } = layer(frame, 'ipv6');
    expect([formatIpAddress(source), formatIpAddress(destination), dscp, ecn]).toEqual([
      '2001:db8::2',
      '2001:db8::1',
      48,
      1,
    ]);
  });

  it('has Fast CNPs from their switch, with the receiver in the option', async () => {
    const read = (bytes: Uint8Array) => FastCnp.read(bytes, { link: 'ethernet' });
    const one = read(await frameOf(packet('fast-cnp', { port: 2 })));
    expect(one).toMatchObject({ option: 1, origin: 'network', icrc: 'right', destQpn: 0x800010, dscp: 48 });
    expect([one.source, one.destination, one.originalDestination].map((address) => formatIpAddress(address))).toEqual([
      '2001:db8::3',
      '2001:db8::1',
      '2001:db8::2',
    ]);
    const elsewhere = read(await frameOf(packet('fast-cnp', { port: 2, origin: 7 })));
    expect(formatIpAddress(elsewhere.source)).toBe('2001:db8::8');
  });

  it('has the class in pause and resume frames, with the longest time in one and zero in the other', async () => {
    const pause = layer(await frameOf(packet('pause', { port: 2, trafficClass: 5 })), 'pfc');
    const resume = layer(await frameOf(packet('resume', { port: 2, trafficClass: 5 })), 'pfc');
    expect(pause).toEqual({ classEnableVector: 32, pauseQuanta: [0, 0, 0, 0, 0, 65535, 0, 0] });
    expect(resume).toEqual({ classEnableVector: 32, pauseQuanta: [0, 0, 0, 0, 0, 0, 0, 0] });
    expect(await frameOf(packet('pause'))).toHaveLength(60);
  });

  it('has the Ethernet addresses of the two ends of the link', async () => {
    const frame = await frameOf(packet('data', { port: 3 }));
    expect([...layer(frame, 'ethernet').source, ...layer(frame, 'ethernet').destination]).toEqual([
      2,
      0,
      0,
      0,
      0,
      3,
      2,
      0,
      0,
      0,
      0,
      1,
    ]);
  });

  it.each([8, 16, 24, 64, 248, 256, 264, 272, 520])('keeps the simulated length with %i bytes of telemetry space',
    async (spaceBytes) => {
      const context = captureContext({ fastCnp: { option: 2 } });
      const records = [
        packet('data', { lenBytes: HEADER_BYTES + 1024 + spaceBytes }),
        packet('ack', { lenBytes: ACK_BYTES + spaceBytes, sequence: 1024 }),
      ];
      const frames = await framesOf(records, context);
      frames.forEach(({ bytes }, index) => {
        expect(bytes).toHaveLength(records[index]!.lenBytes - FCS_BYTES);
        expect(dissect(bytes).trouble ?? []).toEqual([]);
        expect(Icrc.isRight(bytes.subarray(ETHERNET_BYTES))).toBe(true);
      });
    });

  it.each([[16, 16], [64, 64], [240, 0]])(
    'of a Fast CNP with option 2 and %i more bytes has a trace without a layout if one fits',
    async (more) => {
      const frame = await frameOf(packet('fast-cnp', { port: 2, lenBytes: FAST_CNP_BYTES + more }),
        captureContext({ fastCnp: { option: 2 } }));
      const { option, trace } = FastCnp.read(frame, { link: 'ethernet' });
      expect([option, trace?.data.length]).toEqual(more <= 232 ? [2, more] : [1, undefined]);
      if (option === 2) expect(frame).toHaveLength(FAST_CNP_BYTES + more - FCS_BYTES);
    },
  );

  it('has RoCEv2 headers of standard length under reference, with a note', async () => {
    const context = captureContext({ fidelity: 'reference', rules: { mtuBytes: 1000 } });
    const frame = await frameOf(packet('data', { payloadBytes: 1000, lenBytes: 1048, sequence: 1000 }), context);
    expect(frame).toHaveLength(HEADER_BYTES + 1000 - FCS_BYTES);
    expect(layer(frame, 'bth')).toMatchObject({ psn: 1, opcode: 1 });
    expect(textsOf(new PortCapture(context).notes)).toEqual([
      expect.stringMatching(/lengths here differ from the simulated ones/),
    ]);
    expect(textsOf(new PortCapture(captureContext()).notes)).toEqual([]);
  });

  it('has the same frames from templates as from scratch', async () => {
    const records = Array.from({ length: 40 },
      (_, index) =>
        packet((['data', 'ack', 'nak', 'data', 'cnp'] as const)[index % 5]!, {
          sequence: 1024 * (index >> 1),
          timePs: index,
        }));
    const context = captureContext();
    const long = { ...context, flows: FlowPlans.of([{ ...context.flows.get(0), sizeBytes: 1024 * 100 }]) };
    const together = await framesOf(records, long);
    for (const [index, record] of records.entries()) {
      expect(together[index]!.bytes).toEqual(await frameOf(record, long));
    }
  });

  it('keeps the full length of frames that are truncated to the headers', async () => {
    const [frame] = await framesOf([packet('data')], captureContext(), { snapLengthBytes: 96 });
    expect([frame!.capturedBytes, frame!.originalBytes]).toEqual([96, HEADER_BYTES + 1024 - FCS_BYTES]);
    expect(textsOf(new PortCapture(captureContext(), { snapLengthBytes: 96 }).notes)).toEqual([
      expect.stringMatching(/truncated to 96 bytes/),
    ]);
  });

  it('can be read piece by piece', () => {
    const [whole, pieces] = [new PortCapture(captureContext()), new PortCapture(captureContext())];
    const taken: number[] = [];
    for (let index = 0; index < 200; index++) {
      for (const capture of [whole, pieces]) capture.add(packet('data', { timePs: index }));
      for (const chunk of pieces.drain()) taken.push(...chunk);
    }
    expect(taken.length).toBeGreaterThan(65_536);
    const all = Uint8Array.from([...taken, ...pieces.finish()]);
    expect(Buffer.compare(all, whole.finish())).toBe(0);
  });

  it.each<[string, Partial<PacketRecord>, RegExp]>([
    [
      'an unknown port',
      { port: 9 },
      /^record\.port: the index of a port must be at least 0 and below 4 \(got 9\)\.$/,
    ],
    ['an unknown flow', { flow: 1 }, /^record\.flow: the index of a flow must be at least 0 and below 1 \(got 1\)\.$/],
    [
      'a time before the last',
      { timePs: 5 },
      /^record\.timePs: the time of a record must be at least 10 ps \(got 5\)\. Records must be in order of time\.$/,
    ],
    ['a class that is none', { trafficClass: 8 }, /trafficClass/],
  ])('rejects %s', (_, changes, message) => {
    const capture = new PortCapture(captureContext());
    capture.add(packet('data', { timePs: 10 }));
    expect(() => {
      capture.add(packet('data', { timePs: 10, ...changes }));
    }).toThrow(message);
  });

  it('rejects a snap length that is too short for any frame', () => {
    expect(() => new PortCapture(captureContext(), { snapLengthBytes: 20 })).toThrow(/snapLengthBytes/);
  });

  it('has descriptions of frames that name the events of the run', async () => {
    expect(describePacket(dissect(await frameOf(packet('nak', { sequence: 1024 }))))).toMatch(/NAK/i);
    expect(FLOW_BYTES % 4).not.toBe(0);
  });
});
