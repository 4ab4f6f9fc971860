/**
 * Addresses in the reference models, 16 bytes, IPv4 as IPv4-mapped; the access list of Fast CNP sources and the flow
 * table, which they are keys of.
 */
import { RoceError, type RoceErrorCode } from '../errors.js';

export const ADDRESS_BYTES = 16;

/** An address as a key of a Map: 32 hexadecimal digits. Throws `invalid-argument` unless it has 16 bytes. */
export function addressKey(address: Uint8Array): string {
  requireAddress(address);
  return Array.from(address, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Throws `invalid-argument`, or the given code, unless the address has 16 bytes. */
function requireAddress(address: Uint8Array, where = 'address', code: RoceErrorCode = 'invalid-argument'): void {
  if (address.length === ADDRESS_BYTES) return;
  const what = 'number of bytes of an address';
  throw new RoceError(code, { what, got: address.length, allowed: ADDRESS_BYTES, where });
}

export type AccessAction = 'allow' | 'deny';

export interface AccessEntry {
  /** Prefix as an address of 16 bytes. */
  readonly prefixBytes: Uint8Array;
  /** Length of the prefix, 0..128 bits. */
  readonly prefixLength: number;
  readonly action: AccessAction;
}

/**
 * Access list of Fast CNP sources: longest-prefix match by linear search.
 *
 * Role: the draft requires a check of a Fast CNP's source address before it is accepted, because any host that can send
 * one can slow down a flow.
 *
 * Inputs: a source address of 16 bytes. State: the entries, fixed at construction.
 *
 *   an entry matches if its first prefixLength bits equal those of the address; further bits are ignored
 *   the longest matching prefix decides; of equal ones the first in the list
 *   nothing matches: the default action
 *
 * Citation: Fast CNP draft, section 5. Known deviations: none; the draft does not specify the form of the list.
 * Throws `invalid-config` for an invalid prefix.
 */
export class AccessListModel {
  readonly #entries: readonly AccessEntry[];
  readonly #defaultAction: AccessAction;

  constructor(entries: readonly AccessEntry[], defaultAction: AccessAction) {
    entries.forEach(checkEntry);
    this.#entries = [...entries];
    this.#defaultAction = defaultAction;
  }

  /** The list's decision on this source. */
  actionFor(address: Uint8Array): AccessAction {
    requireAddress(address);
    let longest = -1;
    let action = this.#defaultAction;
    for (const entry of this.#entries) {
      if (entry.prefixLength > longest && startsWith(address, entry)) {
        longest = entry.prefixLength;
        action = entry.action;
      }
    }
    return action;
  }

  allows(address: Uint8Array): boolean {
    return this.actionFor(address) === 'allow';
  }
}

function startsWith(address: Uint8Array, { prefixBytes, prefixLength }: AccessEntry): boolean {
  for (let bit = 0; bit < prefixLength; bit++) {
    if (bitAt(address, bit) !== bitAt(prefixBytes, bit)) return false;
  }
  return true;
}

/** A bit of the address; bit 0 is the first on the wire, the most significant one of byte 0. */
function bitAt(address: Uint8Array, bit: number): number {
  const byte = address[bit >> 3] ?? 0;
  return (byte >> (7 - (bit & 7))) & 1;
}

function checkEntry({ prefixBytes, prefixLength }: AccessEntry, index: number): void {
  const where = `access list entry ${index}`;
  requireAddress(prefixBytes, where, 'invalid-config');
  if (Number.isInteger(prefixLength) && prefixLength >= 0 && prefixLength <= 128) return;
  const allowed = { min: 0, max: 128, unit: 'bits', multipleOf: 1 };
  throw new RoceError('invalid-config', { what: 'prefix length', got: prefixLength, allowed, where });
}

export interface Flow {
  readonly qp: number;
  readonly endpoint: number;
  /** QPN of the local QP, 24 bits. */
  readonly localQpn: number;
  /** Address of the peer, 16 bytes, IPv4 as IPv4-mapped. */
  readonly peerAddress: Uint8Array;
  /** QPN of the peer's QP, 24 bits. */
  readonly peerQpn: number;
}

/**
 * Flow table: finds the QP that a packet refers to.
 *
 * Role: two indexes over the same flows. An ordinary CNP names the local QP that it slows down; a Fast CNP copies the
 * destination of the congested data packet instead, which is the peer's address and the peer's QPN.
 *
 *   (endpoint, local QPN)               -> QP     ordinary CNPs, data, acknowledgements
 *   (endpoint, peer address, peer QPN)  -> QP     Fast CNPs
 *
 * An endpoint is a local NIC, so that one table serves a whole simulated network. Both keys are unique.
 * Citation: RoCEv2 Annex A17, section A17.9 (CNP); Fast CNP draft, section 4.
 */
export class FlowTableModel {
  readonly #byQp = new Map<number, Flow>();
  readonly #byLocal = new Map<string, number>();
  readonly #byPeer = new Map<string, number>();

  get size(): number {
    return this.#byQp.size;
  }

  /** Adds a flow. Throws `duplicate-qp`, without any change, if its QP or one of its keys is taken. */
  add(flow: Flow): void {
    const local = localKey(flow.endpoint, flow.localQpn);
    const peer = peerKey(flow.endpoint, flow.peerAddress, flow.peerQpn);
    requireFree(this.#byQp, flow.qp, 'qp');
    requireFree(this.#byLocal, local, '(endpoint, local QPN)');
    requireFree(this.#byPeer, peer, '(endpoint, peer address, peer QPN)');
    this.#byQp.set(flow.qp, flow);
    this.#byLocal.set(local, flow.qp);
    this.#byPeer.set(peer, flow.qp);
  }

  /** Removes a QP's flow; returns false if there was none. */
  remove(qp: number): boolean {
    const flow = this.#byQp.get(qp);
    if (flow === undefined) return false;
    this.#byQp.delete(qp);
    this.#byLocal.delete(localKey(flow.endpoint, flow.localQpn));
    this.#byPeer.delete(peerKey(flow.endpoint, flow.peerAddress, flow.peerQpn));
    return true;
  }

  /** The flow of a QP. */
  flowOf(qp: number): Flow | undefined {
    return this.#byQp.get(qp);
  }

  findByLocal(endpoint: number, localQpn: number): number | undefined {
    return this.#byLocal.get(localKey(endpoint, localQpn));
  }

  findByPeer(endpoint: number, peerAddress: Uint8Array, peerQpn: number): number | undefined {
    return this.#byPeer.get(peerKey(endpoint, peerAddress, peerQpn));
  }
}

function localKey(endpoint: number, localQpn: number): string {
  return `${endpoint}/${localQpn}`;
}

function peerKey(endpoint: number, peerAddress: Uint8Array, peerQpn: number): string {
  return `${endpoint}/${addressKey(peerAddress)}/${peerQpn}`;
}

function requireFree<Key>(index: ReadonlyMap<Key, unknown>, key: Key, where: string): void {
  if (!index.has(key)) return;
  throw new RoceError('duplicate-qp', { what: where, where, problem: 'is in the table already', got: key });
}
