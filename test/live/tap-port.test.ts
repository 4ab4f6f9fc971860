import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPacketPort, openTapPort } from '../../src/live/index.js';
import { numberedFrame, receiveFrames } from './support/frames.js';
import { describeWithNamespaces, ip, NamespacePair } from './support/namespaces.js';

describeWithNamespaces('a TAP device as a port', () => {
  let pair: NamespacePair;

  beforeAll(() => {
    pair = new NamespacePair();
  });
  afterAll(() => {
    pair.remove();
  });

  it('passes frames to and from the host, byte for byte, and counts drops while it is down', async () => {
    const tap = await pair.within(pair.left, () => openTapPort('tap0'));
    const frame = numberedFrame(1, 1200);
    tap.send(frame, 0, frame.length);
    expect(tap.stats()).toMatchObject({ sentFrames: 0, sendDrops: { 'interface-down': 1 } });
    ip('-n', pair.left, 'link', 'set', 'tap0', 'up', 'arp', 'off');
    const host = await pair.within(pair.left, () => openPacketPort('tap0', { blockBytes: 65_536, blocks: 4 }));
    tap.send(frame, 0, frame.length);
    tap.flush();
    host.send(frame, 0, frame.length);
    host.flush();
    expect((await receiveFrames(host, 1)).map(({ bytes }) => bytes)).toEqual([frame]);
    expect((await receiveFrames(tap, 1)).map(({ bytes }) => bytes)).toEqual([frame]);
    expect(tap.stats()).toMatchObject({ sentFrames: 1, sentBytes: 1200, receivedFrames: 1, receivedBytes: 1200 });
    tap.close();
    tap.close();
    host.close();
    expect(ip('-n', pair.left, '-o', 'link')).not.toContain('tap0');
    expect(tap.send(frame, 0, frame.length)).toBe(false);
  });

  it('counts frames that are longer than its maximum', async () => {
    const tap = await pair.within(pair.left, () => openTapPort('tap1', { frameBytes: 100 }));
    ip('-n', pair.left, 'link', 'set', 'tap1', 'up', 'arp', 'off');
    const host = await pair.within(pair.left, () => openPacketPort('tap1', { blockBytes: 65_536, blocks: 4 }));
    for (const lenBytes of [101, 100]) host.send(numberedFrame(lenBytes, lenBytes), 0, lenBytes);
    host.flush();
    expect((await receiveFrames(tap, 1)).map(({ bytes }) => bytes.length)).toEqual([100]);
    tap.send(numberedFrame(1, 101), 0, 101);
    expect(tap.stats()).toMatchObject({ receiveDrops: { 'too-long': 1 }, sendDrops: { 'too-long': 1 } });
    tap.close();
    host.close();
  });

  it('rejects a device that another port uses', async () => {
    const tap = await pair.within(pair.left, () => openTapPort('tap2'));
    await expect(pair.within(pair.left, () => openTapPort('tap2'))).rejects.toMatchObject({
      code: 'unsupported',
      problem: 'failed with EBUSY',
    });
    tap.close();
  });
});
