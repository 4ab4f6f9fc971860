import { afterEach, describe, expect, it } from 'vitest';
import { runNotificationPoint, startLiveClock, type UdpPort } from '../../src/live/index.js';
import { openUdpPair } from '../../src/live/ports/udp-port.js';
import { parseFlows } from '../../src/replay/index.js';
import { Cnp } from '../../src/wire/roce/cnp.js';
import { markedFrame, numberedFrame, receiveFrames, RECEIVER_MAC, SENDER_MAC } from './support/frames.js';

const flows = parseFlows('sender_addr,sender_qpn,peer_addr,peer_qpn\n10.0.0.1,0x11,10.0.0.2,0x12\n', 'flows.csv');

describe('a notification point on a port', () => {
  const open: UdpPort[] = [];
  afterEach(() => {
    for (const port of open.splice(0)) port.close();
  });

  /** The ports of the sender and the notification point, linked in both directions. */
  async function joined(): Promise<[UdpPort, UdpPort]> {
    const [sender, point] = await openUdpPair({ clock: startLiveClock() });
    open.push(point, sender);
    return [sender, point];
  }

  it('sends one CNP per interval through the ingress port of marked data, and counts all frames', async () => {
    const [sender, point] = await joined();
    const wrongIcrc = markedFrame(8).map((byte, at, all) => (at === all.length - 1 ? byte ^ 1 : byte));
    const frames = [
      ...[1, 2, 3].map((psn) => markedFrame(psn)),
      markedFrame(4, 2),
      markedFrame(5, 3, 0x99),
      numberedFrame(6, 60),
      wrongIcrc,
    ];
    for (const frame of frames) sender.send(frame, 0, frame.length);
    const abort = new AbortController();
    const running = runNotificationPoint(point, {
      flows,
      signal: abort.signal,
      engine: { notificationPoint: { minTimeBetweenCnpsPs: 2e12 } },
    });
    const [cnp] = await receiveFrames(sender, 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    abort.abort();
    expect(await running).toEqual({
      frames: 7,
      markedFrames: 3,
      cnpsDue: 1,
      marksSuppressed: 2,
      cnpsSent: 1,
      cnpsRejected: 0,
      otherFrames: 4,
    });
    const read = Cnp.read(cnp!.bytes, { link: 'ethernet' });
    expect(read).toMatchObject({ destQpn: 0x11, icrc: 'right', pKey: 0xffff });
    expect(read.link).toMatchObject({ destination: SENDER_MAC, source: RECEIVER_MAC, tags: [{ vlanId: 5 }] });
  });
});
