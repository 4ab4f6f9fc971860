/**
 * The result of dissecting one frame as numbers, reused from frame to frame without allocation.
 *
 * Layers are in the order of the frame and cover every captured byte once. A layer that can't be read is `trouble`; its
 * bytes form one undecoded layer. The innermost packet of a tunnel determines the class, unless the rules say
 * `outside`; layers continue into tunnels in either case.
 */
import { decapsulateEcn } from '../tunnel/ecn.js';
import { requireField, requirePlace } from '../wire/bytes.js';
import { CLASS_CUT, CLASS_MALFORMED, CLASS_OTHER, ICRC_ABSENT, WHY_NONE } from '../abi/codes.js';
import type { MrcDscpMap } from '../wire/mrc/ip-fields.js';
import type { MrcSettings } from './multipath-settings.js';
import { LAYER_NONE, LAYER_PAYLOAD, LAYER_TRAILER, LAYER_UNDECODED } from './layer-kinds.js';
import { STEP_END, UNREAD_NOTHING } from './walk-codes.js';

const FIRST_CAPACITY = 32;
/**
 * Maximum depth of packets inside packets; deeper ones count as payload. Real tunnels are shallower: the default
 * encapsulation limit is 4 (RFC 2473, section 6.6).
 */
const INNER_PACKETS_MAX = 64;
/** There is no outer IP header whose ECN field counts at decapsulation. */
const NO_ECN = -1;
/** A mirrored frame may be truncated, so its length is unknown: assume more than any packet has. */
const MIRRORED_BYTES_MAX = 2 ** 20;

/** A frame dissected into numbers. `dissectInto` refills it for each frame, so one serves a whole capture. */
export class Dissection {
  /** The captured bytes. */
  bytes: Uint8Array = new Uint8Array(0);
  /** Bytes on the wire, at least as many as captured. */
  originalBytes = 0;

  /** Number of layers. */
  count = 0;
  /** Kind of each layer, LAYER_*; the first `count` are valid. */
  kinds: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** First byte of each layer. */
  offsets: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  /** Bytes of each layer, without its payload. */
  lengths: Uint32Array = new Uint32Array(FIRST_CAPACITY);

  /** Class of the frame: CLASS_*, the code of a `ClassName`. */
  classCode = CLASS_OTHER;
  /** Why it is malformed, cut or to be discarded: WHY_*, the code of a `WhyName`; else WHY_NONE. */
  why = WHY_NONE;
  /** IP version of the packet that determines the class: 4 or 6; 0 without a complete IP header. */
  ipVersion = 0;
  /** First byte of the IP header of the packet that determines the class; 0 without one. */
  ipOffset = 0;
  /** Traffic class of the packet that determines the class: DSCP in the high six bits, ECN in the low two. */
  trafficClass = 0;
  /** First byte of the BTH. This and all following fields are 0 unless the class is a RoCEv2 one. */
  bthOffset = 0;
  /** Opcode of the BTH, 0x00..0xff (IBTA volume 1, section 9.2). */
  opcode = 0;
  /** Destination QP of the BTH, 24 bits. */
  destQpn = 0;
  /** First byte of the address in a Fast CNP option, or 0. */
  originalDestinationOffset = 0;
  /** First byte of an IOAM trace's Namespace-ID, or 0. */
  ioamOffset = 0;
  /** Length of the IOAM trace, from its Namespace-ID to the last byte of node data. */
  ioamBytes = 0;
  /** First byte after the ICRC. */
  endOffset = 0;
  /** Result of the ICRC check, ICRC_*. */
  icrc = ICRC_ABSENT;
  /** 1 when a Fast CNP's source is the address in its option. */
  fromReceiver = 0;

  /** EtherType of the packet that determines the class; 0 without a link header that states one. */
  networkType = 0;
  /** First byte after its link header. */
  networkOffset = 0;
  /** End of its bytes on the wire, according to the headers around it. */
  networkLimit = 0;

  /** Number of packets inside packets; 0 without a tunnel. */
  innerCount = 0;
  /** LAYER_* of the header around the innermost packet; LAYER_NONE without a tunnel. */
  tunnelKind = LAYER_NONE;
  /** IP version of the outermost header of a tunnel, or 0. */
  outerIpVersion = 0;
  /** First byte of the outermost IP header of a tunnel. */
  outerIpOffset = 0;
  /** Whether decapsulation drops the packet under RFC 6040: outer CE over inner Not-ECT. */
  isEcnDropped = false;

  /** First byte of the BTH of an MRC packet; 0 for other packets. The same holds for all fields of MRC. */
  mrcOffset = 0;
  /** Whether the DSCP marks the MRC packet as trimmed by a switch. */
  mrcIsTrimmed = false;
  /**
   * Payload bytes of an MRC packet according to its lengths, without padding; -1 without a payload, and for a trimmed
   * packet.
   */
  mrcPayloadBytes = -1;
  /** Result of the ICRC check of an MRC packet, ICRC_*. */
  mrcIcrc = ICRC_ABSENT;
  /** Settings with which the MRC packet was read. */
  mrcSettings: MrcSettings | undefined;
  /** @internal MRC_NOTE_*: problems of an MRC packet. */
  mrcNotes = 0;
  /** First byte of the packet delivery header of an Ultra Ethernet packet; 0 for other packets. */
  uetOffset = 0;
  /** Whether the DSCP marks the Ultra Ethernet packet as trimmed by a switch. */
  uetIsTrimmed = false;
  /** Payload bytes of an Ultra Ethernet packet; -1 for other packets, and for one whose headers are incomplete. */
  uetPayloadBytes = -1;
  /** Names of the DSCPs with which the Ultra Ethernet packet was read. */
  uetDscps: MrcDscpMap | undefined;
  /** First byte of the innermost IP header, whichever packet determines the class; 0 without one. */
  innerIpOffset = 0;
  /**
   * First byte of the outermost IP header of the IP-in-IP chain that ends in that header; equal to it without IP in IP.
   */
  carrierIpOffset = 0;
  /** Traffic class of the outermost IP header in `carrierIpOffset`: DSCP in the high six bits, ECN in the low two. */
  carrierTrafficClass = 0;

  /** UNREAD_*: the field that announces a part that was not read. */
  unreadKind = UNREAD_NOTHING;
  /** Value of the field in `unreadKind`: EtherType, IP protocol, UDP port or other number. */
  unreadNumber = 0;

  /** LAYER_* of the layer that could not be read, or LAYER_NONE. */
  troubleKind = LAYER_NONE;
  /** First byte of the layer that could not be read. */
  troubleOffset = 0;
  /** Bytes, or the value, that the layer needs. */
  troubleRequired = 0;
  /** Bytes, or the value, found. */
  troubleActual = 0;
  /** WHY_* of the trouble; WHY_NONE for layers that do not affect the class. */
  troubleWhy = WHY_NONE;
  /** Whether the capture was truncated there; the frame on the wire may have been complete. */
  troubleIsCut = false;

  /** @internal Whether the class is final. */
  resolved = false;
  /** @internal A WHY_* of strict Annex A17 mode, or WHY_NONE. */
  strictObjection = WHY_NONE;
  /** @internal Whether this is the first of several fragments of a datagram. */
  isFirstFragment = false;
  /** @internal Number of Fast CNP options. */
  fastCnpCount = 0;
  /** @internal First byte of the first Fast CNP option, or 0. */
  fastCnpOptionOffset = 0;
  /**
   * @internal First byte of the first IOAM trace option, or 0; Destination Options take precedence over a Hop-by-Hop
   * header.
   */
  carriedTraceOffset = 0;
  /** @internal LAYER_* of the header that contains it, or LAYER_NONE. */
  carriedTraceKind = LAYER_NONE;
  /** @internal Whether an unknown option requires a discard. */
  hasOptionToDiscard = false;
  /** @internal End of the captured bytes of the current packet. */
  capturedEnd = 0;
  /** @internal Whether the current datagram is a fragment. */
  isFragment = false;
  /** @internal Whether the next IP header is directly inside another one. */
  isIpInIp = false;
  /** @internal Whether inner packets determine the class. */
  readsInside = true;
  /** @internal Next step of the walk, STEP_*. */
  step = STEP_END;
  /** @internal First byte of the next step. */
  stepOffset = 0;
  /** @internal End of the bytes that enclose the next step. */
  stepLimit = 0;
  /** @internal EtherType, IP version or link type, depending on the step. */
  stepNumber = 0;
  /** ECN field that the outer headers pass to the packet, or NO_ECN. */
  #carriedEcn = NO_ECN;
  /** Ends of the packets around the current one, outermost first. */
  #limits: Float64Array = new Float64Array(FIRST_CAPACITY);
  #limitCount = 0;

  /** ECN field of the packet after decapsulation (RFC 6040, section 4.2), 0..3; without a tunnel, its own ECN field. */
  get effectiveEcn(): number {
    const ecn = this.trafficClass & 3;
    if (this.#carriedEcn === NO_ECN || this.ipVersion === 0) return ecn;
    const exit = decapsulateEcn(ecn, this.#carriedEcn).ecn;
    return exit === 'drop' ? ecn : exit;
  }

  /** ECN field that the outer headers pass to the packet, 0..3; -1 without such a header. */
  get outerEcn(): number {
    return this.#carriedEcn;
  }

  /** @internal Starts a new frame. */
  begin(bytes: Uint8Array, originalBytes: number, readsInside: boolean): void {
    requirePlace(bytes, 0);
    requireField('originalBytes', originalBytes, Number.MAX_SAFE_INTEGER);
    this.bytes = bytes;
    this.originalBytes = originalBytes > bytes.length ? originalBytes : bytes.length;
    this.capturedEnd = bytes.length;
    this.readsInside = readsInside;
    this.count = 0;
    this.innerCount = 0;
    this.tunnelKind = LAYER_NONE;
    this.outerIpVersion = 0;
    this.outerIpOffset = 0;
    this.isEcnDropped = false;
    this.#carriedEcn = NO_ECN;
    this.#limitCount = 0;
    this.isIpInIp = false;
    this.innerIpOffset = 0;
    this.carrierIpOffset = 0;
    this.carrierTrafficClass = 0;
    this.#beginTransports();
    this.step = STEP_END;
    this.#beginPacket();
    this.troubleKind = LAYER_NONE;
    this.troubleOffset = 0;
    this.troubleRequired = 0;
    this.troubleActual = 0;
    this.troubleWhy = WHY_NONE;
    this.troubleIsCut = false;
  }

  #beginTransports(): void {
    this.mrcOffset = 0;
    this.mrcIsTrimmed = false;
    this.mrcPayloadBytes = -1;
    this.mrcIcrc = ICRC_ABSENT;
    this.mrcSettings = undefined;
    this.mrcNotes = 0;
    this.uetOffset = 0;
    this.uetIsTrimmed = false;
    this.uetPayloadBytes = -1;
    this.uetDscps = undefined;
  }

  /** Resets all findings about a packet. */
  #beginPacket(): void {
    this.classCode = CLASS_OTHER;
    this.why = WHY_NONE;
    this.networkType = 0;
    this.networkOffset = 0;
    this.networkLimit = this.originalBytes;
    this.ipVersion = 0;
    this.ipOffset = 0;
    this.trafficClass = 0;
    this.bthOffset = 0;
    this.opcode = 0;
    this.destQpn = 0;
    this.originalDestinationOffset = 0;
    this.ioamOffset = 0;
    this.ioamBytes = 0;
    this.endOffset = 0;
    this.icrc = ICRC_ABSENT;
    this.fromReceiver = 0;
    this.unreadKind = UNREAD_NOTHING;
    this.unreadNumber = 0;
    this.resolved = false;
    this.strictObjection = WHY_NONE;
    this.isFragment = false;
    this.isFirstFragment = false;
    this.fastCnpCount = 0;
    this.fastCnpOptionOffset = 0;
    this.carriedTraceOffset = 0;
    this.carriedTraceKind = LAYER_NONE;
    this.hasOptionToDiscard = false;
  }

  /** @internal Whether a layer could not be read. */
  get hasTrouble(): boolean {
    return this.troubleKind !== LAYER_NONE;
  }

  /** @internal First byte after the last layer. */
  get coveredTo(): number {
    const last = this.count - 1;
    return last < 0 ? 0 : this.offsets[last] + this.lengths[last];
  }

  /** @internal Records an IP header. */
  beginIp(offset: number, trafficClass: number): void {
    this.innerIpOffset = offset;
    if (!this.isIpInIp) {
      this.carrierIpOffset = offset;
      this.carrierTrafficClass = trafficClass;
    }
    this.isIpInIp = false;
  }

  /** @internal Sets the next step, within bytes that end at `limit`. */
  next(step: number, offset: number, limit: number, number = 0): void {
    this.step = step;
    this.stepOffset = offset;
    this.stepLimit = limit;
    this.stepNumber = number;
    if (this.#limitCount === this.#limits.length) this.#growLimits();
    this.#limits[this.#limitCount++] = limit;
  }

  /** @internal Records where the network layer begins. */
  beginNetwork(etherType: number, offset: number, limit: number): void {
    if (this.resolved) return;
    this.networkType = etherType;
    this.networkOffset = offset;
    this.networkLimit = limit;
  }

  /** @internal Skips a header between link and network layer that an endpoint does not remove. */
  passShim(): void {
    if (!this.readsInside) this.resolve(CLASS_OTHER, WHY_NONE);
  }

  /**
   * @internal Enters a packet inside the current one.
   *
   * @param kind LAYER_* of the header that carries it.
   * @returns false if it is nested too deep: then it remains payload.
   */
  enter(kind: number): boolean {
    if (this.innerCount === INNER_PACKETS_MAX) return false;
    this.innerCount++;
    if (!this.readsInside) {
      this.resolve(CLASS_OTHER, WHY_NONE);
      return true;
    }
    this.tunnelKind = kind;
    if (this.ipVersion !== 0) this.#carryEcn();
    this.#beginPacket();
    return true;
  }

  /**
   * @internal Enters a mirrored frame. The outer ECN field belongs to the copy, and the copy may be truncated.
   *
   * @returns the limit of the frame; 0 if it is nested too deep.
   */
  enterMirrored(kind: number, offset: number, limit: number): number {
    if (!this.enter(kind)) return 0;
    this.#carriedEcn = NO_ECN;
    this.isEcnDropped = false;
    if (limit < this.capturedEnd) this.capturedEnd = limit;
    return offset + MIRRORED_BYTES_MAX;
  }

  #carryEcn(): void {
    if (this.outerIpVersion === 0) {
      this.outerIpVersion = this.ipVersion;
      this.outerIpOffset = this.ipOffset;
    }
    this.#carriedEcn = this.effectiveEcn;
  }

  /** @internal Applies RFC 6040, once the IP header of a packet is known. */
  checkEcn(): void {
    const outer = this.#carriedEcn;
    if (outer !== NO_ECN && decapsulateEcn(this.trafficClass & 3, outer).ecn === 'drop') this.isEcnDropped = true;
  }

  /** @internal Records a part that is not read, and adds its bytes as payload. */
  leave(unreadKind: number, unreadNumber: number, offset: number, limit: number): void {
    this.note(unreadKind, unreadNumber);
    this.add(LAYER_PAYLOAD, offset, (limit < this.capturedEnd ? limit : this.capturedEnd) - offset);
  }

  /** @internal Records a part that is not read. */
  note(unreadKind: number, unreadNumber: number): void {
    this.unreadKind = unreadKind;
    this.unreadNumber = unreadNumber;
  }

  /** @internal Adds a layer, unless it has no bytes. */
  add(kind: number, offset: number, length: number): void {
    if (length <= 0) return;
    if (this.count === this.kinds.length) this.grow();
    const index = this.count++;
    this.kinds[index] = kind;
    this.offsets[index] = offset;
    this.lengths[index] = length;
  }

  /** @internal Sets the class, unless it is already known. */
  resolve(classCode: number, why: number): void {
    if (this.resolved) return;
    this.resolved = true;
    this.classCode = classCode;
    this.why = why;
  }

  /**
   * @internal Whether a layer is incomplete; if so, records trouble and sets the class.
   *
   * @param endOffset first byte after what the layer needs.
   * @param limitOffset end of the enclosing layer; the capture may end before it.
   */
  lacks(kind: number, offset: number, endOffset: number, limitOffset: number, why: number): boolean {
    if (endOffset <= this.capturedEnd && endOffset <= limitOffset) return false;
    const isCut = endOffset <= limitOffset;
    this.fail(kind, offset, endOffset - offset, (isCut ? this.capturedEnd : limitOffset) - offset, why, isCut);
    return true;
  }

  /** @internal Records trouble; only the first one counts. */
  fail(kind: number, offset: number, required: number, actual: number, why: number, isCut = false): void {
    if (why !== WHY_NONE) this.resolve(isCut ? CLASS_CUT : CLASS_MALFORMED, why);
    if (this.troubleKind !== LAYER_NONE) return;
    this.troubleKind = kind;
    this.troubleOffset = offset;
    this.troubleRequired = required;
    this.troubleActual = actual > 0 ? actual : 0;
    this.troubleWhy = why;
    this.troubleIsCut = isCut;
  }

  /** @internal Adds the captured payload of a header up to `endOffset`; a truncated payload is trouble. */
  addRest(kind: number, offset: number, endOffset: number): void {
    const captured = this.capturedEnd;
    if (endOffset <= captured) {
      this.add(kind, offset, endOffset - offset);
      return;
    }
    this.add(kind, offset, captured - offset);
    this.fail(kind, offset, endOffset - offset, captured - offset, WHY_NONE, true);
  }

  /** @internal Adds all bytes after the last layer: the trailers of each packet, or bytes that could not be decoded. */
  finish(): void {
    if (this.troubleKind === LAYER_NONE) {
      for (let index = this.#limitCount - 1; index >= 0; index--) this.#addUpTo(LAYER_TRAILER, this.#limits[index]);
      this.capturedEnd = this.bytes.length;
      this.#addUpTo(LAYER_TRAILER, this.capturedEnd);
    } else {
      this.capturedEnd = this.bytes.length;
      this.#addUpTo(LAYER_UNDECODED, this.capturedEnd);
    }
    this.resolve(CLASS_OTHER, WHY_NONE);
  }

  #addUpTo(kind: number, limit: number): void {
    const { coveredTo } = this;
    this.add(kind, coveredTo, (limit < this.capturedEnd ? limit : this.capturedEnd) - coveredTo);
  }

  #growLimits(): void {
    const limits = new Float64Array(this.#limits.length * 2);
    limits.set(this.#limits);
    this.#limits = limits;
  }

  private grow(): void {
    const { kinds, offsets, lengths } = this;
    this.kinds = new Uint8Array(kinds.length * 2);
    this.offsets = new Uint32Array(kinds.length * 2);
    this.lengths = new Uint32Array(kinds.length * 2);
    this.kinds.set(kinds);
    this.offsets.set(offsets);
    this.lengths.set(lengths);
  }
}
