/** The role switch between ports, what it records, and replays of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCapture, readCapture, type CaptureFrame } from '../../src/capture/index.js';
import { readCaptureFile } from '../../src/capture/node-file.js';
import { emulateHosts, emulateSwitch, openPacketPort, recordedArrival, replayArrivals, runSwitch, startLiveClock,
  type FramePort, type SwitchArrival, type SwitchCounters, type SwitchResult,
  type UdpPort } from '../../src/live/index.js';
import { openUdpPair } from '../../src/live/ports/udp-port.js';
import type { ScenarioSpec } from '../../src/sim/index.js';
import { startInBackground } from '../cli/support/process.js';
import { starScenario } from './support/emulated-star.js';
import { receiveFrames } from './support/frames.js';
import { describeWithNamespaces, NamespacePair } from './support/namespaces.js';

const HOSTS = 3;
/** Offset after the IPv6 header, the only part of a frame that marks change. */
const IP_END = 54;

/** A slow switch with ECN marks, drops and injected losses, all of which a replay must reproduce. */
const SCENARIO: ScenarioSpec = starScenario(HOSTS, {
  topology: { kind: 'star', hosts: HOSTS, rateGbps: 0.02, delayNs: 1000 },
  algorithms: {
    default: { preset: 'dcqcn-sigcomm15', parameters: { minRateBps: 1e6, aiRateBps: 1e5, haiRateBps: 1e5 } },
  },
  switches: {
    ecn: { byRate: [{ rateGbps: 0.02, kminKB: 2, kmaxKB: 20, pmax: 0.5 }] },
    pfc: false,
    bufferBytes: 40_000,
    headroomBytes: 0,
  },
  faults: [{ kind: 'loss', between: ['h1', 's0'], share: 0.05, of: 'all' }],
});

/** Frames of the scenario's senders in the first 20 ms. */
function dataFrames(): { readonly host: number; readonly frame: Uint8Array }[] {
  const frames: { host: number; frame: Uint8Array }[] = [];
  using hosts = emulateHosts(SCENARIO, {
    hosts: ['h0', 'h1'],
    onDeparture: ({ host, frame }) => frames.push({ host: Number(host.slice(1)), frame: frame.slice() }),
  });
  while (hosts.nextEventPs < 20e9) hosts.run(hosts.nextEventPs);
  return frames;
}

function expectBalance({ interfaces, unaccounted, queued }: SwitchCounters): void {
  for (const one of interfaces) expect(one.in + one.copied).toBe(one.forwarded + one.ended + one.droppedIn);
  expect({ unaccounted, queued }).toEqual({ unaccounted: 0, queued: 0 });
}

/** Counters without scheduling lags, which a replay does not have. */
function countersOf({ interfaces, unaccounted, queued, drops }: SwitchCounters): SwitchCounters {
  return { interfaces, unaccounted, queued, drops };
}

describe('a switch between UDP sockets', () => {
  const open: UdpPort[] = [];
  afterAll(() => {
    for (const port of open) port.close();
  });

  async function link(): Promise<readonly [UdpPort, UdpPort]> {
    const pair = await openUdpPair({});
    open.push(...pair);
    return pair;
  }

  it('forwards, marks and drops; a replay of its record has the same frames, marks and drops', async () => {
    const links = [await link(), await link(), await link()];
    const arrivals: ReturnType<typeof recordedArrival>[] = [];
    const abort = new AbortController();
    const running = runSwitch(links.map(([near]) => near), {
      scenario: SCENARIO,
      signal: abort.signal,
      onArrival: (arrival: SwitchArrival) => arrivals.push(recordedArrival(arrival)),
    });
    const sent = dataFrames();
    for (const { host, frame } of sent) links[host]![1].send(frame, 0, frame.length);
    const got = await receiveFrames(links[2]![1], sent.length, 1500);
    abort.abort();
    const result: SwitchResult = await running;
    expectBalance(result);
    expect(got.length).toBe(result.interfaces[2]!.out);
    for (const count of [result.interfaces[2]!.marks, result.drops.buffer, result.drops.loss]) {
      expect(count).toBeGreaterThan(0);
    }

    const file = encodeCapture(arrivals, {
      format: 'pcapng',
      sections: [{ interfaces: links.map(() => ({ name: 'link' })) }],
    });
    const again: Uint8Array[] = [];
    const counters = await replayArrivals(readCapture(file), SCENARIO, {
      onDeparture: ({ frame }) => again.push(frame.slice()),
    });
    expect(counters).toEqual(countersOf(result));
    expect(again).toEqual(got.map(({ bytes }) => bytes));
    // Other arrival times give another result.
    const earlier = arrivals.map((arrival) => ({ ...arrival, picoseconds: 0 }));
    expect(await replayArrivals(asFrames(earlier), SCENARIO)).not.toEqual(counters);
  }, 30_000);

  it('rejects invalid ports, and the wrong number of ports', async () => {
    const [near] = await link();
    await expect(runSwitch([near], { scenario: SCENARIO })).rejects.toMatchObject({ where: 'ports', got: 1 });
    await expect(runSwitch([near, {} as FramePort, near], { scenario: SCENARIO })).rejects.toMatchObject({
      where: 'ports[1]',
    });
  });
});

describe('an emulated switch of a program', () => {
  it('rejects invalid ports, times and frames, and unknown hosts', () => {
    const emulated = emulateSwitch(SCENARIO);
    const frame = new Uint8Array(60);
    expect(() => {
      emulated.receive(3, frame, 0);
    }).toThrow(expect.objectContaining({ where: 'port' }));
    emulated.receive(0, frame, 1000);
    expect(() => {
      emulated.advance(999);
    }).toThrow(expect.objectContaining({ where: 'timePs' }));
    expect(() => emulateSwitch(SCENARIO, { addresses: { h9: '10.0.0.1' } })).toThrow(
      expect.objectContaining({ where: 'options.addresses', got: 'h9' }),
    );
    expect(emulated.ports).toEqual(['s0:h0', 's0:h1', 's0:h2']);
  });

  it('rejects a record without times', async () => {
    const file = encodeCapture([{ bytes: new Uint8Array(60) }], { format: 'pcapng' });
    await expect(replayArrivals(readCapture(file), SCENARIO)).rejects.toMatchObject({ where: 'arrivals' });
  });
});

describeWithNamespaces('roce-cc live switch between interfaces', () => {
  let pair: NamespacePair;
  const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-switch-'));
  beforeAll(() => {
    pair = new NamespacePair();
  });
  afterAll(() => {
    pair.remove();
    rmSync(folder, { recursive: true });
  });

  it('forwards between two of them, ends on a signal, and its record replays', async () => {
    const scenario = starScenario(2, { algorithms: { default: { preset: 'dcqcn-sigcomm15' } } });
    const file = path.join(folder, 'star.json');
    const record = path.join(folder, 'arrivals.pcapng');
    writeFileSync(file, JSON.stringify(scenario));
    const clock = startLiveClock();
    const options = { blockBytes: 65_536, blocks: 4, blockTimeoutMs: 1, clock };
    pair.twin();
    const from = await pair.within(pair.left, () => openPacketPort('left0', options));
    const to = await pair.within(pair.left, () => openPacketPort('left1', options));
    const child = await pair.within(pair.right,
      () =>
        Promise.resolve(
          startInBackground(['live', 'switch', 'right0', 'right1', '--scenario', file, '--record', record, '--json'], {
            stdio: ['ignore', 'pipe', 'inherit'],
          }),
        ));
    let printed = '';
    child.stdout!.on('data', (bytes: Buffer) => printed += bytes.toString());
    const sent = dataFrames().filter(({ host }) => host === 0).map(({ frame }) => frame);
    // Until it has opened its ports, nothing reads.
    let got: Uint8Array[] = [];
    for (let attempt = 0; attempt < 100 && got.length === 0; attempt += 1) {
      from.send(sent[0]!, 0, sent[0]!.length);
      from.flush();
      got = (await receiveFrames(to, 1, 200)).map(({ bytes }) => bytes);
    }
    await receiveFrames(to, 1000, 300);
    for (const frame of sent) from.send(frame, 0, frame.length);
    from.flush();
    const forwarded = await receiveFrames(to, sent.length, 5000);
    expect(forwarded.map(({ bytes }) => bytes.slice(IP_END))).toEqual(sent.map((frame) => frame.slice(IP_END)));
    child.kill('SIGINT');
    await once(child, 'close');
    from.close();
    to.close();
    const result = JSON.parse(printed) as SwitchResult & { readonly notRecorded: number };
    expectBalance(result);
    expect(result.notRecorded).toBe(0);
    expect(result.interfaces[1]!.out).toBe(result.interfaces[0]!.in);
    expect(await replayArrivals(readCaptureFile(record), scenario)).toEqual(countersOf(result));
  }, 60_000);
});

function asFrames(arrivals: readonly ReturnType<typeof recordedArrival>[]): CaptureFrame[] {
  return arrivals.map((arrival) => ({
    ...arrival,
    hasTime: true,
    section: 0,
    linkType: 1,
    capturedBytes: arrival.bytes.length,
  } as unknown as CaptureFrame));
}
