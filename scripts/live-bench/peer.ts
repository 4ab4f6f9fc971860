/**
 * The other end of the measured links, a separate process: sends frames of 1,082 bytes at a rate out of `peer0`, and counts the frames
 * returned at `peer1`, with their time in flight. Prints one line of JSON. Started by main.ts, in a network namespace.
 */
import { makeFrameBatch, openPacketPort } from '../../src/live/index.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { buildRoceFrame } from '../../src/wire/roce/roce-frame.js';
import { RING, type PeerCounts } from './shared.js';

const PAYLOAD_BYTES = 1024;
const BURST = 256;
/** Of an Ethernet, IPv4, UDP and BTH header. */
const PAYLOAD_AT = 14 + 20 + 8 + 12;
const DRAIN_MS = 300;
const LATENCIES = 1_000_000;
const MS_PER_SECOND = 1000;

const [ratePerSecond, seconds] = process.argv.slice(2).map(Number) as [number, number];
const out = await openPacketPort('peer0', RING);
const back = await openPacketPort('peer1', RING);
const batch = makeFrameBatch({ frames: 4096, bytes: 2 ** 23 });
const frame = dataFrame();
const stamp = new DataView(frame.buffer, frame.byteOffset + PAYLOAD_AT);
const latenciesMs = new Float64Array(LATENCIES);
let latencies = 0;

const beginMs = performance.now();
let offered = 0;
for (;;) {
  const elapsedMs = performance.now() - beginMs;
  if (elapsedMs > seconds * MS_PER_SECOND) break;
  const due = Math.floor((elapsedMs * ratePerSecond) / MS_PER_SECOND) - offered;
  for (let burst = Math.min(BURST, due); burst > 0; burst--) {
    stamp.setFloat64(0, performance.now());
    if (!out.send(frame, 0, frame.length)) break;
    offered++;
  }
  out.flush();
  take();
}
const drainMs = performance.now() + DRAIN_MS;
while (performance.now() < drainMs) {
  out.flush();
  take();
  await new Promise((resolve) => setTimeout(resolve, 1));
}
const kept = latenciesMs.subarray(0, latencies).sort();
const counts: PeerCounts = {
  sent: out.stats().sentFrames,
  back: back.stats().receivedFrames,
  p50Ms: kept[Math.floor(latencies / 2)] ?? 0,
  p99Ms: kept[Math.floor(latencies * 0.99)] ?? 0,
};
process.stdout.write(`${JSON.stringify(counts)}\n`);
out.close();
back.close();

function take(): void {
  while (back.receive(batch) > 0) {
    const nowMs = performance.now();
    const view = new DataView(batch.bytes.buffer, batch.bytes.byteOffset);
    for (let index = 0; index < batch.count && latencies < LATENCIES; index++)
      latenciesMs[latencies++] = nowMs - view.getFloat64((batch.offsets[index] ?? 0) + PAYLOAD_AT);
  }
}

function dataFrame(): Uint8Array {
  return buildRoceFrame({
    link: { destination: Uint8Array.of(2, 0, 0, 0, 0, 2), source: Uint8Array.of(2, 0, 0, 0, 0, 1), tags: [] },
    source: parseIpAddress('10.0.0.1', 'source'),
    destination: parseIpAddress('10.0.0.2', 'destination'),
    dscp: 26,
    ecn: 1,
    hopLimit: 64,
    flowLabel: 0,
    ipv4Identification: 0,
    udpSourcePort: 49_152,
    udpChecksum: 'zero',
    destinationOptions: new Uint8Array(0),
    bth: { opcode: 7, destQpn: 0x12, psn: 1, pKey: 0xffff },
    payload: new Uint8Array(PAYLOAD_BYTES),
    icrcPolicy: 'literal',
  });
}
