/** Compares the ICRC of a dissected packet with the computed one. */
import { ICRC_NORMALISE, ICRC_OMIT, ICRC_RIGHT, ICRC_WRONG } from '../abi/codes.js';
import { Udp } from '../wire/ip/udp.js';
import { Icrc } from '../wire/roce/icrc.js';
import type { Dissection } from './dissection.js';
import type { DissectionRules } from './rules.js';

/** @returns ICRC_RIGHT or ICRC_WRONG for a RoCEv2 packet that was captured completely. */
export function checkDissectedIcrc(d: Dissection, rules: DissectionRules): number {
  const icrcOffset = d.endOffset - Icrc.lenBytes;
  const policy = rules.icrcPolicy === ICRC_OMIT ?
    'omit' :
    rules.icrcPolicy === ICRC_NORMALISE ?
    'normalise' :
    'literal';
  const computed = Icrc.computeAt(d.bytes, d.ipOffset, d.bthOffset - Udp.lenBytes, icrcOffset, policy);
  return computed === Icrc.read(d.bytes, icrcOffset) ? ICRC_RIGHT : ICRC_WRONG;
}
