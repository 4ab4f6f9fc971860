import { afterEach, describe, expect, it } from 'vitest';
import { makeFrameBatch, openUdpPort, type UdpPort, type UdpPortOptions } from '../../src/live/index.js';
import { FrameQueue } from '../../src/live/ports/udp-port.js';
import { numberedFrame, receiveFrames } from './support/frames.js';

const ANY = { address: '127.0.0.1', port: 0 };

describe('a UDP socket as a port', () => {
  const open: UdpPort[] = [];
  afterEach(() => {
    for (const port of open.splice(0)) port.close();
  });

  async function opened(options: UdpPortOptions): Promise<UdpPort> {
    const port = await openUdpPort({ local: ANY, ...options });
    open.push(port);
    return port;
  }

  /** Yields to socket callbacks until the condition holds. */
  async function resolved(holds: () => boolean): Promise<void> {
    for (let turn = 0; turn < 400 && !holds(); turn++) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it('passes frames byte for byte, and counts all of them', async () => {
    const right = await opened({});
    const left = await opened({ peer: right.local });
    const sent = Array.from({ length: 50 }, (_, index) => numberedFrame(index, 14 + 61 * index));
    for (const frame of sent) expect(left.send(frame, 0, frame.length)).toBe(true);
    const got = await receiveFrames(right, sent.length);
    expect(got.map(({ bytes }) => bytes)).toEqual(sent);
    await resolved(() => left.stats().queuedFrames === 0);
    expect(left.stats()).toMatchObject({ sentFrames: 50, queuedFrames: 0 });
    expect(right.stats()).toMatchObject({ receivedFrames: 50, receivedBytes: left.stats().sentBytes });
  });

  it('drops and counts frames beyond the capacity of its queue, and continues', async () => {
    const right = await opened({ queueFrames: 4 });
    const left = await opened({ peer: right.local });
    for (let index = 0; index < 10; index++) left.send(numberedFrame(index, 100), 0, 100);
    await resolved(() => right.stats().receiveDrops['queue-full'] === 6);
    expect(right.stats().receiveDrops['queue-full']).toBe(6);
    expect(await receiveFrames(right, 4)).toHaveLength(4);
    left.send(numberedFrame(9, 100), 0, 100);
    expect((await receiveFrames(right, 1)).map(({ bytes }) => bytes)).toEqual([numberedFrame(9, 100)]);
  });

  it('counts a vanished peer, frames too short and too long, and a send without a peer', async () => {
    const right = await opened({});
    const left = await opened({ peer: right.local });
    left.send(new Uint8Array(13), 0, 13);
    left.send(new Uint8Array(1000), 0, 1000);
    await resolved(() => right.stats().receiveDrops['too-short'] === 1);
    await right.wait(1000);
    expect(right.receive(makeFrameBatch({ bytes: 500 }))).toBe(0);
    expect(right.stats()).toMatchObject({ receivedFrames: 0, receiveDrops: { 'too-short': 1, 'too-long': 1 } });
    expect(right.send(new Uint8Array(60), 0, 60)).toBe(false);
    expect(right.stats().rejectedFrames).toBe(1);
    left.send(new Uint8Array(65_535), 0, 65_535);
    await resolved(() => left.stats().sendDrops['too-long'] === 1);
    expect(left.stats().sendDrops['too-long']).toBe(1);
    right.close();
    let gone = 0;
    for (let tries = 0; tries < 50 && gone === 0; tries++) {
      left.send(new Uint8Array(60), 0, 60);
      await new Promise((resolve) => setTimeout(resolve, 5));
      gone = left.stats().sendDrops['peer-gone'] + left.stats().linkDowns;
    }
    expect(gone).toBeGreaterThan(0);
  });

  it('keeps every frame in its queue over many wraps of its rings', () => {
    const queue = new FrameQueue(7, 1000);
    const batch = makeFrameBatch({ frames: 3, bytes: 700 });
    const waiting: number[] = [];
    for (let round = 0; round < 2000; round++) {
      const lenBytes = 14 + ((round * 97) % 400);
      if (queue.add(numberedFrame(round, lenBytes), round)) waiting.push(round);
      if (round % 3 !== 0) continue;
      queue.moveTo(batch);
      for (let index = 0; index < batch.count; index++) {
        const first = waiting.shift() ?? -1;
        const from = batch.offsets[index];
        const frame = Buffer.from(batch.bytes.subarray(from, from + batch.lenBytes[index]));
        expect(batch.timesNs[index]).toBe(first);
        expect(frame.equals(numberedFrame(first, 14 + ((first * 97) % 400)))).toBe(true);
      }
      expect(queue.count).toBe(waiting.length);
    }
  });

  it('rejects invalid addresses, and an address in use', async () => {
    await expect(openUdpPort({ local: { address: 'localhost', port: 1 } })).rejects.toMatchObject({
      code: 'invalid-config',
      where: 'options.local.address',
    });
    await expect(openUdpPort({ local: ANY, peer: { address: '::1', port: 1 } })).rejects.toMatchObject({
      where: 'options.peer.address',
    });
    const port = await opened({});
    await expect(openUdpPort({ local: port.local })).rejects.toMatchObject({ code: 'unsupported' });
  });
});
