/** Checks the arguments of ports and roles. Those of `send` and `receive` cost a few comparisons per call. */
import { checkField, numberIn, reject } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import type { LiveClock, FrameBatch, FramePort } from './frame-port.js';

const TIMEOUT = numberIn(0, 2 ** 31 - 1, 'ms');
/** IFNAMSIZ, including the terminating 0. */
const NAME_BYTES = 16;
const PATTERN = /^[^\s/:]{1,15}$/;

/** Returns a name that the kernel accepts (dev_valid_name of Linux). @throws RoceError `invalid-argument` for another one. */
export function interfaceName(name: unknown): string {
  if (typeof name === 'string' && PATTERN.test(name) && name !== '.' && name !== '..' && isShort(name)) return name;
  const allowed = 'a name of 1 to 15 bytes without white space, slash and colon';
  throw new RoceError('invalid-argument', {
    what: 'the name of the interface',
    got: name,
    allowed,
    where: 'interface',
  });
}

function isShort(name: string): boolean {
  return new TextEncoder().encode(name).length < NAME_BYTES && !name.includes('\0');
}

/** @throws RoceError `invalid-argument` if it is not a port. */
export function requirePort(got: unknown, where = 'port'): void {
  if (typeof (got as FramePort | undefined | null)?.receive === 'function') return;
  throw new RoceError('invalid-argument', { got, allowed: 'a port', where });
}

/** @param names purpose of each port. @throws RoceError unless it is a list with one port for each name. */
export function requirePorts(ports: readonly FramePort[], names: readonly string[]): void {
  if (!Array.isArray(ports)) {
    throw new RoceError('invalid-argument', { got: ports, allowed: 'a list of ports', where: 'ports' });
  }
  for (const [index, port] of ports.entries()) requirePort(port, `ports[${index}]`);
  if (ports.length === names.length) return;
  const allowed = `${names.length}, in this order: ${names.join(', ')}`;
  reject({ what: 'the number of ports', got: ports.length, allowed, where: 'ports' });
}

/** @throws RoceError `invalid-argument` if it is not a batch. */
export function requireBatch(got: FrameBatch | undefined | null): void {
  if (got?.bytes instanceof Uint8Array && got.offsets instanceof Uint32Array) return;
  throw new RoceError('invalid-argument', { got, allowed: 'a batch of makeFrameBatch', where: 'batch' });
}

/** @throws RoceError `invalid-argument` unless there are `lenBytes` bytes at `offset`. */
export function requireFrame(bytes: Uint8Array, offset: number, lenBytes: number): void {
  if (!((bytes as unknown) instanceof Uint8Array)) {
    throw new RoceError('invalid-argument', { got: bytes, allowed: 'a Uint8Array', where: 'bytes' });
  }
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length) {
    const allowed = { min: 0, max: bytes.length, multipleOf: 1, unit: 'bytes' };
    throw new RoceError('invalid-argument', { got: offset, allowed, where: 'offset' });
  }
  if (!Number.isInteger(lenBytes) || lenBytes < 0 || lenBytes > bytes.length - offset) {
    const allowed = { min: 0, max: bytes.length - offset, multipleOf: 1, unit: 'bytes' };
    throw new RoceError('invalid-argument', { got: lenBytes, allowed, where: 'lenBytes' });
  }
}

/** @throws RoceError `invalid-config` for an invalid timeout. */
export function requireTimeout(timeoutMs: unknown, where = 'timeoutMs'): void {
  checkField(timeoutMs, TIMEOUT, where);
}

/** @throws RoceError `invalid-config` if it is not a clock. */
export function requireClock(got: LiveClock | undefined | null): void {
  if (typeof got?.originNs === 'bigint' && typeof got.nowNs === 'function') return;
  reject({ got, allowed: 'a clock of startLiveClock', where: 'options.clock' });
}

/** @throws RoceError `invalid-config` unless it is an AbortSignal or undefined. */
export function requireSignal(got: AbortSignal | undefined | null): void {
  if (got === undefined || typeof got?.addEventListener === 'function') return;
  reject({ got, allowed: 'an AbortSignal', where: 'options.signal' });
}

/** @throws RoceError `invalid-config` unless it is a function or undefined. */
export function requireCallback(got: unknown, where: string): void {
  if (got !== undefined && typeof got !== 'function') reject({ got, allowed: 'a function', where });
}
