/**
 * The reusable batch of raw frames: their bytes are in one arena of linear memory, each with a descriptor. After
 * `engine.applyPackets()`, each also has a record of its type and outcome.
 */
import { ICRC_ABSENT, ICRC_RIGHT, ICRC_WRONG, LINK_ETHERNET, LINK_RAW_IP, NONE } from '../abi/codes.js';
import { tunnelReport, type FrameLocator, type TunnelReport } from '../abi/frame-locator.js';
import { DESCRIPTOR_BYTES, PACKET_BTH_OFFSET, PACKET_BYTES, PACKET_CLASS, PACKET_DEST_QPN, PACKET_FROM_RECEIVER,
  PACKET_ICRC, PACKET_IOAM_BYTES, PACKET_IOAM_OFFSET, PACKET_IP_OFFSET, PACKET_IP_VERSION, PACKET_OPCODE,
  PACKET_ORIGINAL_DESTINATION_OFFSET, PACKET_OUTCOME, PACKET_QP, PACKET_TRAFFIC_CLASS, PACKET_WHY, REGION_DESCRIPTORS,
  REGION_FRAMES, REGION_PACKETS } from '../abi/layout.js';
import { CLASS_NAMES, OUTCOME_NAMES, WHY_NAMES, namesByCode, type ClassName, type OutcomeName,
  type WhyName } from '../abi/names.js';
import { checkEventTime, checkWhole, fullBatch, invalid, noSuch, checkObject } from './engine-errors.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

/** Protocol of a frame's first byte; with a locator, also a link type number, as in captures. */
export type FrameLink = 'ethernet' | 'raw-ip' | number;

/** Type and outcome of a frame. Offsets count from the first byte of `frame(index)`; 0 if absent. */
export interface PacketReport {
  /** Type of the packet. */
  readonly class: ClassName;
  /** What the engine did with it. */
  readonly outcome: OutcomeName;
  /** Why it is malformed, cut or discarded; `none` if it is not. */
  readonly why: WhyName;
  /** Version of the packet's IP header; undefined if none was found. */
  readonly ipVersion: 4 | 6 | undefined;
  /** DSCP of that IP header, 0 to 63. */
  readonly dscp: number;
  /**
   * ECN field of that IP header, 0 to 3; 3 is CE. In a tunnel, the value after decapsulation (RFC 6040, section 4.2).
   */
  readonly ecn: number;
  /** Opcode of the BTH, 0 to 255. */
  readonly opcode: number;
  /**
   * Destination queue pair number of the BTH, 24 bits: the receiving QP's, `localQpn` of `openQp`; in a Fast CNP, that
   * of the congested data packet, `peerQpn`.
   */
  readonly destQpn: number;
  /** Result of the ICRC check. */
  readonly icrc: 'right' | 'wrong' | 'absent' | 'not-checked';
  /** Offset of the IP header. */
  readonly ipOffset: number;
  /** Offset of the BTH. */
  readonly bthOffset: number;
  /** Offset of the original destination in the option of a Fast CNP. */
  readonly originalDestinationOffset: number;
  /** Offset of an IOAM trace. */
  readonly ioamOffset: number;
  /** Length of the IOAM trace, bytes; 0 if there is none. */
  readonly ioamBytes: number;
  /** Whether the source of a Fast CNP is the original destination itself. */
  readonly fromReceiver: boolean;
  /** The engine's QP that the frame matched. */
  readonly qp: number | undefined;
}

/** LINKTYPE_* numbers, as in captures. */
const LINK_TYPE_ETHERNET = 1;
const LINK_TYPE_RAW = 101;
const CLASSES = namesByCode(CLASS_NAMES);
const OUTCOMES = namesByCode(OUTCOME_NAMES);
const U32_MAX = 2 ** 32 - 1;
const REASONS_BY_CODE = namesByCode(WHY_NAMES);

/** Raw frames to be applied: `engine.packets`. */
export class PacketBatch {
  /** Number of frames that the batch holds between two `applyPackets`. */
  readonly capacity: number;
  /** Number of frame bytes that the batch holds between two `applyPackets`. */
  readonly byteCapacity: number;
  readonly #views: MemoryViews;
  readonly #descriptors: number;
  readonly #frames: number;
  readonly #records: number;
  /** Tunnel of each frame, see `tunnelNumber`. */
  readonly #tunnels: Uint16Array;
  #locator: FrameLocator | undefined;
  #addedTunnels = false;
  #appliedTunnels = false;
  #length = 0;
  #bytes = 0;
  #applied = 0;

  /** @internal Use `engine.packets`. */
  constructor(views: MemoryViews, capacity: number, byteCapacity: number) {
    this.capacity = capacity;
    this.byteCapacity = byteCapacity;
    this.#views = views;
    this.#descriptors = regionAddress(views, REGION_DESCRIPTORS);
    this.#frames = regionAddress(views, REGION_FRAMES);
    this.#records = regionAddress(views, REGION_PACKETS);
    this.#tunnels = new Uint16Array(capacity);
  }

  /**
   * Finds packets in tunnels and after other link headers: `frameLocator()` of roce-cc/packet. Default undefined:
   * frames are parsed as by an endpoint that terminates no tunnel.
   */
  get locator(): FrameLocator | undefined {
    this.#views.use();
    return this.#locator;
  }

  /** Applies to frames added from now on. @throws RoceError `invalid-argument` if it is not a locator. */
  set locator(locator: FrameLocator | undefined) {
    this.#views.use();
    if (locator !== undefined && typeof (locator as FrameLocator | null)?.locate !== 'function') {
      throw invalid('locator', locator, 'a frame locator, such as frameLocator() of roce-cc/packet');
    }
    this.#locator = locator;
  }

  /** Number of frames added since the last `applyPackets`. */
  get length(): number {
    this.#views.use();
    return this.#length;
  }

  /** Number of frames in the last `applyPackets`, whose records `report` reads. */
  get appliedLength(): number {
    this.#views.use();
    return this.#applied;
  }

  /** Whether another frame of this many captured bytes fits. */
  hasRoom(capturedBytes: number): boolean {
    if (typeof capturedBytes !== 'number') throw invalid('capturedBytes', capturedBytes, 'a number of bytes');
    return this.length < this.capacity && this.#bytes + capturedBytes <= this.byteCapacity;
  }

  /**
   * Copies a frame into the batch: `bytes` as captured, `originalBytes` its length on the wire (default: the captured
   * length).
   * @throws RoceError `capacity` when the batch is full, `invalid-argument` naming the argument.
   */
  add(timePs: number, bytes: Uint8Array, originalBytes?: number, link: FrameLink = 'ethernet'): void {
    if (!(bytes instanceof Uint8Array)) throw invalid('bytes', bytes, 'a Uint8Array');
    if (!this.hasRoom(bytes.length)) throw fullBatch('packet', this.capacity);
    const wireBytes = originalBytes ?? bytes.length;
    checkWhole(wireBytes, 0, U32_MAX, 'originalBytes');
    this.#checkLink(link);
    checkEventTime(timePs);
    const offset = this.#bytes;
    // After disposal, the memory cannot be written.
    if (bytes.length > 0) this.#views.u8.set(bytes, this.#frames + offset);
    this.#place(timePs, offset, bytes.length, wireBytes, link);
    this.#bytes += (bytes.length + 7) & ~7;
  }

  /**
   * The arena, for callers that write frames into it directly: write frames anywhere in it, then call `addInPlace`. Its
   * content is kept until overwritten.
   */
  get arena(): Uint8Array {
    return this.#views.u8.subarray(this.#frames, this.#frames + this.byteCapacity);
  }

  /**
   * Adds a frame whose bytes are already in the arena at `offset`. @throws RoceError as `add`, and if it exceeds the
   * arena.
   */
  addInPlace(timePs: number, offset: number, capturedBytes: number, originalBytes: number,
    link: FrameLink = 'ethernet'): void {
    if (this.length === this.capacity) throw fullBatch('packet', this.capacity);
    checkWhole(offset, 0, this.byteCapacity, 'offset');
    checkWhole(capturedBytes, 0, this.byteCapacity - offset, 'capturedBytes');
    checkWhole(originalBytes, 0, U32_MAX, 'originalBytes');
    this.#checkLink(link);
    checkEventTime(timePs);
    this.#place(timePs, offset, capturedBytes, originalBytes, link);
  }

  #checkLink(link: FrameLink): void {
    if (link === 'ethernet' || link === 'raw-ip') return;
    const isLinkType = this.#locator !== undefined && Number.isInteger(link);
    if (!isLinkType) throw invalid('link', link, ['ethernet', 'raw-ip']);
  }

  #place(timePs: number, offset: number, capturedBytes: number, originalBytes: number, link: FrameLink): void {
    const locator = this.#locator;
    if (locator === undefined) {
      this.#tunnels[this.#length] = 0;
      this.#describe(timePs, offset, capturedBytes, originalBytes, link === 'ethernet' ? LINK_ETHERNET : LINK_RAW_IP);
      return;
    }
    const linkType = link === 'ethernet' ? LINK_TYPE_ETHERNET : link === 'raw-ip' ? LINK_TYPE_RAW : link;
    const start = this.#frames + offset;
    const wireBytes = originalBytes < capturedBytes ? capturedBytes : originalBytes;
    locator.locate(this.#views.u8, start, capturedBytes, wireBytes, linkType);
    this.#tunnels[this.#length] = locator.tunnel;
    if (locator.tunnel !== 0) this.#addedTunnels = true;
    this.#describe(timePs, locator.offset - this.#frames, locator.capturedBytes, locator.originalBytes, locator.link);
  }

  #describe(timePs: number, offset: number, capturedBytes: number, originalBytes: number, link: number): void {
    const at = this.#descriptors + this.#length * DESCRIPTOR_BYTES;
    const word = at >>> 2;
    this.#views.f64[at >>> 3] = timePs;
    this.#views.u32[word + 2] = offset;
    this.#views.u32[word + 3] = capturedBytes;
    this.#views.u32[word + 4] = originalBytes;
    this.#views.u32[word + 5] = link;
    this.#length++;
  }

  /** Discards all frames that have not been applied. */
  clear(): void {
    this.#views.use();
    this.#length = 0;
    this.#bytes = 0;
    this.#addedTunnels = false;
  }

  /** @internal Called by the engine after the batch was applied. */
  finish(): void {
    this.#applied = this.#length;
    this.#appliedTunnels = this.#addedTunnels;
    this.clear();
  }

  /**
   * The bytes of an applied frame that the engine read, in the arena until the next `add`; with a locator, from the
   * innermost packet on.
   */
  frame(index: number): Uint8Array {
    this.#requireApplied(index);
    const word = (this.#descriptors + index * DESCRIPTOR_BYTES) >>> 2;
    const offset = this.#frames + (this.#views.u32[word + 2] ?? 0);
    return this.#views.u8.subarray(offset, offset + (this.#views.u32[word + 3] ?? 0));
  }

  /**
   * Class of an applied frame, one of `CLASS_CODES` of `roce-cc/codes`. Unlike `report(index).class`, allocates
   * nothing.
   */
  classCode(index: number): number {
    return this.#byte(index, PACKET_CLASS);
  }

  /** Outcome of an applied frame, one of `OUTCOME_CODES` of `roce-cc/codes`. */
  outcomeCode(index: number): number {
    return this.#byte(index, PACKET_OUTCOME);
  }

  /** QP that an applied frame matched; `NO_QP` of `roce-cc/codes` if none. */
  qpOf(index: number): number {
    return this.#views.u32[(this.#at(index) + PACKET_QP) >>> 2] ?? NONE;
  }

  /** How the engine parsed an applied frame: LINK_* of roce-cc/codes. */
  linkCode(index: number): number {
    this.#requireApplied(index);
    return this.#views.u32[((this.#descriptors + index * DESCRIPTOR_BYTES) >>> 2) + 5] ?? 0;
  }

  /** The tunnel around the packet of an applied frame; undefined without a tunnel or locator. */
  tunnel(index: number): TunnelReport | undefined {
    this.#requireApplied(index);
    return tunnelReport(this.#tunnels[index]);
  }

  /** Whether any packet of the last `applyPackets` was in a tunnel. */
  get hasTunnels(): boolean {
    this.#views.use();
    return this.#appliedTunnels;
  }

  /** Type and outcome of an applied frame. */
  report(index: number): PacketReport {
    const at = this.#at(index);
    const { u8, u16, u32 } = this.#views;
    const half = at >>> 1;
    const word = at >>> 2;
    const trafficClass = u8[at + PACKET_TRAFFIC_CLASS];
    const version = u8[at + PACKET_IP_VERSION];
    const qp = u32[word + (PACKET_QP >>> 2)];
    return {
      class: CLASSES[u8[at + PACKET_CLASS]] ?? 'other',
      outcome: OUTCOMES[u8[at + PACKET_OUTCOME]] ?? 'unknown-kind',
      why: REASONS_BY_CODE[u8[at + PACKET_WHY]] ?? 'none',
      ipVersion: version === 4 || version === 6 ? version : undefined,
      dscp: trafficClass >>> 2,
      ecn: trafficClass & 3,
      opcode: u8[at + PACKET_OPCODE],
      destQpn: u32[word + (PACKET_DEST_QPN >>> 2)],
      icrc: icrcVerdict(u8[at + PACKET_ICRC]),
      ipOffset: u16[half + (PACKET_IP_OFFSET >>> 1)],
      bthOffset: u16[half + (PACKET_BTH_OFFSET >>> 1)],
      originalDestinationOffset: u16[half + (PACKET_ORIGINAL_DESTINATION_OFFSET >>> 1)],
      ioamOffset: u16[half + (PACKET_IOAM_OFFSET >>> 1)],
      ioamBytes: u16[half + (PACKET_IOAM_BYTES >>> 1)],
      fromReceiver: u8[at + PACKET_FROM_RECEIVER] !== 0,
      qp: qp === NONE ? undefined : qp,
    };
  }

  #byte(index: number, field: number): number {
    return this.#views.u8[this.#at(index) + field] ?? 0;
  }

  /** Address of an applied frame's record. */
  #at(index: number): number {
    this.#requireApplied(index);
    return this.#records + index * PACKET_BYTES;
  }

  #requireApplied(index: number): void {
    this.#views.use();
    if (!(Number.isInteger(index) && index >= 0 && index < this.#applied)) throw noSuch('frame', index, this.#applied);
  }
}

function icrcVerdict(code: number): PacketReport['icrc'] {
  if (code === ICRC_RIGHT) return 'right';
  if (code === ICRC_WRONG) return 'wrong';
  return code === ICRC_ABSENT ? 'absent' : 'not-checked';
}

/**
 * Whether a frame that crosses the border of a Fast CNP domain, in either direction, must be dropped: no Fast CNP may
 * enter or leave (Fast CNP draft, section 5). The engine of a border node needs neither endpoints nor QPs.
 *
 * This includes Fast CNPs with a malformed option, since hosts outside may parse it differently.
 *
 * @param report the packet's `PacketBatch.report`, in parse mode `fast-cnp-domain`.
 */
export function isBarredAtBorder(report: Pick<PacketReport, 'class' | 'why'>): boolean {
  checkObject(report, 'report', 'a report of a frame');
  return report.class === 'fast-cnp-1' || report.class === 'fast-cnp-2' || report.why === 'fast-cnp-option';
}
