import { describe, expect, it } from 'vitest';
import { dcqcnSigcomm15, gbps } from '../../src/index.js';
import { encodeCapture, readCaptureBatches, type CaptureItems } from '../../src/capture/index.js';
import { openUdpPort, portBatches, watch, type WatchView } from '../../src/live/index.js';
import { parseFlows } from '../../src/replay/index.js';
import { markedFrame, numberedFrame } from './support/frames.js';

const parameters = dcqcnSigcomm15({ lineRateBps: gbps(100) });
const ANY = { address: '127.0.0.1', port: 0 };

/** Collects the lengths of written frames. */
function collector(): { write: (frames: CaptureItems) => Promise<void>; lengths: number[] } {
  const lengths: number[] = [];
  const write = async (frames: CaptureItems): Promise<void> => {
    for await (const item of frames) lengths.push((item as { bytes: Uint8Array }).bytes.length);
  };
  return { write, lengths };
}

describe('watching frames', () => {
  it('of a port counts and writes them, and ends on a signal with consistent counters', async () => {
    const right = await openUdpPort({ local: ANY });
    const left = await openUdpPort({ local: ANY, peer: right.local });
    for (let index = 0; index < 40; index++) left.send(numberedFrame(index, 60 + index), 0, 60 + index);
    const abort = new AbortController();
    const { write, lengths } = collector();
    const views: WatchView[] = [];
    const { report, port, writtenFrames, framesBeyondLimit } = await watch(right, {
      parameters,
      signal: abort.signal,
      writeFrames: write,
      viewMs: 1,
      onView: (view) => {
        views.push(view);
        if (view.report.capture.frames === 40) abort.abort();
      },
    });
    expect(report.capture).toMatchObject({ frames: 40, bytes: 40 * 60 + 780, untimedFrames: 0 });
    expect(report.totals.in).toBe(40);
    expect(port).toMatchObject({ receivedFrames: 40, receivedBytes: report.capture.bytes });
    expect(lengths).toEqual(Array.from({ length: 40 }, (_, index) => 60 + index));
    expect({ writtenFrames, framesBeyondLimit }).toEqual({ writtenFrames: 40, framesBeyondLimit: 0 });
    expect(views.at(-1)!.elapsedSeconds).toBeGreaterThan(0);
    left.close();
    right.close();
  });

  it('of a port has times of whole picoseconds', async () => {
    let nowNs = 2e9 / 3;
    const right = await openUdpPort({ local: ANY, clock: { originNs: 7n, nowNs: () => (nowNs += 2e9 / 3) } });
    const left = await openUdpPort({ local: ANY, peer: right.local });
    for (let psn = 0; psn < 9; psn++) left.send(numberedFrame(psn, 60), 0, 60);
    const times: number[] = [];
    for await (const { count, epochSeconds, picoseconds } of portBatches(right)) {
      for (let index = 0; index < count; index++) times.push(epochSeconds[index], picoseconds[index]);
      if (times.length === 18) break;
    }
    expect(times.slice(0, 6)).toEqual([1, 333_333_340_333, 2, 7000, 2, 666_666_673_667]);
    expect(times.every(Number.isInteger)).toBe(true);
    left.close();
    right.close();
  });

  it('of a stream ends at the end of the stream, at a limit, and on a signal while the stream is idle', async () => {
    const file = encodeCapture([1, 2, 3].map((at) => ({ bytes: numberedFrame(at, 60), epochSeconds: at })), {
      format: 'pcapng',
    });
    const whole = await watch(readCaptureBatches(file), { parameters });
    expect(whole).toMatchObject({ report: { capture: { frames: 3 } }, port: undefined });
    const { write, lengths } = collector();
    const limited = await watch(readCaptureBatches(file), { parameters, limitFrames: 2, writeFrames: write });
    expect(limited).toMatchObject({ report: { capture: { frames: 2 } }, writtenFrames: 2, framesBeyondLimit: 1 });
    expect(lengths).toEqual([60, 60]);
    const abort = new AbortController();
    const silent = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(file);
      },
    });
    const seen: unknown[] = [];
    const ended = await watch(readCaptureBatches(silent, { batchBytes: 1 }), {
      parameters,
      signal: abort.signal,
      writeFrames: async (items) => {
        for await (const item of items) {
          seen.push(item);
          if (seen.length === 3) setTimeout(() => abort.abort());
        }
      },
    });
    expect(ended.report.capture.frames).toBe(3);
  });

  it('continues if its writer fails, and reports the error at the end', async () => {
    const file = encodeCapture([1, 2, 3].map((at) => ({ bytes: numberedFrame(at, 60), epochSeconds: at })), {
      format: 'pcap',
    });
    const writeFrames = async (frames: CaptureItems): Promise<void> => {
      for await (const item of frames) throw new Error(`no room for ${typeof item}`);
    };
    await expect(watch(readCaptureBatches(file), { parameters, writeFrames })).rejects.toThrow('no room for object');
  });

  it('counts each hostile frame once: damaged RoCE, VLAN stacks and noise of any length', async () => {
    const right = await openUdpPort({ local: ANY });
    const left = await openUdpPort({ local: ANY, peer: right.local });
    let seed = 1;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const good = markedFrame(1);
    const whole = async (frame: Uint8Array): Promise<void> => {
      left.send(frame, 0, frame.length);
      await new Promise((resolve) => setImmediate(resolve));
    };
    let sentBytes = 0;
    const abort = new AbortController();
    const watching = watch(right, { parameters, signal: abort.signal });
    for (let round = 0; round < 300; round++) {
      const cut = good.slice(0, 14 + random(good.length - 13));
      const stack = Uint8Array.from([
        ...good.subarray(0, 12),
        ...new Uint8Array(4 * random(300)).fill(0x81),
        ...good.subarray(12),
      ]);
      const noise = Uint8Array.from({ length: 14 + random(9200) }, () => random(256));
      const frame = [cut, stack, noise][round % 3];
      frame[random(frame.length)] = random(256);
      sentBytes += frame.length;
      await whole(frame);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    abort.abort();
    const { report, port } = await watching;
    const { in: frames, handled, ignored, rejected, unsupportedLink } = report.totals;
    expect(frames).toBe(300);
    expect(handled + ignored + rejected + unsupportedLink).toBe(300);
    expect(Object.values(report.classes).reduce((sum, { frames: count }) => sum + count, 0)).toBe(300);
    expect(port).toMatchObject({ receivedFrames: 300, receivedBytes: sentBytes });
    left.close();
    right.close();
  });

  it('reports the same marks and CNPs, due and seen, as a replay of the frames', async () => {
    const flows = parseFlows('sender_addr,sender_qpn,peer_addr,peer_qpn\n10.0.0.1,0x11,10.0.0.2,0x12\n', 'flows.csv');
    const right = await openUdpPort({ local: ANY });
    const left = await openUdpPort({ local: ANY, peer: right.local });
    const frame = markedFrame(1);
    for (let index = 0; index < 20; index++) left.send(frame, 0, frame.length);
    let captured: Uint8Array | undefined;
    const { report } = await watch(right, {
      parameters,
      flows,
      limitFrames: 20,
      writeFrames: async (frames) => {
        const kept = [];
        for await (const item of frames) kept.push({ ...item, bytes: (item as { bytes: Uint8Array }).bytes.slice() });
        captured = encodeCapture(kept as Parameters<typeof encodeCapture>[0], { format: 'pcapng' });
      },
    });
    const again = await watch(readCaptureBatches(captured!), { parameters, flows });
    expect(report.notifications).toMatchObject({ markedFrames: 20 });
    expect(report.notifications.cnpsDue).toBeGreaterThan(0);
    expect(again.report.notifications).toEqual(report.notifications);
    expect(again.report.flows).toEqual(report.flows);
    expect(again.report.streams).toEqual(report.streams);
    left.close();
    right.close();
  });
});
