/** Memory of transports in the kernel: one record per flow, and rings for the packets that it tracks. */
import { BITS_PER_BYTE } from '../../../unit-sizes.js';
import type { FlowPlans } from '../../flow-plans.js';
import { isPlainTransport, type TransportKind, type TransportsPlan } from './plan.js';
import { FLOW_TRANSPORT } from '../../../abi/records/transports.js';

const TIME_BYTES = 8;
const ORDER_BYTES = 4;
const ENTROPY_BYTES = 2;
/** Records and rings begin on multiples of 8 bytes. */
const LEAST_BITS = 64;

/** Sizes of a flow's rings, in packets; 0: no ring. */
export interface Rings {
  readonly kept: number;
  readonly sacked: number;
  /** `mrc`: packets to be retransmitted, the size of `sacked`. */
  readonly lost: number;
  /** `mrc` with window probes: packets that request a SACK, the size of `sacked`; 0: none. */
  readonly asking: number;
  /** Times, one per entry of `sacked`; 0: none. */
  readonly times: number;
  /** `mrc` with loss detection by distance: packet numbers, one per entry of `sacked`; 0: none. */
  readonly orders: number;
  /** `mrc`: entropies, one per entry of `sacked`; 0: none. */
  readonly entropies: number;
}

/** Bytes of a flow's record and rings. */
export function recordBytes({ kept, sacked, lost, asking, times, orders, entropies }: Rings): number {
  return FLOW_TRANSPORT.bytes + (kept + sacked + lost + asking) / BITS_PER_BYTE + times * TIME_BYTES +
    orders * ORDER_BYTES + entropies * ENTROPY_BYTES;
}

/** Bytes of all records and rings. @param sizes bytes of sequence space of each flow's QP. */
export function transportBytes(transports: TransportsPlan | undefined, flows: FlowPlans, sizes: Float64Array,
  mtuBytes: (host: number) => number): number {
  if (transports === undefined) return 0;
  let bytes = 0;
  for (let flow = 0; flow < flows.length; flow++) {
    const kind = transports.kinds[transports.kindOf[flow]];
    if (isPlainTransport(kind)) continue;
    bytes += recordBytes(ringsOf(kind, transports, sizes[flow], mtuBytes(flows.source[flow])));
  }
  return bytes;
}

const NO_RINGS: Rings = { kept: 0, sacked: 0, lost: 0, asking: 0, times: 0, orders: 0, entropies: 0 };

/** The ring sizes of a flow, limited by the number of its packets. */
export function ringsOf({ transport, windowPackets, notesEntropies }: TransportKind,
  { irn, tolerant, mrc }: TransportsPlan, sizeBytes: number, mtuBytes: number): Rings {
  if (transport === 'go-back-n') return NO_RINGS;
  const packets = Math.ceil(sizeBytes / mtuBytes);
  const kept = bitsFor(Math.min(windowPackets, packets));
  if (transport === 'selective-repeat') return { ...NO_RINGS, kept };
  if (transport === 'mrc') {
    const asking = mrc?.windowProbeBytes === undefined ? 0 : kept;
    const orders = mrc?.reorderPackets === undefined ? 0 : kept;
    const entropies = notesEntropies === true ? kept : 0;
    return { kept, sacked: kept, lost: kept, asking, times: kept, orders, entropies };
  }
  if (transport === 'tolerant')
    return { ...NO_RINGS, kept, sacked: kept, times: (tolerant?.lossTimePs ?? null) === null ? 0 : kept };
  return { ...NO_RINGS, kept, sacked: bitsFor(Math.min(Math.ceil(irn.capBytes / mtuBytes), packets)) };
}

/** Rounds up to a power of two, so that a mask maps a packet to its entry. */
function bitsFor(packets: number): number {
  let bits = LEAST_BITS;
  while (bits <= packets) bits *= 2;
  return bits;
}
