import { readFileSync } from 'node:fs';
import { epochsMax } from '../../src/replay/captured-frames.js';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { CAPTURES } from '../support/captures.js';
import { capture, flows, options, replayCapture } from './support/incast.js';
import { pcap, type TestFrame } from './support/pcap.js';

const SMALL = new URL('../captures/small/', import.meta.url);
const readSmall = (name: string) => readFileSync(new URL(name, SMALL));
const classify = (bytes: Uint8Array) => replayCapture(bytes, [], { parameters: options.parameters });

/** CNPs and Fast CNPs of the incast, in order. */
async function incastNotifications(): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for await (const frame of readCapture(capture())) if (frame.bytes.length === 94) found.push(frame.bytes);
  return found;
}

describe('captures of every kind', () => {
  it.each(['mixed_50.pcap', 'mixed_50.pcap.gz', 'mixed_50.pcapng'])('reads the same frames from %s', async (name) => {
    const { capture: file, classes, error } = await classify(readSmall(name));
    expect(error).toBeUndefined();
    expect(file.frames).toBe(50);
    expect(classes).toEqual((await classify(readSmall('mixed_50.pcap'))).classes);
  });

  it('assigns the previous timestamp to frames without one', async () => {
    const { capture: file } = await classify(readSmall('mixed_odd.pcapng'));
    expect(file).toMatchObject({ frames: 120, untimedFrames: 16 });
    expect(file.durationPs).toBeLessThan(2e9);
  });

  it('counts malformed and truncated frames, and continues', async () => {
    const { classes, totals, error } = await classify(readSmall('malformed_60.pcap'));
    expect(error).toBeUndefined();
    expect(classes.malformed.frames).toBeGreaterThan(10);
    expect(totals.in).toBe(60);
  });

  it.each([
    ['mixed.pcapng', 1939, {
      data: 930,
      // Nine of the CNPs are in VXLAN.
      cnp: 183,
      'fast-cnp-1': 216,
      'fast-cnp-2': 134,
      pfc: 40,
      'roce-v1': 40,
      malformed: 0,
    }],
    ['mixed_raw101.pcap', 200, { pfc: 0, 'roce-v1': 0, malformed: 0 }],
  ])('classifies %s of the corpus', async (name, frames, wanted) => {
    const { capture: file, classes, totals } = await classify(readFileSync(CAPTURES + name));
    expect(file.frames).toBe(frames);
    expect(totals.unsupportedLink).toBe(0);
    for (const [kind, count] of Object.entries(wanted)) {
      expect([kind, classes[kind as keyof typeof classes].frames]).toEqual([kind, count]);
    }
  });

  it('counts frames of an unsupported link type separately', async () => {
    const frame: TestFrame = { bytes: new Uint8Array(40), at: [5, 0] };
    const { capture: file, totals, classes } = await replayCapture(pcap(247, [frame, frame]), flows, options);
    expect(file.linkTypes).toEqual([{ linkType: 247, name: 'InfiniBand', frames: 2, supported: false }]);
    expect(totals).toMatchObject({ in: 2, handled: 0, ignored: 0, rejected: 0, unsupportedLink: 2 });
    expect(classes.other.frames).toBe(0);
  });

  it('reads raw IP with link type 101, 228 or 229', async () => {
    const frames = (await incastNotifications()).map((bytes, index): TestFrame => ({
      bytes: bytes.subarray(14),
      at: [5, index * 100_000],
    }));
    for (const linkType of [101, 229]) {
      const { notifications } = await replayCapture(pcap(linkType, frames), flows, options);
      expect(notifications).toMatchObject({ cnpsSeen: 127, cnpsHandled: 127 });
    }
  });

  it('reads frames that are longer than the arena of the engine', async () => {
    const [cnp = new Uint8Array()] = await incastNotifications();
    const huge = new Uint8Array(9 * 2 ** 20);
    const { classes } = await replayCapture(
      pcap(1, [{ bytes: huge, at: [5, 0] }, { bytes: cnp, at: [5, 1] }, { bytes: huge, at: [5, 2] }]),
      flows,
      options,
    );
    expect(classes.other).toMatchObject({ frames: 2, bytes: 2 * huge.length });
    expect(classes.cnp).toMatchObject({ frames: 1, handled: 1 });
  });

  it('lists CNPs and Fast CNPs for unlisted QPs', async () => {
    const { unresolved, notifications, flows: found } = await replayCapture(capture(), flows.slice(4, 5), options);
    expect(found).toMatchObject([{ flow: '4', cnpsSeen: 0, fastCnpsSeen: 26 }]);
    expect(unresolved.reduce((sum, { count }) => sum + count, 0)).toBe(127 + 187 - 26);
    expect(unresolved).toContainEqual({
      kind: 'fast-cnp',
      destination: '2001:db8:5e01::10',
      destQpn: 5534,
      originalDestination: '2001:db8:4e01::20',
      count: 23,
    });
    expect(notifications).toMatchObject({ cnpsSeen: 127, cnpsHandled: 0 });
  });

  it('lists the notified QPs without a flow list', async () => {
    const { flows: found, unresolved, fastCnps } = await classify(capture());
    expect(found).toEqual([]);
    expect(fastCnps).toMatchObject({ seen: 187, accepted: 0, rejected: { 'not-local': 187 } });
    expect(unresolved).toContainEqual({
      kind: 'cnp',
      destination: '2001:db8:5e02::10',
      destQpn: 528,
      originalDestination: undefined,
      count: 11,
    });
  });
});

describe('times of a capture', () => {
  const replayTimes = async (times: TestFrame['at'][]) => {
    const [cnp = new Uint8Array()] = await incastNotifications();
    return replayCapture(pcap(1, times.map((at) => ({ bytes: cnp, at }))), flows, options);
  };

  it('accepts a CNP that is out of order in the file', async () => {
    const { notifications, totals, capture: file } = await replayTimes([[5, 500_000], [5, 400_000], [5, 900_000]]);
    expect(notifications).toMatchObject({ cnpsSeen: 3, cnpsHandled: 3 });
    expect(totals.lateClamped).toBe(1);
    expect(file.durationPs).toBe(500_000_000);
  });

  it('follows the rate through idle times', async () => {
    const { flows: found } = await replayTimes([[5, 0], [5, 100_000_000]]);
    const [flow] = found.filter((one) => one.rateLine !== undefined);
    const rates = flow!.rateLine!.meanRatesBps;
    expect(rates[0]).toBeLessThan(80e9);
    expect(rates.at(40)).toBe(100e9);
    expect(flow).toMatchObject({ lowestRateBps: 50e9, cnpsSeen: 2 });
  });

  it('starts a new epoch with a new engine when the clock range of 2.5 h ends', async () => {
    const { capture: file, error, totals, notifications, flows: found } = await replayTimes([
      [5, 0],
      [5 + 10_000, 0],
      [3, 0],
      [6, 0],
    ]);
    expect(error).toBeUndefined();
    expect(file).toMatchObject({ offClockFrames: 0, durationPs: 10_002e12 });
    expect(file.epochs).toEqual([
      { startPs: 0, frames: 1 },
      { startPs: 10_000e12, frames: 1 },
      { startPs: -2e12, frames: 2 },
    ]);
    expect(totals).toMatchObject({ in: 4, handled: 4, rejected: 0 });
    expect(notifications).toMatchObject({ cnpsSeen: 4, cnpsHandled: 4 });
    const [flow] = found.filter((one) => one.rateLine !== undefined);
    // Each epoch starts at line rate, to which the rate also recovers within 3 s after a first CNP.
    expect(flow).toMatchObject({ lowestRateBps: 50e9, cnpsHandled: 4 });
  });

  it('has the same counter totals as one long epoch', async () => {
    const cut = await replayTimes([[5, 0], [5, 30_000], [20_005, 0], [20_005, 30_000]]);
    const near = await replayTimes([[5, 0], [5, 30_000]]);
    expect(cut.capture.epochs).toHaveLength(2);
    expect(cut.totals.outcomes).toEqual(
      Object.fromEntries(Object.entries(near.totals.outcomes).map(([name, count]) => [name, 2 * count])),
    );
    const rates = (report: typeof cut) => report.flows.map(({ lowestRateBps, rateBps }) => [lowestRateBps, rateBps]);
    expect(rates(cut)).toEqual(rates(near));
  });

  it('limits the number of epochs, and reports the frames that were not applied', async () => {
    const times = Array.from({ length: 1200 }, (_, index): TestFrame['at'] => [(index % 2) * 20_000, index]);
    const { capture: file, error, totals } = await replayTimes(times);
    expect(file.epochs).toHaveLength(1000);
    expect(file.offClockFrames).toBeGreaterThan(90);
    expect(totals.in).toBe(1200);
    expect(totals.outcomes['bad-time']).toBe(file.offClockFrames);
    expect(error).toMatchObject({ code: 'unsupported', got: file.offClockFrames });
  });

  it('allows fewer epochs with many QPs, since each epoch resets all of them', () => {
    expect([0, 1, 4000, 200_000, 2 ** 24 - 1].map(epochsMax)).toEqual([1000, 1000, 1000, 20, 1]);
  });

  it('classifies captures of any length', async () => {
    const [cnp = new Uint8Array()] = await incastNotifications();
    const { error, classes } = await classify(pcap(1, [{ bytes: cnp, at: [5, 0] }, { bytes: cnp, at: [500_000, 0] }]));
    expect(error).toBeUndefined();
    expect(classes.cnp.frames).toBe(2);
  });
});

describe('damaged captures', () => {
  it('reports the frames before the damage, and the error', async () => {
    const whole = gunzipSync(capture());
    const result = await replayCapture(whole.subarray(0, 5_000_001), flows, options);
    expect(result.error).toMatchObject({ code: 'invalid-capture' });
    expect(result.capture.frames).toBeGreaterThan(4000);
    expect(result.totals.in).toBe(result.capture.frames);
    expect(result.notifications.cnpsSeen).toBeGreaterThan(0);
  });

  it('reports the same for damaged gzip data', async () => {
    const result = await replayCapture(capture().subarray(0, 400_000), flows, options);
    expect(result.error).toMatchObject({ code: 'invalid-capture' });
    expect(result.capture.frames).toBeGreaterThan(4000);
  });

  it.each([['an empty file', new Uint8Array()], ['text', Buffer.from('no capture at all')]])('rejects %s',
    async (_what, bytes) => {
      const result = await classify(bytes);
      expect(result.error).toMatchObject({ code: 'invalid-capture' });
      expect(result.capture.frames).toBe(0);
    });

  it('accepts a capture without frames', async () => {
    const result = await replayCapture(pcap(1, []), flows, options);
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({ capture: { frames: 0, durationPs: 0, start: undefined }, totals: { in: 0 } });
  });
});
