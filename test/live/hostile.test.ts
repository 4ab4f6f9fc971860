/** Hostile frames on the live path: nothing fails, and every frame is accounted for. */
import { describe, expect, it } from 'vitest';
import { readCaptureFile } from '../../src/capture/node-file.js';
import { droppedBy, EmulatedEdge, edgeSettings } from '../../src/live/edge/emulated-edge.js';
import { emulateHosts, emulateSwitch, runNotificationPoint, type FramePort } from '../../src/live/index.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { lineWan } from '../sim/wan/wan-runs.js';
import { parseFlows } from '../../src/replay/index.js';
import { CAPTURES } from './support/captures.js';
import { starScenario } from './support/emulated-star.js';
import { markedFrame } from './support/frames.js';

const SCENARIO = starScenario(3, {
  algorithms: { default: { preset: 'dcqcn-sigcomm15' } },
  switches: {
    ecn: { byRate: [{ rateGbps: 1, kminKB: 1, kmaxKB: 4, pmax: 1 }] },
    fastCnp: { enabled: true },
  },
});

/** Frames from captures, and generated ones: noise, VLAN stacks, truncated and jumbo frames, from 0 bytes. */
async function hostileFrames(): Promise<Uint8Array[]> {
  const frames: Uint8Array[] = [];
  for (const file of CAPTURES) for await (const { bytes } of readCaptureFile(file)) frames.push(bytes.slice());
  let seed = 1;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const good = markedFrame(1);
  for (let round = 0; round < 600; round += 1) {
    const tags = new Uint8Array(4 * random(300)).fill(0x81);
    const noise = Uint8Array.from({ length: random(9600) }, () => random(256));
    const pause = Uint8Array.from([1, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0x88, 0x08, ...noise.subarray(0, 46)]);
    const stack = Uint8Array.from([...good.subarray(0, 12), ...tags, ...good.subarray(12)]);
    const changed = good.map((byte) => (random(30) === 0 ? random(256) : byte));
    frames.push([good.slice(0, random(good.length)), stack, noise, pause, changed][round % 5]!);
  }
  return frames;
}

/** The frame with an outer IPv6 header inserted after its Ethernet header. */
function tunnelTo(sid: Uint8Array, frame: Uint8Array): Uint8Array {
  const inner = frame.subarray(14, 9000);
  const header = new Uint8Array(54);
  header.set([0x86, 0xdd, 0x60], 12);
  new DataView(header.buffer).setUint16(18, inner.length);
  header.set([41, 64], 20);
  header[22] = 0x20;
  header.set(sid, 38);
  return Uint8Array.from([...header, ...inner]);
}

/** A port that delivers these frames in small batches. */
function portOf(frames: readonly Uint8Array[], atEnd: () => void): FramePort {
  let next = 0;
  const noStats = { receivedFrames: frames.length } as ReturnType<FramePort['stats']>;
  return {
    name: 'hostile',
    originNs: 0n,
    receive(batch) {
      let at = 0;
      for (batch.count = 0; batch.count < 50 && next < frames.length; batch.count += 1, next += 1) {
        const frame = frames[next]!;
        batch.bytes.set(frame, at);
        batch.offsets[batch.count] = at;
        batch.lenBytes[batch.count] = frame.length;
        batch.originalLenBytes[batch.count] = frame.length;
        batch.timesNs[batch.count] = next * 1000;
        at += frame.length;
      }
      if (next === frames.length) atEnd();
      return batch.count;
    },
    send: () => true,
    flush: () => undefined,
    wait: () => Promise.resolve(),
    stats: () => noStats,
    close: () => undefined,
  };
}

describe('hostile frames', () => {
  it('to either side of an edge are forwarded, terminated or dropped by reason', async () => {
    const frames = await hostileFrames();
    const { plan } = compileScenario(validateScenario(lineWan()));
    const settings = edgeSettings(plan, 'pe0');
    const edge = new EmulatedEdge(settings, () => undefined);
    // Frames are also sent in a tunnel, to its egress and to END.CON.
    const wrapped = frames.flatMap((frame) =>
      [settings.egressSids[0]!, settings.endConSid].map((sid) => tunnelTo(sid, frame))
    );
    for (const frame of [...frames, ...wrapped]) {
      edge.receive('inside', frame);
      edge.receive('outside', frame);
    }
    for (const counters of [edge.counters.inside, edge.counters.outside]) {
      expect(counters.in).toBe(frames.length + wrapped.length);
      expect(counters.forwarded + counters.ended + droppedBy(counters)).toBe(counters.in);
      expect(counters.dropped.noRoute + counters.dropped.notIp + counters.dropped.malformed).toBeGreaterThan(100);
    }
    expect(edge.counters.outside.dropped.endCon).toBeGreaterThan(100);
  });

  it('through a switch are forwarded, terminated or dropped by reason', async () => {
    const frames = await hostileFrames();
    const emulated = emulateSwitch(SCENARIO);
    frames.forEach((frame, index) => {
      emulated.receive(index % 3, frame, index * 5_000_000);
    });
    emulated.drain();
    const { interfaces, unaccounted, queued, drops } = emulated.counters();
    for (const one of interfaces) expect(one.in + one.copied).toBe(one.forwarded + one.ended + one.droppedIn);
    expect(interfaces.reduce((sum, one) => sum + one.in, 0)).toBe(frames.length);
    expect({ unaccounted, queued }).toEqual({ unaccounted: 0, queued: 0 });
    expect(drops.oversize).toBeGreaterThan(0);
    expect(drops.cut).toBeGreaterThan(0);
  });

  it('to hosts are each counted once', async () => {
    const frames = (await hostileFrames()).filter(({ length }) => length >= 14);
    using hosts = emulateHosts(SCENARIO);
    frames.forEach((frame, index) => {
      hosts.receive('h2', frame, index * 1_000_000);
      hosts.run(index * 1_000_000);
    });
    expect(hosts.counters('h2').received).toBe(frames.length);
  });

  it('to a notification point are each counted as marked or other', async () => {
    const frames = await hostileFrames();
    const abort = new AbortController();
    const flows = parseFlows('sender_addr,sender_qpn,peer_addr,peer_qpn\n10.0.0.1,0x11,10.0.0.2,0x12\n', 'flows.csv');
    const counters = await runNotificationPoint(portOf(frames, () => {
      abort.abort();
    }), { flows, signal: abort.signal });
    expect(counters.frames).toBe(frames.length);
    expect(counters.markedFrames + counters.otherFrames).toBe(frames.length);
    expect(counters.cnpsDue).toBe(counters.cnpsSent + counters.cnpsRejected);
  });
});
