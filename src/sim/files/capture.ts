/**
 * A pcap file of the packets that left a port, as real packets: Ethernet, IPv6, UDP 4791, BTH, ICRC (capture-frames.ts), readable
 * by any tool that supports RoCEv2.
 *
 * Time      starts at 1970-01-01 00:00 UTC = start of the run; nanoseconds, picoseconds are truncated.
 * Length    as simulated, without the frame check sequence, which captures omit, but with the padding to 4 bytes,
 *           which the simulator doesn't count. Payload is zeros. Under `reference` headers are still RoCEv2's,
 *           so lengths differ from the simulated ones (`PortCapture.notes` says so).
 * Cut       with `snapLengthBytes` frames are truncated to that many bytes; their full length stays in the file. Checking
 *           the ICRC requires whole frames.
 */
import { checkFrame, ChunkSink } from '../../capture/record-encoder.js';
import { PcapEncoder } from '../../capture/pcap-writer.js';
import { DEFAULT_CHUNK_BYTES, DEFAULT_PCAP_SNAP_LENGTH_BYTES, resolveCommon,
  resolvePcap } from '../../capture/write-options.js';
import { checkField, checkRecord, wholeIn } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { noteMaker, type NoteOf } from '../../note-record.js';
import { macOfPort } from '../../switching/network-addresses.js';
import { PS_PER_SECOND } from '../../units.js';
import { Ethernet } from '../../wire/link/ethernet.js';
import type { PacketRecord } from '../result.js';
import type { Fidelity } from '../scenario/spec.js';
import type { CaptureContext } from './capture-frames.js';
import { FrameTemplates } from './capture-templates.js';

export type { CaptureContext } from './capture-frames.js';

export interface PortCaptureOptions {
  /** Bytes of each frame that are stored, at least 60. Default: all. */
  readonly snapLengthBytes?: number;
}

/** Ethernet's minimum without the frame check sequence: the length of a pause frame, the shortest one. */
const LEAST_FRAME_BYTES = 60;
const ETHERTYPE_IPV4 = 0x0800;
const ETHERTYPE_IPV6 = 0x86dd;
const VERSION_SHIFT = 4;

/**
 * Makes a capture of packet records as they arrive.
 *
 * @example
 * const capture = new PortCapture(plan);
 * for (const record of records) capture.add(record);
 * writeFileSync('s0-h4.pcap', capture.finish());
 */
export class PortCapture {
  /** Where the file differs from the simulation. */
  readonly notes: readonly CaptureNote[];
  readonly #context: CaptureContext;
  readonly #templates: FrameTemplates;
  readonly #snapLengthBytes: number;
  readonly #sink = new ChunkSink(DEFAULT_CHUNK_BYTES);
  readonly #encoder: PcapEncoder;
  #frameCount = 0;
  #lastPs = 0;

  /** @param context the network, such as a `NetworkPlan`. @throws RoceError `invalid-argument` naming the option. */
  constructor(context: CaptureContext, options: PortCaptureOptions = {}) {
    checkRecord(context, 'context');
    checkRecord(options, 'options');
    const { snapLengthBytes = DEFAULT_PCAP_SNAP_LENGTH_BYTES } = options;
    if (
      !Number.isInteger(snapLengthBytes) || snapLengthBytes < LEAST_FRAME_BYTES ||
      snapLengthBytes > DEFAULT_PCAP_SNAP_LENGTH_BYTES
    ) {
      const range = { min: LEAST_FRAME_BYTES, max: DEFAULT_PCAP_SNAP_LENGTH_BYTES, multipleOf: 1 };
      const allowed = { ...range, unit: 'bytes' };
      throw new RoceError('invalid-argument', { got: snapLengthBytes, allowed, where: 'snapLengthBytes' });
    }
    this.#context = context;
    this.#templates = new FrameTemplates(context);
    this.#snapLengthBytes = snapLengthBytes;
    this.notes = notesOn(context, snapLengthBytes);
    const form = { format: 'pcap', resolution: 'ns', snapLengthBytes } as const;
    this.#encoder = new PcapEncoder(this.#sink, resolveCommon(form), resolvePcap(form));
    this.#encoder.begin();
  }

  /** Number of frames so far. */
  get count(): number {
    return this.#frameCount;
  }

  /**
   * Adds a packet. Records, of one port or of several, must be in order of time. ConWeave's replies and credit packets have no
   * published RoCEv2 format and are omitted, which a note states.
   *
   * @throws RoceError `invalid-argument` for a time before the last one, an unknown port or flow, a field out of range.
   */
  add(record: PacketRecord): void {
    checkRecord(record, 'record');
    const { timePs, lenBytes } = record;
    checkField(lenBytes, wholeIn(0, DEFAULT_PCAP_SNAP_LENGTH_BYTES), 'record.lenBytes');
    if (!(Number.isSafeInteger(timePs) && timePs >= this.#lastPs)) {
      const allowed = { min: this.#lastPs, multipleOf: 1, unit: 'ps' };
      throw new RoceError('invalid-argument', {
        what: 'the time of a record',
        got: timePs,
        allowed,
        where: 'record.timePs',
        hint: 'Records must be in order of time',
      });
    }
    this.#lastPs = timePs;
    if (record.kind === 'control' || record.kind === 'credit') return;
    const frame = record.kind === 'discovery' ?
      discoveryFrame(this.#context, record) :
      this.#templates.frameOf(record);
    const epochSeconds = Math.floor(timePs / PS_PER_SECOND);
    const picoseconds = timePs - epochSeconds * PS_PER_SECOND;
    const bytes = frame.subarray(0, this.#snapLengthBytes);
    this.#encoder.addFrame(
      checkFrame({ bytes, originalBytes: frame.length, epochSeconds, picoseconds }, this.#frameCount),
    );
    this.#frameCount++;
  }

  /** The bytes added since the previous call, for writing a long capture piece by piece. */
  drain(): readonly Uint8Array[] {
    return this.#sink.removeFull();
  }

  /** The rest of the file, which is the whole file if `drain` was never called. */
  finish(): Uint8Array {
    const chunks = this.#sink.removeAll();
    const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }
}

/**
 * A discovery request or reply as the frame that left its port.
 * @throws RoceError `invalid-argument` for a port that the network doesn't have, or a record without its packet.
 */
function discoveryFrame({ ports }: CaptureContext, { port, ipPacket }: PacketRecord): Uint8Array {
  const plan = ports[port];
  if (ipPacket === undefined || plan === undefined) {
    const where = plan === undefined ? 'record.port' : 'record.ipPacket';
    throw new RoceError('invalid-argument', {
      got: plan === undefined ? port : ipPacket,
      where,
      allowed: plan === undefined ? { min: 0, max: ports.length - 1, multipleOf: 1 } : 'an IP packet',
    });
  }
  const etherType = ipPacket[0] >> VERSION_SHIFT === 4 ? ETHERTYPE_IPV4 : ETHERTYPE_IPV6;
  const header = Ethernet.write({
    source: macOfPort(port),
    destination: macOfPort(plan.peerPort),
    tags: [],
    etherType,
  });
  const frame = new Uint8Array(Math.max(LEAST_FRAME_BYTES, Ethernet.lenBytes + ipPacket.length));
  frame.set(header);
  frame.set(ipPacket, Ethernet.lenBytes);
  return frame;
}

function notesOn({ fidelity, fastCnp, lossy, receiverCredit }: CaptureContext, snapLengthBytes: number): CaptureNote[] {
  const notes: CaptureNote[] = [];
  if (fidelity !== 'standard') notes.push(captureNote('headers-of-standard', { fidelity }));
  if (lossy?.balancing === 'conweave') notes.push(captureNote('conweave-replies-left-out'));
  if (receiverCredit !== undefined) notes.push(captureNote('credit-packets-left-out'));
  if (snapLengthBytes < DEFAULT_PCAP_SNAP_LENGTH_BYTES)
    notes.push(captureNote('frames-truncated', { snapLengthBytes }));
  if (fastCnp.option === 2) notes.push(captureNote('traces-not-kept'));
  return notes;
}

/** Where frames differ from the simulation. */
const SENTENCES = {
  'headers-of-standard': ({ fidelity }: { readonly fidelity: Fidelity }) =>
    `Headers are those of RoCEv2 over IPv6; fidelity ${fidelity} simulates shorter ones, so lengths here differ from the simulated ones.`,
  'conweave-replies-left-out': () =>
    'Replies of the destination leaf in ConWeave have no published format and are left out.',
  'credit-packets-left-out': () => 'Credit packets have no format in RoCEv2 and are left out.',
  'frames-truncated': ({ snapLengthBytes }: { readonly snapLengthBytes: number }) =>
    `Frames are truncated to ${snapLengthBytes} bytes; ICRCs of longer ones can't be checked.`,
  'traces-not-kept': () => "Traces in Fast CNPs are free space: what switches recorded isn't kept.",
};

/** A note on a capture. */
export type CaptureNote = NoteOf<typeof SENTENCES>;

export const captureNote = noteMaker(SENTENCES);
