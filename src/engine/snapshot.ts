/**
 * Snapshots: everything that an engine knows, as bytes that another process can go on from.
 *
 * Layout, little-endian: magic u32 | version u32 | header length u32 | header, JSON in UTF-8 | state.
 */
import type { EngineConfig } from '../config/engine-config.js';
import { mismatch } from './engine-errors.js';

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
  checkLength('the snapshot', bytes.length, { min: PREFIX_BYTES });
  const prefix = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkWord('the magic number of the snapshot', prefix.getUint32(0, true), MAGIC);
  checkWord('the version of the snapshot', prefix.getUint32(4, true), VERSION);
  const headerBytes = prefix.getUint32(8, true);
  checkLength('the header of the snapshot', headerBytes, { max: bytes.length - PREFIX_BYTES });
  const end = PREFIX_BYTES + headerBytes;
  return { header: parseHeader(bytes.subarray(PREFIX_BYTES, end)), state: bytes.subarray(end) };
}

function parseHeader(text: Uint8Array): SnapshotHeader {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)) as SnapshotHeader;
  } catch {
    throw mismatch('the header of the snapshot', text, 'JSON in UTF-8');
  }
}

function checkWord(what: string, got: number, wanted: number): void {
  if (got !== wanted) throw mismatch(what, got, wanted);
}

function checkLength(part: string, got: number, { min = 0, max = Infinity }: { min?: number; max?: number }): void {
  if (got < min || got > max) throw mismatch(`the length of ${part}`, got, { min, max, unit: 'bytes' });
}

/** A snapshot must be of the same build, and its configuration equal. */
export function checkSnapshot(header: SnapshotHeader, build: string, config: EngineConfig): void {
  if (header.build !== build) throw mismatch('the build of the snapshot', header.build, [build]);
  const got = JSON.stringify(header.config);
  const wanted = JSON.stringify(config);
  if (got !== wanted) throw mismatch('the configuration of the snapshot', got, [wanted]);
}

export function checkStateLength(got: number, wanted: number): void {
  if (got !== wanted)
    throw mismatch('the length of the state in the snapshot', got, { min: wanted, max: wanted, unit: 'bytes' });
}
