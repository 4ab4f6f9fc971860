/**
 * Statistics from the frames only, per source, destination and destination QPN: marks, notifications, and missing or
 * repeated packet sequence numbers (PSNs). No flow list is needed.
 *
 * Bounded memory: STREAMS_MAX streams; frames of further streams are only counted.
 */
import { CLASS_CNP, CLASS_DATA, CLASS_FAST_CNP_1, CLASS_FAST_CNP_2 } from '../abi/codes.js';
import type { PacketReport } from '../engine/packet-batch.js';
import { formatIpv6Address } from '../wire/ip/ip-address.js';
import { BthView } from '../wire/roce/bth.js';
import { OPCODE_OPERATION_MASK, OPCODE_TRANSPORT_MASK, OPERATION_READ_REQUEST, OPERATION_READ_RESPONSE_FIRST,
  OPERATION_READ_RESPONSE_ONLY, TRANSPORT_RC, TRANSPORT_UC, TRANSPORT_XRC } from '../wire/roce/opcodes.js';
import type { StreamSummary } from './report.js';

/** Maximum number of streams kept separately. */
const STREAMS_MAX = 10_000;
const ECN_CE = 3;
const IPV4_SOURCE = 12;
const IPV4_BYTES = 4;
const IPV6_SOURCE = 8;
const IPV6_BYTES = 16;
const PSN_MODULUS = 2 ** 24;
const UNKNOWN = -1;
/** Multiplier and start of the 32-bit FNV-1a hash. */
const FNV_PRIME = 0x01000193;
const FNV_START = 0x811c9dc5;

type Mutable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };

interface Stream {
  readonly counts: Mutable<Omit<StreamSummary, 'source' | 'destination'>>;
  /** Source and destination as in the header. */
  readonly addresses: Uint8Array;
  /** Expected next PSN: of requests, and of responses to the peer's reads, which carry the peer's numbers. */
  readonly nextPsn: [number, number];
  /** Next stream with the same hash. */
  readonly next: Stream | undefined;
}

export class StreamTally {
  /** Frames of streams beyond STREAMS_MAX. */
  elsewhere = 0;
  readonly #byHash = new Map<number, Stream>();
  readonly #streams: Stream[] = [];

  /** In order of appearance. */
  get summaries(): StreamSummary[] {
    return this.#streams.map(({ addresses, counts }) => ({
      source: formatAddress(addresses, 0),
      destination: formatAddress(addresses, addresses.length / 2),
      ...counts,
    }));
  }

  /** CE-marked data frames of all streams kept. */
  get markedFrames(): number {
    return this.#streams.reduce((sum, { counts }) => sum + counts.markedFrames, 0);
  }

  /** Counts a RoCEv2 frame of class CLASS_*. */
  count(frame: Uint8Array, report: PacketReport, classCode: number, lenBytes: number): void {
    const stream = this.#streamOf(frame, report);
    if (stream === undefined) {
      this.elsewhere++;
      return;
    }
    const { counts } = stream;
    counts.frames++;
    counts.bytes += lenBytes;
    if (classCode === CLASS_CNP) counts.cnps++;
    else if (classCode === CLASS_FAST_CNP_1 || classCode === CLASS_FAST_CNP_2) counts.fastCnps++;
    else if (classCode === CLASS_DATA) countData(stream, frame, report);
  }

  #streamOf(frame: Uint8Array, { ipVersion, ipOffset, destQpn }: PacketReport): Stream | undefined {
    const from = ipOffset + (ipVersion === 6 ? IPV6_SOURCE : IPV4_SOURCE);
    const to = from + 2 * (ipVersion === 6 ? IPV6_BYTES : IPV4_BYTES);
    let hash = FNV_START ^ destQpn;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (frame[at] ?? 0), FNV_PRIME);
    const first = this.#byHash.get(hash);
    for (let stream = first; stream !== undefined; stream = stream.next) {
      if (stream.counts.destQpn === destQpn && hasAddresses(stream, frame, from, to)) return stream;
    }
    return this.#streams.length === STREAMS_MAX ? undefined : this.#open(hash, frame.slice(from, to), destQpn, first);
  }

  #open(hash: number, addresses: Uint8Array, destQpn: number, next: Stream | undefined): Stream {
    const stream: Stream = {
      addresses,
      counts: {
        destQpn,
        frames: 0,
        bytes: 0,
        dataFrames: 0,
        markedFrames: 0,
        cnps: 0,
        fastCnps: 0,
        psnGaps: 0,
        psnsMissing: 0,
        psnsRepeated: 0,
      },
      nextPsn: [UNKNOWN, UNKNOWN],
      next,
    };
    this.#byHash.set(hash, stream);
    this.#streams.push(stream);
    return stream;
  }
}

function countData(stream: Stream, frame: Uint8Array, { ecn, opcode, bthOffset }: PacketReport): void {
  stream.counts.dataFrames++;
  if (ecn === ECN_CE) stream.counts.markedFrames++;
  const transport = opcode & OPCODE_TRANSPORT_MASK;
  // Datagrams of several senders share a destination QPN, each with a separate sequence.
  if (transport !== TRANSPORT_RC && transport !== TRANSPORT_UC && transport !== TRANSPORT_XRC) return;
  countPsn(stream, opcode & OPCODE_OPERATION_MASK, new BthView(frame, bthOffset).psn);
}

function countPsn(stream: Stream, operation: number, psn: number): void {
  const isResponse = operation >= OPERATION_READ_RESPONSE_FIRST && operation <= OPERATION_READ_RESPONSE_ONLY;
  const space = isResponse ? 1 : 0;
  const expected = stream.nextPsn[space];
  const ahead = expected === UNKNOWN ? 0 : (psn - expected + PSN_MODULUS) % PSN_MODULUS;
  if (ahead >= PSN_MODULUS / 2) {
    stream.counts.psnsRepeated++;
    return;
  }
  if (ahead > 0) {
    stream.counts.psnGaps++;
    stream.counts.psnsMissing += ahead;
  }
  // A read request consumes one PSN per packet of its response, a number that it does not state.
  stream.nextPsn[space] = operation === OPERATION_READ_REQUEST ? UNKNOWN : (psn + 1) % PSN_MODULUS;
}

function hasAddresses({ addresses }: Stream, frame: Uint8Array, from: number, to: number): boolean {
  if (addresses.length !== to - from) return false;
  for (let at = from; at < to; at++) if (frame[at] !== addresses[at - from]) return false;
  return true;
}

function formatAddress(addresses: Uint8Array, offset: number): string {
  if (addresses.length === 2 * IPV6_BYTES) return formatIpv6Address(addresses, offset);
  return addresses.subarray(offset, offset + IPV4_BYTES).join('.');
}
