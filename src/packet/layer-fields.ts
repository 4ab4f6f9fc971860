/**
 * The fields of each kind of layer, and what they are: so that a description with a misspelt field, or with `1` where
 * `true` is meant, is refused instead of built without it.
 */
import { RoceError } from '../errors.js';
import type { LayerKind } from './layer-kinds.js';
import type { LayerValues } from './layers.js';

type Form = 'number' | 'flag' | 'wide' | 'bytes' | 'list' | 'object';

type FormOf<Value> = Value extends number ? 'number' :
  Value extends boolean ? 'flag' :
  Value extends bigint ? 'wide' :
  Value extends Uint8Array ? 'bytes' :
  Value extends readonly unknown[] ? 'list' :
  'object';

/** Every field, by the name and type that it has in the value object. */
type FieldForms = {
  readonly [Kind in LayerKind]: {
    readonly [Field in keyof LayerValues[Kind]]-?: FormOf<NonNullable<LayerValues[Kind][Field]>>;
  };
};

const BYTES = { bytes: 'bytes' } as const;
const OPTIONS = { nextHeader: 'number', options: 'list' } as const;

const FIELD_FORMS: FieldForms = {
  ethernet: { destination: 'bytes', source: 'bytes', tags: 'list', etherType: 'number' },
  'linux-sll': {
    packetType: 'number',
    arphrdType: 'number',
    addressLength: 'number',
    address: 'bytes',
    protocolType: 'number',
  },
  'linux-sll2': {
    protocolType: 'number',
    reserved16: 'number',
    interfaceIndex: 'number',
    arphrdType: 'number',
    packetType: 'number',
    addressLength: 'number',
    address: 'bytes',
  },
  pause: { pauseQuanta: 'number' },
  pfc: { classEnableVector: 'number', pauseQuanta: 'list' },
  grh: {
    ipVersion: 'number',
    trafficClass: 'number',
    flowLabel: 'number',
    payloadLength: 'number',
    nextHeader: 'number',
    hopLimit: 'number',
    sourceGid: 'bytes',
    destinationGid: 'bytes',
  },
  ipv4: {
    dscp: 'number',
    ecn: 'number',
    totalLength: 'number',
    identification: 'number',
    flags: 'number',
    fragmentOffset: 'number',
    ttl: 'number',
    protocol: 'number',
    checksum: 'number',
    source: 'bytes',
    destination: 'bytes',
    options: 'bytes',
  },
  ipv6: {
    dscp: 'number',
    ecn: 'number',
    flowLabel: 'number',
    payloadLength: 'number',
    nextHeader: 'number',
    hopLimit: 'number',
    source: 'bytes',
    destination: 'bytes',
  },
  'hop-by-hop': OPTIONS,
  'destination-options': OPTIONS,
  routing: {
    nextHeader: 'number',
    headerExtLen: 'number',
    routingType: 'number',
    segmentsLeft: 'number',
    data: 'bytes',
  },
  'segment-routing': {
    nextHeader: 'number',
    headerExtLen: 'number',
    segmentsLeft: 'number',
    lastEntry: 'number',
    flags: 'number',
    tag: 'number',
    segments: 'list',
    tlvs: 'bytes',
  },
  fragment: {
    nextHeader: 'number',
    reserved8: 'number',
    fragmentOffset: 'number',
    reserved2: 'number',
    moreFragments: 'flag',
    identification: 'number',
  },
  udp: { sourcePort: 'number', destinationPort: 'number', length: 'number', checksum: 'number' },
  bth: {
    opcode: 'number',
    solicitedEvent: 'flag',
    migrationRequest: 'flag',
    padCount: 'number',
    transportVersion: 'number',
    pKey: 'number',
    fecn: 'flag',
    becn: 'flag',
    reserved6: 'number',
    destQpn: 'number',
    ackRequest: 'flag',
    reserved7: 'number',
    psn: 'number',
  },
  rdeth: { reserved8: 'number', eeContext: 'number' },
  deth: { qKey: 'number', reserved8: 'number', sourceQpn: 'number' },
  xrceth: { reserved8: 'number', sharedReceiveQueue: 'number' },
  reth: { virtualAddress: 'wide', rKey: 'number', dmaLength: 'number' },
  'atomic-eth': { virtualAddress: 'wide', rKey: 'number', swapOrAdd: 'wide', compare: 'wide' },
  aeth: { syndrome: 'number', msn: 'number' },
  'atomic-ack-eth': { original: 'wide' },
  immdt: { immediateData: 'number' },
  ieth: { rKey: 'number' },
  'cnp-reserved': BYTES,
  payload: BYTES,
  pad: BYTES,
  icrc: { icrc: 'number' },
  trailer: BYTES,
  undecoded: BYTES,
  arn: {
    type: 'number',
    version: 'number',
    reserved4: 'number',
    metric: 'number',
    flow: 'object',
    pathId: 'number',
    priorityId: 'number',
    compressionTime: 'number',
  },
  'roce-fc-icmp': {
    type: 'number',
    code: 'number',
    checksum: 'number',
    idNumber: 'number',
    flags: 'number',
    outboundHopCount: 'number',
    returnHopCount: 'number',
    data: 'bytes',
  },
};

const FORMS: Readonly<Record<Form, { readonly words: string; readonly is: (value: unknown) => boolean }>> = {
  number: { words: 'a number', is: (value) => typeof value === 'number' },
  flag: { words: 'true or false', is: (value) => typeof value === 'boolean' },
  wide: { words: 'a whole number, as text from 2^53 on', is: (value) => typeof value === 'bigint' },
  bytes: { words: 'bytes or an address, as text', is: (value) => value instanceof Uint8Array },
  list: { words: 'a list', is: (value) => Array.isArray(value) },
  object: { words: 'an object', is: (value) => typeof value === 'object' && value !== null },
};

/**
 * Checks the fields that are there; how large they may be is the codecs' question.
 * @throws RoceError `invalid-argument` naming the field: one that the layer does not have, or of another form.
 */
export function requireFields(kind: LayerKind, value: Readonly<Record<string, unknown>>, where: string): void {
  const forms = FIELD_FORMS[kind] as Readonly<Record<string, Form>>;
  for (const [field, given] of Object.entries(value)) {
    if (!Object.hasOwn(forms, field)) throw refused('unknown field', field, Object.keys(forms).join(', '), where);
    const isToCompute = kind === 'udp' && field === 'checksum' && given === 'computed';
    const { words, is } = FORMS[forms[field]];
    if (!is(given) && !isToCompute) throw refused('field of another kind', given, words, `${where}.${field}`);
  }
}

function refused(what: string, got: unknown, allowed: string, where: string): RoceError {
  return new RoceError('invalid-argument', what, { got, allowed, where });
}
