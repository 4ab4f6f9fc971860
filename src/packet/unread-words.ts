/** Describes the part that a walk did not read. */
import { requireChoice, requireField } from '../wire/bytes.js';
import { LAYERS } from './layers.js';
import { LAYER_NAMES, type LayerKind } from './layer-kinds.js';
import { UNREAD_NAMES, type UnreadField } from './unread.js';
import { ETHER_TYPE_WORDS, PORT_WORDS, PROTOCOL_WORDS, TUNNEL_WORDS } from './words.js';

const U32_MAX = 0xffffffff;

/** The field that announces an unread part, with its number. */
const FIELD_WORDS: Readonly<Record<UnreadField, (number: number) => string>> = {
  'ether-type': (number) => named(`EtherType 0x${number.toString(16).padStart(4, '0')}`, ETHER_TYPE_WORDS.get(number)),
  'ip-protocol': (number) => named(`IP protocol ${number}`, PROTOCOL_WORDS.get(number)),
  'udp-port': (number) => named(`UDP port ${number}`, PORT_WORDS.get(number)),
  llc: (number) => `802.2 LLC, DSAP 0x${number.toString(16).padStart(2, '0')}`,
  fragment: (number) => `fragments of ${PROTOCOL_WORDS.get(number) ?? `IP protocol ${number}`}`,
  routing: (number) => `packets after a Routing header of type ${number}`,
  link: (number) => `link header with an unknown type ${number}`,
  mpls: (number) => `MPLS payload that begins with 0x${number.toString(16).padStart(2, '0')}`,
};

/**
 * Describes an unread part: `EtherType 0x88cc (LLDP)`, `UDP port 53 (DNS)`.
 *
 * @param field of `Packet.unread`, or the kind of a layer, described by its title.
 * @param number value of the field; ignored for a layer.
 */
export function unreadWords(field: UnreadField | LayerKind, number: number): string {
  requireChoice('field', field,
    [...UNREAD_NAMES, ...LAYER_NAMES].filter((name) => name !== 'nothing' && name !== 'none'));
  requireField('number', number, U32_MAX);
  if (Object.hasOwn(FIELD_WORDS, field)) return FIELD_WORDS[field as UnreadField](number);
  return LAYERS[field as LayerKind].title;
}

/** The common name of a header that carries packets: `VXLAN`, `ERSPAN type II`, `IPv6`. */
export function tunnelWords(kind: LayerKind): string {
  requireChoice('kind', kind, LAYER_NAMES.slice(1));
  return TUNNEL_WORDS[kind] ?? LAYERS[kind].title;
}

function named(field: string, name: string | undefined): string {
  return name === undefined ? field : `${field} (${name})`;
}
