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
 */
import { RoceError } from '../../errors.js';
import { requireAddress } from './address-key.js';

export type AccessAction = 'allow' | 'deny';

export interface AccessEntry {
  /** Prefix as an address of 16 bytes. */
  readonly prefixBytes: Uint8Array;
  /** Length of the prefix, 0..128 bits. */
  readonly prefixLength: number;
  readonly action: AccessAction;
}

/** Longest-prefix match over 16-byte addresses. Throws `invalid-config` for an invalid prefix. */
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
