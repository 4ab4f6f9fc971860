/** A minimal reader of pcap and pcapng for the frames, without timestamps. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { LINK_ETHERNET, LINK_RAW_IP } from '../../../src/abi/codes.js';

export interface CapturedFrame {
  readonly bytes: Uint8Array;
  readonly original: number;
  readonly link: number;
}

const PCAP_BIG_ENDIAN_FIRST_BYTE = 0xa1;
const SECTION_HEADER = 0x0a0d0d0a;
const LINK_TYPE_RAW = 101;

export function readCapture(path: string): CapturedFrame[] {
  const raw = readFileSync(path);
  const file = path.endsWith('.gz') ? gunzipSync(raw) : raw;
  const bytes = Uint8Array.from(file);
  const view = new DataView(bytes.buffer);
  return view.getUint32(0) === SECTION_HEADER ? readPcapng(bytes, view) : readPcap(bytes, view);
}

function readPcap(bytes: Uint8Array, view: DataView): CapturedFrame[] {
  const little = bytes[0] !== PCAP_BIG_ENDIAN_FIRST_BYTE;
  const link = view.getUint32(20, little) === LINK_TYPE_RAW ? LINK_RAW_IP : LINK_ETHERNET;
  const frames: CapturedFrame[] = [];
  for (let at = 24; at < bytes.length;) {
    const captured = view.getUint32(at + 8, little);
    frames.push({
      bytes: bytes.subarray(at + 16, at + 16 + captured),
      original: view.getUint32(at + 12, little),
      link,
    });
    at += 16 + captured;
  }
  return frames;
}

/** Supports Ethernet interfaces only. */
function readPcapng(bytes: Uint8Array, view: DataView): CapturedFrame[] {
  const frames: CapturedFrame[] = [];
  let little = true;
  for (let at = 0; at < bytes.length;) {
    if (view.getUint32(at) === SECTION_HEADER) little = view.getUint32(at + 8, true) === 0x1a2b3c4d;
    const kind = view.getUint32(at, little);
    const blockBytes = view.getUint32(at + 4, little);
    if (kind === 6) {
      const captured = view.getUint32(at + 20, little);
      const original = view.getUint32(at + 24, little);
      frames.push({ bytes: bytes.subarray(at + 28, at + 28 + captured), original, link: LINK_ETHERNET });
    }
    if (kind === 3) {
      const original = view.getUint32(at + 8, little);
      const captured = Math.min(original, blockBytes - 16);
      frames.push({ bytes: bytes.subarray(at + 12, at + 12 + captured), original, link: LINK_ETHERNET });
    }
    at += blockBytes;
  }
  return frames;
}
