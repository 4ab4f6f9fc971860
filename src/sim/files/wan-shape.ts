/** The shape of the WAN in a result read from a file. */
import { checkEach, type Members, type Shape } from './shape.js';
import type { ArnPortResult, HeldResult, WanNodeResult, WanServiceResult } from '../result.js';

const NODE: Shape<WanNodeResult> = {
  node: 'text',
  encapsulated: 'number',
  decapsulated: 'number',
  endConSent: 'number',
  endConReceived: 'number',
  fastCnpsDeniedIn: 'number',
  fastCnpsDeniedOut: 'number',
  ecnUnused: 'number',
  ecnDangerous: 'number',
  ecnDropped: 'number',
};
const SERVICE: Shape<WanServiceResult> = {
  name: 'text',
  edges: 'texts',
  via: 'texts',
  overheadBytes: 'number',
  flows: 'number',
};
const ARN_PORT: Shape<ArnPortResult> = {
  port: 'text',
  arnsSent: 'number',
  arnsRefreshed: 'number',
  arnResumes: 'number',
  arnsReceived: 'number',
  arnsExpired: 'number',
  heldPs: 'number',
};
const HELD: Shape<HeldResult> = { level: 'text', key: 'number', name: 'text', heldPs: 'number' };

/** @throws RoceError `invalid-argument` naming the member that is missing or of another type. */
export function checkWanShape(wan: Members, where: string): void {
  checkEach(wan['nodes'], NODE, `${where}, nodes`);
  checkEach(wan['services'], SERVICE, `${where}, services`);
  if (wan['arnPorts'] !== undefined) checkEach(wan['arnPorts'], ARN_PORT, `${where}, arnPorts`);
  if (wan['held'] !== undefined) checkEach(wan['held'], HELD, `${where}, held`);
}
