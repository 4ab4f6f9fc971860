import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPacketPort, openPortWaiter, startLiveClock, type FramePort } from '../../src/live/index.js';
import { numberedFrame, flushAll, receiveFrames } from './support/frames.js';
import { describeWithNamespaces, ip, NamespacePair } from './support/namespaces.js';

describeWithNamespaces('an interface as a port', () => {
  let pair: NamespacePair;
  const open: FramePort[] = [];

  beforeAll(() => {
    pair = new NamespacePair();
  });
  afterAll(() => {
    for (const port of open) port.close();
    pair.remove();
  });

  async function ports(options: Parameters<typeof openPacketPort>[1] = {}): Promise<[FramePort, FramePort]> {
    const settings = { blockBytes: 65_536, blocks: 4, blockTimeoutMs: 1, clock: startLiveClock(), ...options };
    const left = await pair.within(pair.left, () => openPacketPort('left0', settings));
    const right = await pair.within(pair.right, () => openPacketPort('right0', settings));
    open.push(left, right);
    return [left, right];
  }

  it('passes frames from one end to the other, byte for byte, in order, with timestamps', async () => {
    const [left, right] = await ports();
    const sent = Array.from({ length: 100 }, (_, index) => numberedFrame(index, 60 + 13 * index));
    for (const frame of sent) expect(left.send(frame, 0, frame.length)).toBe(true);
    await flushAll(left);
    const got = await receiveFrames(right, sent.length);
    expect(got.map(({ bytes }) => bytes)).toEqual(sent);
    expect(got.every(({ timeNs }, index) => timeNs >= (got[index - 1]?.timeNs ?? 0))).toBe(true);
    expect(got[0]!.timeNs).toBeLessThan(60e9);
    // A port does not receive the frames that it sends.
    expect(await receiveFrames(left, 1, 50)).toEqual([]);
    const bytes = sent.reduce((sum, { length }) => sum + length, 0);
    expect(left.stats()).toMatchObject({ sentFrames: 100, sentBytes: bytes, queuedFrames: 0, receivedFrames: 0 });
    expect(right.stats()).toMatchObject({ receivedFrames: 100, receivedBytes: bytes });
    left.close();
    right.close();
  });

  it('restores VLAN tags that the kernel strips, including stacked ones', async () => {
    const [left, right] = await ports();
    const frame = numberedFrame(1, 80);
    frame.set([0x81, 0x00, 0x60, 0x05, 0x88, 0xb5], 12);
    const stack = numberedFrame(2, 80);
    stack.set([0x88, 0xa8, 0x20, 0x07, 0x81, 0x00, 0x60, 0x05, 0x88, 0xb5], 12);
    const sent = [frame, stack, numberedFrame(3, 60)];
    for (const each of sent) left.send(each, 0, each.length);
    left.flush();
    const got = await receiveFrames(right, 3);
    expect(got.map(({ bytes }) => bytes)).toEqual(sent);
    expect(got.map(({ originalLenBytes }) => originalLenBytes)).toEqual([80, 80, 60]);
    left.close();
    right.close();
  });

  it('counts frames that a full ring drops, and continues', async () => {
    const [left, right] = await ports();
    const frame = numberedFrame(0, 1082);
    const count = 2000;
    for (let index = 0; index < count; index++) left.send(frame, 0, frame.length);
    left.flush();
    await right.wait(20);
    const got = await receiveFrames(right, count, 300);
    const { receivedFrames, receiveDrops } = right.stats();
    expect(receivedFrames).toBe(got.length);
    expect(receiveDrops['kernel-ring-full']).toBeGreaterThan(0);
    expect(receivedFrames + receiveDrops['kernel-ring-full']).toBe(count);
    left.send(numberedFrame(7, 100), 0, 100);
    left.flush();
    expect((await receiveFrames(right, 1)).map(({ bytes }) => bytes)).toEqual([numberedFrame(7, 100)]);
    left.close();
    right.close();
  });

  it('counts an interface that goes down, and receives and sends when it is up again', async () => {
    const [left, right] = await ports();
    ip('-n', pair.right, 'link', 'set', 'right0', 'down');
    await right.wait(1000);
    expect(right.stats().linkDowns).toBe(1);
    const frame = numberedFrame(1, 100);
    right.send(frame, 0, frame.length);
    right.flush();
    expect(right.stats()).toMatchObject({ sentFrames: 0, queuedFrames: 0, sendDrops: { 'interface-down': 1 } });
    ip('-n', pair.right, 'link', 'set', 'right0', 'up');
    pair.awaitUp(0);
    left.send(frame, 0, frame.length);
    left.flush();
    right.send(frame, 0, frame.length);
    right.flush();
    expect(await receiveFrames(right, 1)).toHaveLength(1);
    expect(await receiveFrames(left, 1)).toHaveLength(1);
    left.close();
    right.close();
  });

  it('finds an interface that was removed and recreated under its name', async () => {
    const [left, right] = await ports();
    left.close();
    ip('-n', pair.right, 'link', 'del', 'right0');
    await right.wait(1000);
    expect(right.stats().linkDowns).toBe(1);
    pair.join();
    pair.enter(pair.right);
    await right.wait(1);
    pair.leave();
    const [again, other] = await ports();
    const frame = numberedFrame(1, 100);
    again.send(frame, 0, frame.length);
    again.flush();
    expect(await receiveFrames(right, 1)).toHaveLength(1);
    for (const port of [right, again, other]) port.close();
  });

  it('drops and counts frames longer than slots and batches', async () => {
    const [left, right] = await ports({ sendFrameBytes: 2000 });
    expect(left.send(new Uint8Array(2001), 0, 2001)).toBe(true);
    expect(left.stats().sendDrops['too-long']).toBe(1);
    left.close();
    right.close();
    expect(left.send(new Uint8Array(60), 0, 60)).toBe(false);
    expect(left.stats()).toMatchObject({ rejectedFrames: 1, receiveDrops: { error: 0 } });
  });

  it('waits for several ports at once, until the wait is cancelled', async () => {
    const [left, right] = await ports();
    const waiter = await openPortWaiter([left, right]);
    const began = performance.now();
    const waited = waiter.wait(20_000);
    waiter.wake();
    await waited;
    const next = waiter.wait(20_000);
    left.send(numberedFrame(1, 60), 0, 60);
    left.flush();
    await next;
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await receiveFrames(right, 1)).toHaveLength(1);
    waiter.close();
    left.close();
    right.close();
  });

  it('rejects a missing interface, and invalid options', async () => {
    await expect(pair.within(pair.left, () => openPacketPort('nothing0'))).rejects.toMatchObject({
      code: 'invalid-argument',
      got: 'nothing0',
    });
    await expect(openPacketPort('a/b')).rejects.toMatchObject({ code: 'invalid-argument', got: 'a/b' });
    await expect(openPacketPort('left0', { blockBytes: 5000 })).rejects.toMatchObject({
      code: 'invalid-config',
      where: 'options.blockBytes',
    });
  });
});
