/** Opens QPs and adds the addresses of their endpoints, which the engine compares as 16 bytes. */
import * as code from '../abi/codes.js';
import type { EngineAbi } from '../abi/engine-abi.js';
import { ADDRESS_ARGUMENT, QPN_MAX } from '../abi/layout.js';
import type { EngineConfig } from '../config/engine-config.js';
import { IP_ADDRESS_BYTES, parseIpAddress } from '../wire/ip/ip-address.js';
import * as fail from './engine-errors.js';
import { invalid } from './engine-errors.js';

/** Options of a new QP. */
export interface QpOptions {
  /** Local NIC port, as returned by `addEndpoint`. Default 0, which needs no address if only events are applied. */
  readonly endpoint?: number;
  /** Its own QPN, 1..2^24-1, to which CNPs for it are addressed. Unique per endpoint. */
  readonly localQpn: number;
  /** The peer's address, text or 16 bytes. Default `::`, unknown, which no Fast CNP matches. */
  readonly peerAddress?: string | Uint8Array;
  /** The peer's QPN, 0..2^24-1. Default `localQpn`. */
  readonly peerQpn?: number;
  /** Name of the parameter set. Default: the first set. */
  readonly parameterSet?: string;
}

/** The parts of the engine needed to open a QP. */
interface OpeningEngine {
  readonly abi: EngineAbi;
  readonly config: EngineConfig;
  /** Number of endpoints so far. */
  readonly endpoints: number;
  readonly u8: Uint8Array;
}

/** Opens a QP and returns its number. @throws as `Engine.openQp`. */
export function openQp(options: QpOptions, { abi, config, endpoints, u8 }: OpeningEngine): number {
  fail.checkObject(options, 'openQp', 'a record { localQpn, … }');
  const { endpoint = 0, localQpn, peerAddress = '::', peerQpn = localQpn, parameterSet } = options;
  fail.checkEndpoint(endpoint, endpoints, 'endpoint');
  fail.checkWhole(localQpn, 1, QPN_MAX, 'localQpn');
  fail.checkWhole(peerQpn, 0, QPN_MAX, 'peerQpn');
  const parameterSetIndex = parameterSet === undefined ? 0 : config.parameterSetNames.indexOf(parameterSet);
  if (parameterSetIndex < 0) throw fail.unknownParameterSet(parameterSet, config.parameterSetNames);
  u8.set(addressBytes(peerAddress, 'peerAddress'), ADDRESS_ARGUMENT);
  const qp = abi.openQp(endpoint, localQpn, peerQpn, parameterSetIndex) >>> 0;
  if (qp === code.OPEN_FULL) throw fail.noRoom('qps', config.capacity.qps);
  if (qp === code.OPEN_DUPLICATE_FLOW) {
    throw fail.duplicateQp('the pair of peer address and QPN', { endpoint, peerAddress, peerQpn });
  }
  if (qp === code.OPEN_UNSUPPORTED) {
    throw fail.unsupportedAlgorithm(config.parameterSets[parameterSetIndex]?.algorithm ?? '');
  }
  if (qp === code.OPEN_DUPLICATE_LOCAL) throw fail.duplicateQp('the local QPN', { endpoint, localQpn });
  return qp;
}

/** The parts of the engine that are needed to add addresses. */
interface AddressedEngine {
  readonly abi: EngineAbi;
  readonly u8: Uint8Array;
  readonly capacity: number;
}

/** Adds all addresses of an endpoint, or none. @throws as `Engine.addEndpoint`; no address has been added then. */
export function addAddresses(addresses: readonly (string | Uint8Array)[], endpoint: number,
  { abi, u8, capacity }: AddressedEngine): void {
  const all = addresses.map((address, index) => addressBytes(address, `addresses[${index}]`));
  const rejected = all.findIndex((address) => {
    u8.set(address, ADDRESS_ARGUMENT);
    return !abi.addAddress(endpoint);
  });
  if (rejected < 0) return;
  for (const address of all.slice(0, rejected).reverse()) {
    u8.set(address, ADDRESS_ARGUMENT);
    abi.removeAddress();
  }
  throw fail.addressRejected(addresses[rejected], capacity);
}

/** Returns the 16 bytes of an address. @throws RoceError `invalid-argument`. */
export function addressBytes(address: unknown, where: string): Uint8Array {
  if (typeof address === 'string') return parseIpAddress(address, where);
  if (address instanceof Uint8Array && address.length === IP_ADDRESS_BYTES) return address;
  throw invalid(where, address, 'an IP address as text, or a Uint8Array of 16 bytes');
}
