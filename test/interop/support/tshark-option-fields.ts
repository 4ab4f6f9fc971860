/** tshark's names for the fields of IPv6 options, including IOAM traces. */
import type { LayerOf } from '../../../src/packet/index.js';
import { readOptionContents } from '../../../src/packet/option-contents.js';
import type { OptionField } from '../../../src/wire/ip/ipv6-options.js';
import type { IoamNode } from '../../../src/wire/telemetry/ioam-node.js';
import { IoamTraceType } from '../../../src/wire/telemetry/ioam-trace.js';
import { IoamOption } from '../../../src/wire/telemetry/ioam-option.js';
import type { IoamTraceData } from '../../../src/wire/telemetry/ioam-trace-data.js';
import type { FieldKind } from './tshark.js';

type Value = number | bigint | boolean | Uint8Array;
type Add = (name: string, values: Value | undefined) => void;

/** RFC 4727, section 4: numbers for experiments. */
const EXPERIMENTAL = [0x1e, 0x3e, 0x5e, 0x7e, 0x9e, 0xbe, 0xde, 0xfe];

/** IOAM's other option type, and two of Fast CNP options in the corpus: tshark 4.0 shows their contents as bytes. */
const UNKNOWN = [IoamOption.UNCHANGING, 0x92, 0x96];

const NODE_NUMBERS: Readonly<Record<string, (node: IoamNode) => readonly (number | bigint | undefined)[]>> = {
  hlim: ({ hopLimit, hopLimitWide }) => [hopLimit, hopLimitWide],
  id: ({ nodeId }) => [nodeId],
  iif: ({ ingressInterface }) => [ingressInterface],
  eif: ({ egressInterface }) => [egressInterface],
  tss: ({ timestampSeconds }) => [timestampSeconds],
  tsf: ({ timestampFraction }) => [timestampFraction],
  trdelay: ({ transitDelay }) => [transitDelay],
  nsdata: ({ namespaceData }) => [namespaceData],
  qdepth: ({ queueDepth }) => [queueDepth],
  csum: ({ checksumComplement }) => [checksumComplement],
  id_wide: ({ nodeIdWide }) => [nodeIdWide],
  iif_wide: ({ ingressInterfaceWide }) => [ingressInterfaceWide],
  eif_wide: ({ egressInterfaceWide }) => [egressInterfaceWide],
  nsdata_wide: ({ namespaceDataWide }) => [namespaceDataWide],
  bufoccup: ({ bufferOccupancy }) => [bufferOccupancy],
  'oss.len': ({ opaque }) => [opaque && opaque.data.length / 4],
  'oss.scid': ({ opaque }) => [opaque?.schemaId],
};
const TRACE = 'ipv6.opt.ioam.trace';
const NODE = `${TRACE}.node`;

const NUMBER_NAMES = [
  'ipv6.opt.type',
  'ipv6.opt.type.action',
  'ipv6.opt.type.change',
  'ipv6.opt.type.rest',
  'ipv6.opt.length',
  'ipv6.opt.ioam.rsv',
  'ipv6.opt.ioam.opt_type',
  `${TRACE}.ns`,
  `${TRACE}.nodelen`,
  `${TRACE}.flags`,
  `${TRACE}.flag.o`,
  `${TRACE}.flag.l`,
  `${TRACE}.flag.a`,
  `${TRACE}.remlen`,
  `${TRACE}.type`,
  `${TRACE}.rsv`,
  `${NODE}.undefined`,
  ...Object.keys(NODE_NUMBERS).map((name) => `${NODE}.${name}`),
];
const BYTE_NAMES = [
  'ipv6.opt.padn',
  'ipv6.opt.experimental',
  'ipv6.opt.unknown',
  `${TRACE}.free_space`,
  `${NODE}.oss.data`,
];

/** Every field of options that is compared. */
export const OPTION_KINDS: Readonly<Record<string, FieldKind>> = {
  ...Object.fromEntries(NUMBER_NAMES.map((name) => [name, 'number'] as const)),
  ...Object.fromEntries(BYTE_NAMES.map((name) => [name, 'bytes'] as const)),
};

/** Adds what tshark should show of an options header. */
export function optionFields({ kind, value }: LayerOf<'hop-by-hop' | 'destination-options'>, add: Add): void {
  for (const option of value.options) {
    addOption(option, add);
    const contents = readOptionContents(option, kind);
    if (option.kind !== 'option' || option.type !== IoamOption.MAY_CHANGE || contents?.kind !== 'ioam') continue;
    add('ipv6.opt.ioam.rsv', option.data[0]);
    add('ipv6.opt.ioam.opt_type', contents.ioamOptionType);
    if (contents.trace) addTrace(contents.trace, add);
  }
}

function addOption(option: OptionField, add: Add): void {
  const type = { pad1: 0, padn: 1, option: option.kind === 'option' ? option.type : 0 }[option.kind];
  add('ipv6.opt.type', type);
  if (option.kind === 'pad1') return;
  add('ipv6.opt.type.action', type >> 6);
  add('ipv6.opt.type.change', (type & 0x20) !== 0);
  add('ipv6.opt.type.rest', type & 0x1f);
  add('ipv6.opt.length', option.data.length);
  if (option.kind === 'padn') add('ipv6.opt.padn', option.data);
  if (EXPERIMENTAL.includes(type)) add('ipv6.opt.experimental', option.data);
  if (UNKNOWN.includes(type)) add('ipv6.opt.unknown', option.data);
}

function addTrace({ header, nodes, freeSpace }: IoamTraceData, add: Add): void {
  add(`${TRACE}.ns`, header.namespaceId);
  add(`${TRACE}.nodelen`, header.nodeLenWords);
  add(`${TRACE}.flags`, header.flags);
  add(`${TRACE}.flag.o`, (header.flags & 8) !== 0);
  add(`${TRACE}.flag.l`, (header.flags & 4) !== 0);
  add(`${TRACE}.flag.a`, (header.flags & 2) !== 0);
  add(`${TRACE}.remlen`, header.remainingLenWords);
  add(`${TRACE}.type`, header.traceType);
  add(`${TRACE}.rsv`, header.reserved8);
  if (header.remainingLenWords > 0) {
    add(`${TRACE}.free_space`, freeSpace ?? new Uint8Array(4 * header.remainingLenWords));
  }
  // On the wire the newest record comes first.
  for (const node of nodes.toReversed()) addNode(node, IoamTraceType.undefinedWords(header.traceType), add);
}

function addNode(node: IoamNode, undefinedWords: number, add: Add): void {
  for (const [name, get] of Object.entries(NODE_NUMBERS)) for (const value of get(node)) add(`${NODE}.${name}`, value);
  const undefinedFields = node.undefinedFields ?? new Array<number>(undefinedWords).fill(0xffffffff);
  for (const value of undefinedFields) add(`${NODE}.undefined`, value);
  if (node.opaque && node.opaque.data.length > 0) add(`${NODE}.oss.data`, node.opaque.data);
}
