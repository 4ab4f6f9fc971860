/**
 * Snapshots: the complete state of an engine, as bytes from which another process can resume.
 *
 * Layout, little-endian: magic u32 | version u32 | CRC-32 of everything after it u32 | header length u32 | header, JSON
 * in UTF-8 | state. The checksum detects damage; the engine itself validates the state, wherever it comes from.
 */
import { RoceError } from '../errors.js';
import type { EngineConfig } from '../config/engine-config.js';
import { updateCrc32 } from '../wire/roce/crc32.js';
import { showValue } from '../error-text.js';
import { mismatch } from './engine-errors.js';

/** A setting by its path, with its value in the snapshot and in the engine. */
type Difference = readonly [path: string, saved: unknown, own: unknown];

/** Maximum number of differing settings named in an error. */
const DIFFERENCES_SHOWN = 8;
const CAPACITY = 'capacity.';
const CAPACITY_HINT = 'Restore it into an engine whose capacity is at least as large in each field';
/** Magic number: the bytes "RCCS". */
const MAGIC = 0x53434352;
const VERSION = 2;
const CHECKED_FROM = 12;
const PREFIX_BYTES = 16;

export interface SnapshotHeader {
  /** The build that wrote the state, see `Backend`. */
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
  prefix.setUint32(CHECKED_FROM, text.length, true);
  bytes.set(text, PREFIX_BYTES);
  bytes.set(state, PREFIX_BYTES + text.length);
  prefix.setUint32(8, checksumOf(bytes), true);
  return bytes;
}

/** @throws RoceError `snapshot-mismatch` if these bytes are not a snapshot of this version. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  if (!(bytes instanceof Uint8Array)) throw mismatch('the snapshot', bytes, 'a Uint8Array');
  checkLength('the snapshot', bytes.length, { min: PREFIX_BYTES });
  const prefix = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkWord('the magic number of the snapshot', prefix.getUint32(0, true), MAGIC);
  checkWord('the version of the snapshot', prefix.getUint32(4, true), VERSION);
  checkWord('the checksum of the snapshot', prefix.getUint32(8, true), checksumOf(bytes));
  const headerBytes = prefix.getUint32(CHECKED_FROM, true);
  checkLength('the header of the snapshot', headerBytes, { max: bytes.length - PREFIX_BYTES });
  const end = PREFIX_BYTES + headerBytes;
  return { header: parseHeader(bytes.subarray(PREFIX_BYTES, end)), state: bytes.subarray(end) };
}

function parseHeader(text: Uint8Array): SnapshotHeader {
  const header = parseJson(text);
  if (typeof header !== 'object' || header === null) throw mismatch('the header of the snapshot', header, 'an object');
  const { build, config, endpoints } = header as Partial<SnapshotHeader>;
  if (typeof build !== 'string') throw mismatch('the build of the snapshot', build, 'a string');
  if (typeof config !== 'object' || (config as unknown) === null) {
    throw mismatch('the configuration of the snapshot', config, 'an object');
  }
  if (!Number.isInteger(endpoints))
    throw mismatch('the number of endpoints of the snapshot', endpoints, 'a whole number');
  return header as SnapshotHeader;
}

function parseJson(text: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch {
    throw mismatch('the header of the snapshot', text, 'JSON in UTF-8');
  }
}

function checksumOf(bytes: Uint8Array): number {
  return ~updateCrc32(-1, bytes, CHECKED_FROM, bytes.length) >>> 0;
}

function checkWord(what: string, got: number, wanted: number): void {
  if (got !== wanted) throw mismatch(what, got, wanted);
}

function checkLength(part: string, got: number, { min = 0, max = Infinity }: { min?: number; max?: number }): void {
  if (got < min || got > max) throw mismatch(`the length of ${part}`, got, { min, max, unit: 'bytes' });
}

/** Checks that a snapshot has the same build and configuration, and no larger capacity. */
export function checkSnapshot(header: SnapshotHeader, build: string, config: EngineConfig): void {
  if (header.build !== build) throw mismatch('the build of the snapshot', header.build, [build]);
  const all = [...differences(header.config, config, '')];
  if (all.length === 0) return;
  const named = all.slice(0, DIFFERENCES_SHOWN).map(([path, saved, own]) =>
    `${pathText(path, config)} is ${showValue(saved)} in the snapshot and ${showValue(own)} here`
  );
  const more = all.length > named.length ? `, and ${all.length - named.length} more` : '';
  const problem = `differs from that of this engine: ${named.join('; ')}${more}`;
  const hint = all.some(([path]) => path.startsWith(CAPACITY)) ? { hint: CAPACITY_HINT } : {};
  throw new RoceError('snapshot-mismatch', { what: 'the configuration', problem, where: 'snapshot', ...hint });
}

/** Replaces the index of a parameter set by its name. */
function pathText(path: string, { parameterSetNames }: EngineConfig): string {
  return path.replace(/^parameterSets\.(\d+)/,
    (_, index: string) => `parameterSets.${parameterSetNames[Number(index)] ?? index}`);
}

/** Yields the settings that differ, by path; capacities only if the snapshot's is larger, or not a number. */
function* differences(saved: unknown, own: unknown, path: string): Generator<Difference, undefined> {
  if (isRecord(saved) && isRecord(own)) {
    for (const key of new Set([...Object.keys(own), ...Object.keys(saved)])) {
      yield* differences(saved[key], own[key], path === '' ? key : `${path}.${key}`);
    }
  } else if (!Object.is(saved, own) && !(path.startsWith(CAPACITY) && isSmaller(saved, own))) {
    yield [path, saved, own];
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isSmaller(saved: unknown, own: unknown): boolean {
  return Number.isInteger(saved) && (saved as number) > 0 && (saved as number) < (own as number);
}

/** Error for a state whose indices, chains, counts or ranges contradict each other. */
export function damagedState(): RoceError {
  const problem = 'is not valid for an engine with this configuration';
  return new RoceError('snapshot-mismatch', { what: 'the state in the snapshot', problem, where: 'snapshot' });
}
