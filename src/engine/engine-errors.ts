/** Errors thrown by the engine's methods, and the checks that throw them. */
import { OUTCOME_TIME_BACKWARDS, TIME_MAX_PS } from '../abi/codes.js';
import { OUTCOME_NAMES, namesByCode } from '../abi/names.js';
import { RoceError, type Allowed, type RoceErrorFields } from '../errors.js';

const OUTCOMES = namesByCode(OUTCOME_NAMES);
const ALL_ALGORITHMS =
  'Use the engine with all algorithms: the default one, or engine.wasm instead of engine-dcqcn.wasm';

export function invalid(where: string, got: unknown, allowed: Allowed, more: RoceErrorFields = {}): RoceError {
  return new RoceError('invalid-argument', { where, got, allowed, ...more });
}

export function checkWhole(value: number, min: number, max: number, where: string): void {
  if (!(Number.isInteger(value) && value >= min && value <= max))
    throw invalid(where, value, { min, max, multipleOf: 1 });
}

export function checkTime(timePs: number): void {
  checkWhole(timePs, 0, TIME_MAX_PS, 'timePs');
}

/**
 * Rejects fractions and values that are not numbers; times out of range pass, and the engine counts them as rejected.
 */
export function checkEventTime(timePs: number): void {
  if (typeof timePs !== 'number' || (Math.floor(timePs) !== timePs && !Number.isNaN(timePs))) throw badTime(timePs);
}

function badTime(timePs: unknown): RoceError {
  return invalid('timePs', timePs, { min: 0, max: TIME_MAX_PS, multipleOf: 1, unit: 'ps' });
}

/** Checks untyped callers: fields can be named in errors only if the value is an object. */
export function checkObject(value: unknown, where: string, allowed: string): asserts value is object {
  if (typeof value !== 'object' || value === null) throw invalid(where, value, allowed);
}

/** Endpoint 0 needs no addresses, so it always exists. @param endpoints number of endpoints so far. */
export function checkEndpoint(endpoint: number, endpoints: number, where: string): void {
  checkWhole(endpoint, 0, Math.max(endpoints, 1) - 1, where);
}

/** Error for an index beyond the results of the last call. */
export function noSuch(what: string, index: unknown, length: number): RoceError {
  const allowed = length > 0 ? { min: 0, max: length - 1, multipleOf: 1 } : 'none: the last call produced nothing';
  return invalid('index', index, allowed, { what: `the index of the ${what}` });
}

export function noRoom(what: string, capacity: number): RoceError {
  const hint = 'An engine of more capacity restores the snapshot of this one';
  return full(`the engine's capacity for ${what}`, capacity, `capacity.${what}`, hint);
}

/** @param bytes of memory that could not be allocated. */
export function noMemory(what: string, bytes: number, where: string): RoceError {
  return new RoceError('capacity', { what, problem: 'cannot be allocated', got: bytes, where });
}

export function fullBatch(what: string, capacity: number): RoceError {
  return full(`the ${what} batch`, capacity, `batch.${what}s`);
}

function full(what: string, capacity: number, where: string, hint?: string): RoceError {
  return new RoceError('capacity', {
    what,
    problem: 'is full',
    got: capacity,
    where,
    ...(hint !== undefined && { hint }),
  });
}

export function addressRejected(address: unknown, capacity: number): RoceError {
  return invalid('addEndpoint', address, `an address that no endpoint has yet, one of at most ${capacity}`, {
    what: 'the address',
  });
}

export function unknownParameterSet(parameterSet: unknown, names: readonly string[]): RoceError {
  return invalid('parameterSet', parameterSet, names);
}

export function duplicateQp(what: string, got: unknown): RoceError {
  const hint = 'An endpoint has one open QP with each';
  return new RoceError('duplicate-qp', { what, problem: 'is in use', got, where: 'openQp', hint });
}

/** Error for an algorithm that the DCQCN-only engine does not have. */
export function unsupportedAlgorithm(algorithm: string): RoceError {
  const where = 'parameterSet.algorithm';
  return new RoceError('unsupported', { got: algorithm, allowed: ['dcqcn'], where, hint: ALL_ALGORITHMS });
}

export function unsupportedTrace(): RoceError {
  return new RoceError('unsupported', { where: 'options.trace', got: true, allowed: false, hint: ALL_ALGORITHMS });
}

export function noCredit(qp: number): RoceError {
  const problem = 'needs an algorithm with receiver credit';
  return new RoceError('unsupported', {
    what: 'a pull target',
    problem,
    got: qp,
    where: 'pullTarget',
    hint: 'RCCC has it',
  });
}

export function unknownQp(qp: unknown): RoceError {
  return new RoceError('unknown-qp', { what: 'QP', got: qp, allowed: 'the number of an open QP', where: 'qp' });
}

export function disposed(): RoceError {
  return new RoceError('disposed', { what: 'the engine', problem: 'is disposed of', where: 'engine' });
}

/** Error for a single event that was rejected. */
export function rejected(outcome: number, timePs: number, qp: number, lastEventPs: number): RoceError {
  const min = outcome === OUTCOME_TIME_BACKWARDS ? lastEventPs : 0;
  return invalid(`QP ${qp}`, timePs, { min, max: TIME_MAX_PS, unit: 'ps' }, {
    what: `the time of the event (${OUTCOMES[outcome] ?? outcome})`,
  });
}

/** Error for a snapshot that does not fit the engine. */
export function mismatch(what: string, got: unknown, allowed: Allowed): RoceError {
  return new RoceError('snapshot-mismatch', { what, got, allowed, where: 'snapshot' });
}
