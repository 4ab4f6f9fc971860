/**
 * Snapshots: everything that an engine knows, as bytes that another process can go on from.
 *
 * Layout, little-endian: magic u32 | version u32 | header length u32 | header, JSON in UTF-8 | state.
 */
import { RoceError } from '../errors.js';
import type { EngineConfig } from '../config/engine-config.js';

/** "RCCS" */
const MAGIC = 0x53434352;
const VERSION = 1;
const PREFIX_BYTES = 12;

export interface SnapshotHeader {
  /** The build that wrote the state, see Backend. */
  readonly build: string;
  readonly config: EngineConfig;
  readonly endpoints: number;
}

export interface Snapshot {
  readonly header: SnapshotHeader;
  readonly state: Uint8Array;
}

export function encodeSnapshot({ header, state }: Snapshot): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(PREFIX_BYTES + text.length + state.length);
  const prefix = new DataView(bytes.buffer);
  prefix.setUint32(0, MAGIC, true);
  prefix.setUint32(4, VERSION, true);
  prefix.setUint32(8, text.length, true);
  bytes.set(text, PREFIX_BYTES);
  bytes.set(state, PREFIX_BYTES + text.length);
  return bytes;
}

/** @throws RoceError `snapshot-mismatch` when these bytes are no snapshot of this version. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  if (bytes.length < PREFIX_BYTES) throw mismatch('snapshot length', bytes.length, `at least ${PREFIX_BYTES} bytes`);
  const prefix = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (prefix.getUint32(0, true) !== MAGIC) throw mismatch('snapshot magic', prefix.getUint32(0, true), `${MAGIC}`);
  if (prefix.getUint32(4, true) !== VERSION) {
    throw mismatch('snapshot version', prefix.getUint32(4, true), `${VERSION}`);
  }
  const end = PREFIX_BYTES + prefix.getUint32(8, true);
  if (end > bytes.length) {
    throw mismatch('snapshot header length', end - PREFIX_BYTES, `at most ${bytes.length - PREFIX_BYTES} bytes`);
  }
  return { header: parseHeader(bytes.subarray(PREFIX_BYTES, end)), state: bytes.subarray(end) };
}

function parseHeader(text: Uint8Array): SnapshotHeader {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)) as SnapshotHeader;
  } catch {
    throw mismatch('snapshot header', `${text.length} bytes`, 'JSON in UTF-8');
  }
}

export function mismatch(what: string, got: unknown, allowed: string): RoceError {
  return new RoceError('snapshot-mismatch', what, { got, allowed, where: 'snapshot' });
}
