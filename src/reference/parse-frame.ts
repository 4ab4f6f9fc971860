/**
 * The parser of the `js` backend: converts the dissector's result to the fields of the engine's packet record.
 *
 * Role: the oracle for the wasm parser; both are compared on every field of every frame (test/parser/agreement).
 * Sources: see src/packet/dissect-into.ts.
 * Deviations: RD and XRC acknowledgements count as data; a Routing header makes a packet "other".
 */
import { LINK_ETHERNET, LINK_RAW_IP } from '../abi/codes.js';
import { LINK_TYPE_ETHERNET, LINK_TYPE_RAW } from '../capture/link-types.js';
import { dissectInto } from '../packet/dissect-into.js';
import { Dissection } from '../packet/dissection.js';
import { NO_DISCOVERY, type DissectionRules } from '../packet/rules.js';

/** Options of the parser: the same choices as the engine's. */
export type ParseRules = Pick<DissectionRules, 'mode' | 'optionType1' | 'optionType2' | 'checksIcrc' | 'icrcPolicy'>;

/** A link type that the dissector does not know. */
const NO_LINK_TYPE = -1;

const FIELDS = [
  'classCode',
  'why',
  'ipVersion',
  'trafficClass',
  'opcode',
  'icrc',
  'ipOffset',
  'bthOffset',
  'originalDestinationOffset',
  'ioamOffset',
  'ioamBytes',
  'destQpn',
  'fromReceiver',
  'endOffset',
] as const satisfies (keyof Dissection)[];

/** The packet record of src/abi/layout.ts as an object; offsets are in bytes from the start of the frame, 0 if absent. */
export type ParsedFrame = Readonly<Pick<Dissection, (typeof FIELDS)[number]>>;

/** Reused for all frames; made with the first one. */
let dissection: Dissection | undefined;

/**
 * Parses one frame. Never throws: every sequence of bytes has a class.
 *
 * @param bytes - the captured bytes
 * @param originalBytes - bytes on the wire; fewer than captured counts as equal
 * @param link - LINK_ETHERNET, LINK_RAW_IP or LINK_OTHER
 */
export function parseFrame(bytes: Uint8Array, originalBytes: number, link: number, rules: ParseRules): ParsedFrame {
  const linkType = link === LINK_ETHERNET ? LINK_TYPE_ETHERNET : link === LINK_RAW_IP ? LINK_TYPE_RAW : NO_LINK_TYPE;
  dissection ??= new Dissection();
  const found = dissectInto(dissection, bytes, originalBytes, {
    ...rules,
    ...NO_DISCOVERY,
    linkType,
    readsTunnels: false,
  });
  return Object.fromEntries(FIELDS.map((field) => [field, found[field]])) as unknown as ParsedFrame;
}
