/** The shape of discovery's findings in a result read from a file. */
import type { DiscoveryHopResult, DiscoveryPathResult, DiscoveryResult } from '../discovery-result.js';
import { checkEach, checkFields, wrong, type Members, type Shape } from './shape.js';

const DISCOVERY: Shape<Omit<DiscoveryResult, 'isAsAsked' | 'paths'>> = {
  form: 'text',
  verdict: 'text',
  endPs: 'number',
  rounds: 'number',
  requests: 'number',
  replies: 'number',
  repliesDropped: 'number',
  changed: 'texts',
};
const PATH: Shape<Omit<DiscoveryPathResult, 'hops'>> = {
  from: 'text',
  to: 'text',
  flow: 'number',
  verdict: 'text',
  reasons: 'texts',
  remarks: 'texts',
  pushed: 'texts?',
  verdictAfter: 'text?',
  reasonsAfter: 'texts?',
};
const HOP: Shape<DiscoveryHopResult> = { node: 'text', hop: 'number', roundTripPs: 'number' };

/** @throws RoceError `invalid-argument` naming the member that is missing or of another type. */
export function checkDiscovery(discovery: Members, where: string): void {
  checkFields(discovery, DISCOVERY, where);
  if (typeof discovery['isAsAsked'] !== 'boolean')
    throw wrong('isAsAsked', discovery['isAsAsked'], 'true or false', where);
  checkEach(discovery['paths'], PATH, `${where}, paths`);
  (discovery['paths'] as readonly Members[]).forEach(({ hops }, path) => {
    checkEach(hops, HOP, `${where}, paths[${path}].hops`);
  });
}
