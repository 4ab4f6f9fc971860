/** The options of a QP, and their checks. */
import * as code from '../abi/codes.js';
import type { EngineAbi } from '../abi/engine-abi.js';
import { ADDRESS_ARGUMENT, QPN_MAX } from '../abi/layout.js';
import type { EngineConfig } from '../config/engine-config.js';
import { addressBytes } from './address-bytes.js';
import * as fail from './engine-errors.js';

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
