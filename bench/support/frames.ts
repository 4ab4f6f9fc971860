/**
 * A stream of raw RoCEv2 frames as a capture at one NIC port shows them, Ethernet and IPv6, cut at 96 bytes:
 * 30 % data sent, 30 % data received with a CE mark, 10 % CNPs, 10 % Fast CNPs with option 1 from a switch, 20 % ACKs.
 */
import { DESCRIPTOR_BYTES } from '../../src/abi/layout.js';
import { MEAN_GAP_PS, START_PS } from './event-stream.js';
import { randomFrom } from './random.js';

export interface FrameStream {
  readonly length: number;
  /** All frames, each at a multiple of 8. */
  readonly bytes: Uint8Array;
  /** Descriptors as the engine reads them; offsets count from the start of `bytes`. */
  readonly descriptors: Uint8Array;
  readonly timePs: Float64Array;
  readonly offset: Uint32Array;
  readonly captured: Uint32Array;
  readonly original: Uint32Array;
}

type Kind = 'sent' | 'marked' | 'cnp' | 'fast-cnp' | 'ack';

const KINDS: readonly Kind[] = ['sent', 'sent', 'sent', 'marked', 'marked', 'marked', 'cnp', 'fast-cnp', 'ack', 'ack'];
const SNAP_BYTES = 96;
const PAYLOAD_BYTES: Readonly<Record<Kind, number>> = { sent: 1024, marked: 1024, cnp: 16, 'fast-cnp': 16, ack: 4 };
const OPCODES: Readonly<Record<Kind, number>> = { sent: 0x07, marked: 0x07, cnp: 0x81, 'fast-cnp': 0x81, ack: 0x11 };
const OPTION_TYPE_1 = 0x9e;
const OPTIONS_BYTES = 24;
const SLOT_BYTES = 128;

/** The local port. */
export const LOCAL_ADDRESS = addressOf(0x20010db8, 0, 0, 1);
const SWITCH_ADDRESS = addressOf(0x20010db8, 0xffff, 0, 1);

/** Address of the peer of QP number `qp`. */
export function peerAddress(qp: number): Uint8Array {
  return addressOf(0x20010db8, Math.imul(qp, 0x9e3779b1) >>> 12, qp >>> 4, 0x42);
}

/** QPN at the peer, 24 bits. */
export function peerQpn(qp: number): number {
  return (qp * 17 + 3) & 0xffffff;
}

export function localQpn(qp: number): number {
  return qp + 1;
}

export function frameStream(qps: number, length: number): FrameStream {
  const random = randomFrom(11);
  const bytes = new Uint8Array(length * SLOT_BYTES);
  const timePs = new Float64Array(length);
  const offset = new Uint32Array(length);
  const captured = new Uint32Array(length);
  const original = new Uint32Array(length);
  let at = 0;
  for (let i = 0; i < length; i++) {
    const kind = KINDS[random() % KINDS.length] ?? 'ack';
    const whole = writeFrame(bytes.subarray(at, at + SLOT_BYTES), kind, random() % qps);
    timePs[i] = START_PS + Math.floor((i * MEAN_GAP_PS) / qps);
    offset[i] = at;
    original[i] = whole;
    captured[i] = kind === 'fast-cnp' ? whole : Math.min(whole, SNAP_BYTES);
    at += ((captured[i] ?? 0) + 7) & ~7;
  }
  return {
    length,
    bytes: bytes.slice(0, at),
    descriptors: descriptorsOf(timePs, offset, captured, original),
    timePs,
    offset,
    captured,
    original,
  };
}

/** Writes what fits of a frame and returns its whole length. */
function writeFrame(frame: Uint8Array, kind: Kind, qp: number): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  const ipPayload = (kind === 'fast-cnp' ? OPTIONS_BYTES : 0) + 8 + 12 + PAYLOAD_BYTES[kind] + 4;
  view.setUint16(12, 0x86dd);
  view.setUint32(14, 0x60000000 | (kind === 'marked' ? 0x03 << 20 : 0x02 << 20));
  view.setUint16(18, ipPayload);
  view.setUint8(20, kind === 'fast-cnp' ? 60 : 17);
  view.setUint8(21, 64);
  const remote = kind === 'fast-cnp' ? SWITCH_ADDRESS : peerAddress(qp);
  frame.set(kind === 'sent' ? LOCAL_ADDRESS : remote, 22);
  frame.set(kind === 'sent' ? remote : LOCAL_ADDRESS, 38);
  if (kind === 'fast-cnp') writeOption(frame.subarray(54), qp);
  const udp = kind === 'fast-cnp' ? 54 + OPTIONS_BYTES : 54;
  view.setUint16(udp, 0xc000 | (qp & 0x3fff));
  view.setUint16(udp + 2, 4791);
  view.setUint16(udp + 4, ipPayload - (udp - 54));
  view.setUint8(udp + 8, OPCODES[kind]);
  view.setUint16(udp + 10, 0xffff);
  view.setUint32(udp + 12, kind === 'sent' || kind === 'fast-cnp' ? peerQpn(qp) : localQpn(qp));
  return 54 + ipPayload;
}

/** Destination options header: PadN of four bytes, then option 1 with the original destination. */
function writeOption(header: Uint8Array, qp: number): void {
  header.set([17, 2, 1, 2, 0, 0, OPTION_TYPE_1, 16]);
  header.set(peerAddress(qp), 8);
}

function addressOf(...words: readonly number[]): Uint8Array {
  const address = new Uint8Array(16);
  const view = new DataView(address.buffer);
  words.forEach((word, i) => {
    view.setUint32(4 * i, word);
  });
  return address;
}

function descriptorsOf(timePs: Float64Array, offset: Uint32Array, captured: Uint32Array,
  original: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(timePs.length * DESCRIPTOR_BYTES);
  const f64 = new Float64Array(bytes.buffer);
  const u32 = new Uint32Array(bytes.buffer);
  for (let i = 0; i < timePs.length; i++) {
    f64[i * 3] = timePs[i] ?? 0;
    u32[i * 6 + 2] = offset[i] ?? 0;
    u32[i * 6 + 3] = captured[i] ?? 0;
    u32[i * 6 + 4] = original[i] ?? 0;
  }
  return bytes;
}
