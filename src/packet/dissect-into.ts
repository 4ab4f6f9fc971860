/**
 * A dissection without allocation: layers, class and trouble of one frame are written to an object that the caller
 * owns.
 *
 * Role: the one walk over a frame, for dissection, replay, watches and the reference parser. With `tunnels: 'outside'`
 * it returns the same class, QPN and rejection as the engine's parser; tests compare the two on every frame. Order:
 * link → tags → IP, extension headers → UDP → BTH, extended headers, payload, ICRC; the packet inside a tunnel starts
 * over. Sources: IBTA volume 1, section 9, and Annex A17; RFC 8200; RFC 8754; IEEE 802.1Q, 802.1Qbb;
 * draft-xiao-rtgwg-rocev2-fast-cnp, section 4; sources for tunnels are in src/wire/tunnel.
 */
import { invalidArgument, requireRecord } from '../wire/bytes.js';
import { Dissection } from './dissection.js';
import type { DissectionRules } from './rules.js';
import { STEP_END, STEP_ETHERNET, STEP_ETHER_TYPE, STEP_IP, STEP_LINK } from './walk-codes.js';
import { walkEtherType, walkEthernet, walkLink } from './walk-link.js';
import { walkIp } from './walk-ip.js';

/**
 * Dissects one frame. Never throws: any sequence of bytes has layers and a class.
 *
 * @param dissection is overwritten; it refers to `bytes` until the next call.
 * @param bytes the captured bytes, starting at the link header.
 * @param originalBytes bytes on the wire; at least the captured length is assumed.
 * @returns `dissection`
 */
export function dissectInto(dissection: Dissection, bytes: Uint8Array, originalBytes: number,
  rules: DissectionRules): Dissection {
  if (!(dissection instanceof Dissection)) throw invalidArgument('dissection', dissection, 'a Dissection');
  requireRecord('rules', rules);
  dissection.begin(bytes, originalBytes, rules.readsTunnels);
  dissection.next(STEP_LINK, 0, dissection.originalBytes, rules.linkType);
  while (dissection.step !== STEP_END) takeStep(dissection, rules);
  dissection.finish();
  return dissection;
}

function takeStep(d: Dissection, rules: DissectionRules): void {
  const { step, stepOffset, stepLimit, stepNumber } = d;
  d.step = STEP_END;
  switch (step) {
    case STEP_LINK:
      walkLink(d, stepNumber, stepOffset, stepLimit);
      break;
    case STEP_ETHERNET:
      walkEthernet(d, stepOffset, stepLimit);
      break;
    case STEP_ETHER_TYPE:
      walkEtherType(d, stepNumber, stepOffset, stepLimit);
      break;
    case STEP_IP:
      walkIp(d, stepOffset, stepNumber, stepLimit, rules);
      break;
  }
}
