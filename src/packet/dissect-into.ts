/**
 * A dissection without allocation: layers, class and trouble of one frame are written to an object that the caller keeps.
 *
 * Role: the walk over a frame on which this folder builds; it returns the same class, QPN and rejection as the engine's
 * parser (both are tested against each other on every frame).
 * Order: link → IP, extension headers, tunnels → UDP → BTH, extended headers, payload, ICRC.
 * Sources: IBTA volume 1, section 9, and Annex A17; RFC 8200; RFC 8754; IEEE 802.1Q, 802.1Qbb;
 * draft-xiao-rtgwg-rocev2-fast-cnp, section 4.
 */
import { invalidArgument, requireRecord } from '../wire/bytes.js';
import { Dissection } from './dissection.js';
import { LAYER_PAYLOAD } from './layer-kinds.js';
import type { DissectionRules } from './rules.js';
import { walkLink } from './walk-link.js';

/**
 * Dissects one frame. Never throws: any sequence of bytes has layers and a class.
 *
 * @param dissection is overwritten; it refers to `bytes` until the next call.
 * @param bytes the captured bytes, starting at the link header.
 * @param originalBytes bytes on the wire; fewer than captured counts as equal.
 * @returns `dissection`
 */
export function dissectInto(dissection: Dissection, bytes: Uint8Array, originalBytes: number,
  rules: DissectionRules): Dissection {
  if (!(dissection instanceof Dissection)) throw invalidArgument('dissection', dissection, 'a Dissection');
  requireRecord('rules', rules);
  dissection.begin(bytes, originalBytes);
  walkLink(dissection, rules);
  dissection.finish(LAYER_PAYLOAD);
  return dissection;
}
