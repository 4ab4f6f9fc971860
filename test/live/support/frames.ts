/** Frames for ports, and helpers that receive from ports. */
import { parseIpAddress } from '../../../src/wire/ip/ip-address.js';
import { buildRoceFrame } from '../../../src/wire/roce/roce-frame.js';
import { makeFrameBatch, type FramePort } from '../../../src/live/index.js';

/** An Ethernet frame with known bytes, and with the index after the header. */
export function numberedFrame(index: number, lenBytes: number): Uint8Array {
  const frame = new Uint8Array(lenBytes).map((_, at) => (at * 7 + index) & 0xff);
  frame.set([2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x88, 0xb5]);
  if (lenBytes >= 18) new DataView(frame.buffer).setUint32(14, index);
  return frame;
}

/** MAC addresses of the two ends of the flow 10.0.0.1, QP 0x11, to 10.0.0.2, QP 0x12. */
export const SENDER_MAC = Uint8Array.of(2, 0, 0, 0, 0, 1);
export const RECEIVER_MAC = Uint8Array.of(2, 0, 0, 0, 0, 2);

/** An RDMA WRITE of that flow, CE-marked by default. */
export function markedFrame(psn: number, ecn = 3, destQpn = 0x12): Uint8Array {
  return buildRoceFrame({
    link: {
      destination: RECEIVER_MAC,
      source: SENDER_MAC,
      tags: [{ tpid: 0x8100, priority: 3, dropEligible: false, vlanId: 5 }],
    },
    source: parseIpAddress('10.0.0.1', 'source'),
    destination: parseIpAddress('10.0.0.2', 'destination'),
    dscp: 26,
    ecn,
    hopLimit: 64,
    flowLabel: 0,
    ipv4Identification: 0,
    udpSourcePort: 49_152,
    udpChecksum: 'zero',
    destinationOptions: new Uint8Array(0),
    bth: { opcode: 10, destQpn, psn, pKey: 0xffff },
    payload: new Uint8Array(64),
    icrcPolicy: 'literal',
  });
}

export interface Received {
  readonly bytes: Uint8Array;
  readonly originalLenBytes: number;
  readonly timeNs: number;
}

/** Flushes until no frame is queued: on a busy machine a socket's buffer may be full for a while. */
export async function flushAll(port: FramePort): Promise<void> {
  const until = Date.now() + 10_000;
  port.flush();
  while (port.stats().queuedFrames > 0 && Date.now() < until) {
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
    port.flush();
  }
}

/** Receives until there are `count` frames, or `timeoutMs` have passed. */
export async function receiveFrames(port: FramePort, count: number, timeoutMs = 10_000): Promise<Received[]> {
  const batch = makeFrameBatch();
  const frames: Received[] = [];
  const until = Date.now() + timeoutMs;
  while (frames.length < count && Date.now() < until) {
    if (port.receive(batch) === 0) await port.wait(50);
    for (let index = 0; index < batch.count; index++) {
      const from = batch.offsets[index];
      frames.push({
        bytes: batch.bytes.slice(from, from + batch.lenBytes[index]),
        originalLenBytes: batch.originalLenBytes[index],
        timeNs: batch.timesNs[index],
      });
    }
  }
  return frames;
}
