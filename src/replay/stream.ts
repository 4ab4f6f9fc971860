/** RoCEv2 frames from one address to a QPN at another, and the streams between two addresses. */
import { formatIpv6Address } from '../wire/ip/ip-address.js';
import { type StreamView, StreamMarks } from './stream-marks.js';
import type { PeerEvidence } from './peer-evidence.js';
import type { PsnSummary } from './psn/psn.js';
import type { StreamPsns } from './psn/stream-psns.js';
import type { StreamSummary } from './report.js';

const IPV4_BYTES = 4;
const IPV6_BYTES = 16;

type Mutable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };

/** Counters of a stream. */
type StreamCounts = Mutable<
  Pick<StreamSummary, 'destQpn' | 'frames' | 'bytes' | 'dataFrames' | 'markedFrames' | 'cnps' | 'fastCnps'>
>;

const NO_STREAMS: readonly Stream[] = [];
const NO_PSNS: PsnSummary = { packets: 0, gaps: 0, missing: 0, recovered: 0, repeated: 0 };

export class Stream {
  readonly counts: StreamCounts;
  /** Index of the stream, in order of appearance. */
  readonly index: number;
  /** Source and destination address as in the IP header. */
  readonly addresses: Uint8Array;
  readonly direction: Direction;
  /** Next stream in the same hash bucket. */
  readonly next: Stream | undefined;
  readonly marks = new StreamMarks();
  /** PSNs; undefined until a packet of a connection is seen. */
  psns: StreamPsns | undefined;
  /** Evidence for the peer; undefined until a packet concerns the opposite direction. */
  evidence: PeerEvidence<Stream> | undefined;

  constructor(index: number, addresses: Uint8Array, destQpn: number, direction: Direction, next: Stream | undefined) {
    this.index = index;
    this.addresses = addresses;
    this.direction = direction;
    this.next = next;
    this.counts = { destQpn, frames: 0, bytes: 0, dataFrames: 0, markedFrames: 0, cnps: 0, fastCnps: 0 };
  }

  /** Streams of the opposite direction. */
  get opposite(): readonly Stream[] {
    return this.direction.reverse?.streams ?? NO_STREAMS;
  }

  /** IP address of the sender, in canonical form. */
  get source(): string {
    return formatAddress(this.addresses, 0);
  }

  /** IP address of the receiver, in canonical form. */
  get destination(): string {
    return formatAddress(this.addresses, this.addresses.length / 2);
  }
}

/** All streams from one address to another. */
class Direction {
  readonly streams: Stream[] = [];
  /** Number of the address pair, the same for either direction. */
  readonly hosts: number;
  /** Direction from the second address to the first; undefined until one of its frames is seen. */
  reverse: Direction | undefined;

  constructor(hosts: number, reverse: Direction | undefined) {
    this.hosts = hosts;
    this.reverse = reverse;
    if (reverse !== undefined) reverse.reverse = this;
  }
}

/** Finds directions by their addresses. */
export class Directions {
  readonly #byName = new Map<string, Direction>();

  /** Slow, because it formats the addresses; called for new streams only. */
  of(addresses: Uint8Array): Direction {
    const half = addresses.length / 2;
    const [source, destination] = [formatAddress(addresses, 0), formatAddress(addresses, half)];
    const known = this.#byName.get(`${source} ${destination}`);
    if (known !== undefined) return known;
    const reverse = this.#byName.get(`${destination} ${source}`);
    const direction = new Direction(reverse?.hosts ?? this.#byName.size, reverse);
    // A host may send to itself.
    if (source === destination) direction.reverse = direction;
    this.#byName.set(`${source} ${destination}`, direction);
    return direction;
  }

  /** The direction between two addresses in canonical form. */
  find(source: string, destination: string): Direction | undefined {
    return this.#byName.get(`${source} ${destination}`);
  }
}

/** Formats the IP address at `offset` in an IPv4 pair of 8 bytes or an IPv6 pair of 32. */
function formatAddress(addresses: Uint8Array, offset: number): string {
  if (addresses.length === 2 * IPV6_BYTES) return formatIpv6Address(addresses, offset);
  return addresses.subarray(offset, offset + IPV4_BYTES).join('.');
}

/** The report's entry for a stream. */
export function summaryOf(stream: Stream): StreamSummary {
  const { source, destination, counts, marks, psns } = stream;
  const requests = psns?.requests.counts.summary ?? NO_PSNS;
  const responses = psns?.responses.counts.summary ?? NO_PSNS;
  return {
    source,
    destination,
    ...counts,
    psnGaps: requests.gaps + responses.gaps,
    psnsMissing: requests.missing + responses.missing,
    psnsRepeated: requests.repeated + responses.repeated,
    psnsRecovered: requests.recovered + responses.recovered,
    requests,
    responses,
    marks: marks.summaries,
  };
}

/** The properties of a stream that findings are based on. */
export function streamView({ counts, marks, direction, psns }: Stream): StreamView {
  return {
    destQpn: counts.destQpn,
    marks: marks.summaries,
    hosts: direction.hosts,
    isAlone: direction.reverse === undefined && psns?.expectsOpposite === true,
  };
}
