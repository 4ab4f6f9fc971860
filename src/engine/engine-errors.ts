/** The errors of the engine's methods, and the checks that throw them. */
import { OUTCOME_TIME_BACKWARDS, TIME_MAX_PS } from '../abi/codes.js';
import { OUTCOME_NAMES, namesByCode } from '../abi/names.js';
import { RoceError } from '../errors.js';
import type { EngineConfig } from '../config/engine-config.js';
import { mismatch, type SnapshotHeader } from './snapshot.js';

const ADDRESS_BYTES = 16;
const OUTCOMES = namesByCode(OUTCOME_NAMES);

export function checkWhole(value: number, low: number, high: number, where: string): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new RoceError('invalid-argument', `bad ${where}`, {
    got: value,
    allowed: `a whole number from ${low} to ${high}`,
    where,
  });
}

export function checkTime(timePs: number): void {
  checkWhole(timePs, 0, TIME_MAX_PS, 'timePs');
}

export function checkAddress(address: Uint8Array, where: string): void {
  if (address.length === ADDRESS_BYTES) return;
  throw new RoceError('invalid-argument', 'address length', { got: address.length, allowed: '16 bytes', where });
}

export function noRoom(what: string, capacity: number): RoceError {
  return new RoceError('capacity', `no room for more ${what}`, {
    got: capacity + 1,
    allowed: `${capacity}`,
    where: `capacity.${what}`,
  });
}

export function addressRefused(address: unknown, capacity: number): RoceError {
  return new RoceError('invalid-argument', 'endpoint address', {
    got: String(address),
    allowed: `an address that no endpoint has yet, at most ${capacity} in all`,
    where: 'addEndpoint',
  });
}

export function unknownParameterSet(parameterSet: unknown, names: readonly string[]): RoceError {
  return new RoceError('invalid-argument', 'unknown parameter set', {
    got: parameterSet,
    allowed: names.join(', '),
    where: 'parameterSet',
  });
}

export function duplicateQp(what: string, got: unknown): RoceError {
  return new RoceError('duplicate-qp', `${what} in use`, {
    got,
    allowed: 'one open QP each per endpoint',
    where: 'openQp',
  });
}

/** The engine that was loaded is the one of DCQCN alone. */
export function unsupportedAlgorithm(algorithm: string): RoceError {
  return new RoceError('unsupported', 'this build of the engine has DCQCN alone', {
    got: algorithm,
    allowed:
      'a parameter set of dcqcn, or an engine with all algorithms: the default one, or engine.wasm in place of engine-dcqcn.wasm',
    where: 'parameterSet.algorithm',
  });
}

export function unsupportedTrace(): RoceError {
  return new RoceError('unsupported', 'this build of the engine has no trace', {
    got: 'trace',
    allowed: 'the engine with all algorithms (engine.wasm), or trace: false',
    where: 'options.trace',
  });
}

export function unknownQp(qp: unknown): RoceError {
  return new RoceError('unknown-qp', 'no such QP', { got: qp, allowed: 'the number of an open QP', where: 'qp' });
}

export function disposed(): RoceError {
  return new RoceError('disposed', 'engine used after dispose', {
    got: 'a disposed engine',
    allowed: 'a live one',
    where: 'engine',
  });
}

/** An event that came alone and was refused. */
export function refused(outcome: number, timePs: number, qp: number, lastEventPs: number): RoceError {
  const allowed = outcome === OUTCOME_TIME_BACKWARDS ?
    `${lastEventPs} ps, the time of its last event, or later` :
    `0 to ${TIME_MAX_PS} ps`;
  return new RoceError('invalid-argument', `event refused: ${OUTCOMES[outcome] ?? outcome}`, {
    got: timePs,
    allowed,
    where: `QP ${qp}`,
  });
}

/** A snapshot must be of the same build, and its configuration equal. */
export function checkSnapshot(header: SnapshotHeader, build: string, config: EngineConfig): void {
  if (header.build !== build) throw mismatch('snapshot of another build', header.build, build);
  const got = JSON.stringify(header.config);
  const wanted = JSON.stringify(config);
  if (got !== wanted) throw mismatch('snapshot of another configuration', got, wanted);
}

export function checkStateLength(got: number, wanted: number): void {
  if (got !== wanted) throw mismatch('snapshot state length', got, `${wanted} bytes`);
}
