/** The role switch under faults: an interface goes down and up, a peer stops reading, its own ring is full. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPacketPort, runSwitch, startLiveClock, type FramePort, type SwitchResult } from '../../src/live/index.js';
import { starScenario } from './support/emulated-star.js';
import { receiveFrames } from './support/frames.js';
import { describeWithNamespaces, ip, NamespacePair } from './support/namespaces.js';
import { FrameTemplates } from '../../src/sim/files/capture-templates.js';
import { planOf } from './support/emulated-star.js';

const SCENARIO = starScenario(2, { algorithms: { default: { preset: 'dcqcn-sigcomm15' } } });
const RING = { blockBytes: 65_536, blocks: 4, blockTimeoutMs: 1 };
const FEW = 20;
/** More than the rings of 256 kB hold. */
const MANY = 2000;

describeWithNamespaces('the role switch', () => {
  let pair: NamespacePair;
  let sender: FramePort;
  let receiver: FramePort;
  let ports: readonly [FramePort, FramePort];
  let abort: AbortController;
  let running: Promise<SwitchResult>;
  let frame: Uint8Array;

  beforeAll(() => {
    pair = new NamespacePair();
    pair.twin();
    const record = {
      timePs: 0,
      port: 0,
      kind: 'data',
      flow: 0,
      sequence: 0,
      lenBytes: 1106,
      payloadBytes: 1024,
    } as const;
    frame = new FrameTemplates(planOf(SCENARIO)).frameOf({ ...record, trafficClass: 3, marked: false }).slice();
  });
  afterAll(() => {
    pair.remove();
  });

  beforeEach(async () => {
    const clock = startLiveClock();
    const open = (namespace: string, name: string): Promise<FramePort> =>
      pair.within(namespace, () => openPacketPort(name, { ...RING, clock }));
    sender = await open(pair.right, 'right0');
    receiver = await open(pair.right, 'right1');
    ports = [await open(pair.left, 'left0'), await open(pair.left, 'left1')];
    abort = new AbortController();
    running = runSwitch(ports, { scenario: SCENARIO, clock, signal: abort.signal });
  });
  afterEach(() => {
    abort.abort();
    for (const port of [sender, receiver, ...ports]) port.close();
  });

  function send(count: number): void {
    for (let index = 0; index < count; index += 1) sender.send(frame, 0, frame.length);
    sender.flush();
  }

  /** Ends the switch, and checks that every frame sent is in its counters, or dropped before its port by reason. */
  async function expectBalance(sent: number): Promise<SwitchResult> {
    abort.abort();
    const result = await running;
    const [inside, outside] = result.interfaces as [
      SwitchResult['interfaces'][number],
      SwitchResult['interfaces'][number],
    ];
    const { receivedFrames, receiveDrops } = ports[0].stats();
    expect(receivedFrames + receiveDrops['kernel-ring-full']).toBe(sent);
    expect(inside.in).toBe(receivedFrames);
    expect(result.unaccounted).toBe(0);
    const { sentFrames, sendDrops, queuedFrames } = ports[1].stats();
    // A rejected frame is in `rejected`; one that waits on the emulated link already counts as sent.
    const given = sentFrames + queuedFrames + Object.values(sendDrops).reduce((sum, count) => sum + count, 0);
    expect(outside.out).toBe(given + result.rejected);
    return result;
  }

  it('counts frames that an interface that is down does not accept, and continues when it is up', async () => {
    send(FEW);
    expect(await receiveFrames(receiver, FEW)).toHaveLength(FEW);
    ip('-n', pair.left, 'link', 'set', 'left1', 'down');
    send(FEW);
    await expect.poll(() => ports[1].stats().sendDrops['interface-down']).toBe(FEW);
    ip('-n', pair.left, 'link', 'set', 'left1', 'up');
    pair.awaitUp(1);
    await receiveFrames(receiver, FEW, 100);
    send(FEW);
    expect(await receiveFrames(receiver, FEW)).toHaveLength(FEW);
    const result = await expectBalance(3 * FEW);
    expect(result.interfaces[1]).toMatchObject({ out: 3 * FEW, droppedOut: 0 });
    expect(ports[1].stats().linkDowns).toBeGreaterThan(0);
  }, 30_000);

  it('counts a receiving interface that goes down, and receives from it when it is up again', async () => {
    ip('-n', pair.left, 'link', 'set', 'left0', 'down');
    await expect.poll(() => ports[0].stats().linkDowns).toBe(1);
    ip('-n', pair.left, 'link', 'set', 'left0', 'up');
    pair.awaitUp(0);
    send(FEW);
    expect(await receiveFrames(receiver, FEW)).toHaveLength(FEW);
    await expectBalance(FEW);
  }, 30_000);

  it('continues when a peer stops reading: the peer counts frames beyond the capacity of its ring', async () => {
    for (let sent = 0; sent < MANY; sent += FEW) {
      send(FEW);
      await expect.poll(() => ports[1].stats().sentFrames, { interval: 1 }).toBe(sent + FEW);
    }
    const held = (await receiveFrames(receiver, MANY, 300)).length;
    const { 'kernel-ring-full': lost } = receiver.stats().receiveDrops;
    expect(lost).toBeGreaterThan(0);
    expect(held + lost).toBe(MANY);
    send(1);
    expect(await receiveFrames(receiver, 1)).toHaveLength(1);
    const { interfaces } = await expectBalance(MANY + 1);
    expect(interfaces[1]).toMatchObject({ out: MANY + 1, droppedOut: 0 });
  }, 60_000);

  it('counts frames beyond the capacity of its ring while it is not called, and continues', async () => {
    send(MANY);
    await expect.poll(() => ports[0].stats().receiveDrops['kernel-ring-full']).toBeGreaterThan(0);
    await receiveFrames(receiver, MANY, 500);
    send(1);
    expect(await receiveFrames(receiver, 1)).toHaveLength(1);
    const { interfaces } = await expectBalance(MANY + 1);
    expect(interfaces[0]!.in).toBeLessThan(MANY);
    expect(interfaces[1]!.out).toBe(interfaces[0]!.in);
  }, 30_000);
});
