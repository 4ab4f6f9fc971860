/**
 * Frames that the engine does not read: those of class `other`, identified by the innermost header field that led to no
 * known protocol, and Fast CNPs whose option type numbers differ from the engine's; also frames in tunnels, and PAUSE and
 * PFC frames.
 */
import { LINK_ETHERNET, LINK_RAW_IP } from '../abi/codes.js';
import { LINK_TYPE_ETHERNET, LINK_TYPE_RAW } from '../capture/index.js';
import type { PacketBatch } from '../engine/packet-batch.js';
import { Dissection, LAYER_NONE, LAYER_PAYLOAD, LAYER_TRAILER, UNREAD_NAMES, dissectInto,
  layerName } from '../packet/index.js';
import { LinkRules } from '../packet/rules.js';
import { hex } from '../packet/words.js';
import { readU16 } from '../wire/bytes.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { readOptions } from '../wire/ip/ipv6-options.js';
import { Ipv6, walkExtensionHeaders } from '../wire/ip/ipv6.js';
import { Udp } from '../wire/ip/udp.js';
import { EtherType } from '../wire/link/ethernet.js';
import { MacControl, Pause, Pfc } from '../wire/link/mac-control.js';
import { Bth } from '../wire/roce/bth.js';
import { FAST_CNP_1_DATA_BYTES, FAST_CNP_2_LEAST_DATA_BYTES } from '../wire/roce/fast-cnp-option.js';
import { UetType, uetNackName } from '../wire/uet/codes.js';
import { UetNack } from '../wire/uet/pds.js';
import type { OtherKind, OtherOptionType, TunnelKindSummary, TunnelSummary, PauseSummary, UetCount,
  UetSummary } from './report.js';

/** Maximum number of kinds kept separately. */
const KINDS_MAX = 100;

const IPV6_BYTES = 40;
/** Option types have action bits 10 and change bit 0. */
const TYPE_MIN = 0x80;
const TYPE_MAX = 0x9f;
const ECN_CE = 3;
/** Maximum number of sender and priority pairs counted separately. */
const PAUSES_MAX = 1000;
/** Offset of the source address in an Ethernet frame. */
const SOURCE = 6;
const TYPE = 12;
const BODY = 14;

const FLAG_RETRANSMISSION = 0x10;
const NACK_CODE = UetNack.offsetOf('nackCode');
/** Types whose flag says that they themselves are retransmissions; in a reply it is that of the packet that it responds to. */
const RETRANSMITTED_TYPES: readonly number[] = [
  UetType.RUD_REQUEST,
  UetType.ROD_REQUEST,
  UetType.RUDI_REQUEST,
  UetType.CONTROL,
  UetType.RUD_CC_REQUEST,
  UetType.ROD_CC_REQUEST,
];

/** Counts the frames of class `other` by kind; frames of more than KINDS_MAX kinds are only counted as a whole. */
export class OtherTally {
  /** Frames of kinds beyond KINDS_MAX. */
  elsewhere = 0;
  /** Ultra Ethernet packets, which are none of the kinds. */
  readonly uet = new UetTally();
  readonly #kinds = new Map<string, OtherKind & { frames: number }>();
  readonly #dissection = new Dissection();
  readonly #rules = new LinkRules();

  /** Kinds, the most frequent first. */
  get summaries(): OtherKind[] {
    return [...this.#kinds.values()].sort((a, b) => b.frames - a.frames);
  }

  /** Counts processed frame `index` of class `other`, number `frame` of the capture, with this link type. */
  count(packets: PacketBatch, index: number, frame: number, linkType: number): void {
    const found = this.#dissect(packets, index, linkType);
    if (this.uet.count(found)) return;
    const field = UNREAD_NAMES[found.unreadKind];
    this.#add(field === 'nothing' ? lastLayer(found) : field, field === 'nothing' ? 0 : found.unreadNumber, frame);
  }

  /** Counts a frame of class `malformed` if it is Ultra Ethernet: a trimmed packet with its original lengths. */
  countMalformed(packets: PacketBatch, index: number, linkType: number): void {
    this.uet.count(this.#dissect(packets, index, linkType));
  }

  #dissect(packets: PacketBatch, index: number, linkType: number): Dissection {
    const link = packets.linkCode(index);
    const readAs = link === LINK_ETHERNET ? LINK_TYPE_ETHERNET : link === LINK_RAW_IP ? LINK_TYPE_RAW : linkType;
    const bytes = packets.frame(index);
    return dissectInto(this.#dissection, bytes, bytes.length, this.#rules.of(readAs));
  }

  #add(field: OtherKind['field'], number: number, frame: number): void {
    const key = `${field} ${number}`;
    const known = this.#kinds.get(key);
    if (known !== undefined) known.frames++;
    else if (this.#kinds.size < KINDS_MAX) this.#kinds.set(key, { field, number, frames: 1, firstFrame: frame });
    else this.elsewhere++;
  }
}

/** The innermost header of a frame that was parsed completely. */
function lastLayer({ count, kinds, troubleKind }: Dissection): OtherKind['field'] {
  if (troubleKind !== LAYER_NONE) return layerName(troubleKind);
  for (let index = count - 1; index >= 0; index--) {
    if (kinds[index] !== LAYER_TRAILER && kinds[index] !== LAYER_PAYLOAD) return layerName(kinds[index]);
  }
  return 'undecoded';
}

/**
 * Finds Fast CNPs whose option type numbers differ from the engine's: each domain chooses them until they are assigned
 * (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4).
 */
export class OtherOptionTypes {
  readonly #frames = new Map<string, OtherOptionType & { frames: number }>();

  /** Option types, the most frequent first. */
  get summaries(): OtherOptionType[] {
    return [...this.#frames.values()].sort((a, b) => b.frames - a.frames);
  }

  /** Counts an IPv6 frame that would be discarded for an unknown option, if it resembles a Fast CNP. */
  count(frame: Uint8Array, ipOffset: number): void {
    const { nextHeader } = Ipv6.read(frame, ipOffset);
    const { headers, upperProtocol, upperOffset } = walkExtensionHeaders(frame, nextHeader, ipOffset + IPV6_BYTES,
      frame.length);
    if (upperProtocol !== IpProtocol.UDP || frame[upperOffset + Udp.lenBytes] !== Bth.OPCODE_CNP) return;
    for (const header of headers) {
      if (header.type !== IpProtocol.DESTINATION_OPTIONS) continue;
      for (const { type, dataBytes } of readOptions(frame, header)) this.#add(type, dataBytes);
    }
  }

  /** Tells the two options apart by their length. */
  #add(type: number, dataBytes: number): void {
    if (type < TYPE_MIN || type > TYPE_MAX) return;
    if (dataBytes !== FAST_CNP_1_DATA_BYTES && dataBytes < FAST_CNP_2_LEAST_DATA_BYTES) return;
    const option = dataBytes === FAST_CNP_1_DATA_BYTES ? 1 : 2;
    const key = `${option} ${type}`;
    const known = this.#frames.get(key);
    if (known !== undefined) known.frames++;
    else this.#frames.set(key, { option, type, frames: 1 });
  }
}

/** Counts tunnelled frames: the headers that carry them, and how outer and inner ECN fields differ. */
export class TunnelTally {
  readonly #frames = new Map<number, number>();
  #outerMarkedOnly = 0;
  #dropped = 0;

  /** Undefined if no frame is tunnelled. */
  get summary(): TunnelSummary | undefined {
    if (this.#frames.size === 0) return undefined;
    const kinds = [...this.#frames].map(([kind, frames]): TunnelKindSummary => ({ kind: layerName(kind), frames }));
    kinds.sort((a, b) => b.frames - a.frames);
    return {
      frames: kinds.reduce((sum, { frames }) => sum + frames, 0),
      kinds,
      outerMarkedOnly: this.#outerMarkedOnly,
      dropped: this.#dropped,
    };
  }

  /** Counts processed frame `index`, which is tunnelled. */
  count(packets: PacketBatch, index: number): void {
    const tunnel = packets.tunnel(index);
    if (tunnel === undefined) return;
    const { kind, innerEcn, outerEcn, isDropped } = tunnel;
    this.#frames.set(kind, (this.#frames.get(kind) ?? 0) + 1);
    if (outerEcn === ECN_CE && innerEcn !== ECN_CE) this.#outerMarkedOnly++;
    if (isDropped) this.#dropped++;
  }
}

type Counts = { -readonly [Name in keyof PauseSummary]: PauseSummary[Name] };

/** Counts PAUSE and PFC frames, per sender and priority. */
export class PauseTally {
  readonly #counts = new Map<string, Counts>();

  /** Summaries in order of appearance. */
  get summaries(): PauseSummary[] {
    return [...this.#counts.values()];
  }

  /** Counts a complete PAUSE or PFC frame. */
  count(frame: Uint8Array): void {
    if (readU16(frame, TYPE) !== EtherType.MAC_CONTROL) return;
    const opcode = readU16(frame, BODY);
    if (opcode === MacControl.PAUSE && frame.length >= BODY + Pause.lenBytes) {
      this.#add(frame, undefined, Pause.read(frame, BODY).pauseQuanta);
    } else if (opcode === MacControl.PFC && frame.length >= BODY + Pfc.lenBytes) {
      const pfc = Pfc.read(frame, BODY);
      pfc.pauseQuanta.forEach((quanta, priority) => {
        if (Pfc.isClassEnabled(pfc, priority)) this.#add(frame, priority, quanta);
      });
    }
  }

  #add(frame: Uint8Array, priority: number | undefined, quanta: number): void {
    const source = Array.from(frame.subarray(SOURCE, TYPE), (byte) => byte.toString(16).padStart(2, '0')).join(':');
    const key = `${source} ${priority ?? 'all'}`;
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      if (this.#counts.size === PAUSES_MAX) return;
      counts = { kind: priority === undefined ? 'pause' : 'pfc', source, priority, pauses: 0, resumes: 0 };
      this.#counts.set(key, counts);
    }
    if (quanta > 0) counts.pauses++;
    else counts.resumes++;
  }
}

/** Counts Ultra Ethernet packets: by type, trimmed ones, retransmissions, NACKs by their code. */
class UetTally {
  #frames = 0;
  #trimmed = 0;
  #retransmitted = 0;
  readonly #types = new Map<string, number>();
  readonly #nacks = new Map<string, number>();

  /** Undefined if there are no packets. */
  get summary(): UetSummary | undefined {
    if (this.#frames === 0) return undefined;
    return {
      frames: this.#frames,
      types: sorted(this.#types),
      trimmed: this.#trimmed,
      retransmitted: this.#retransmitted,
      nacks: sorted(this.#nacks),
    };
  }

  /** @returns false if the frame is not Ultra Ethernet, and is not counted. */
  count({ bytes, capturedEnd, uetOffset, uetIsTrimmed }: Dissection): boolean {
    if (uetOffset === 0) return false;
    const type = bytes[uetOffset] >> 3;
    this.#frames++;
    if (uetIsTrimmed) this.#trimmed++;
    increment(this.#types, UetType.nameOf(type) ?? `type ${type}`);
    const isRetransmission = (readU16(bytes, uetOffset) & FLAG_RETRANSMISSION) !== 0;
    if (isRetransmission && RETRANSMITTED_TYPES.includes(type)) this.#retransmitted++;
    const codeAt = uetOffset + NACK_CODE;
    if ((type === UetType.NACK || type === UetType.NACK_CCX) && codeAt < capturedEnd) {
      const code = bytes[codeAt];
      increment(this.#nacks, uetNackName(code) ?? `code ${hex(code, 2)}`);
    }
    return true;
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): UetCount[] {
  return [...counts].map(([name, frames]) => ({ name, frames })).sort((a, b) => b.frames - a.frames);
}
