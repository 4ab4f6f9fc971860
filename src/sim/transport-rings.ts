/** Memory of transports in the kernel: a record per flow, and rings of the packets that it tracks. */
import { TRANSPORT_BYTES } from '../abi/sim-layout.js';
import type { FlowPlans } from './flow-plans.js';
import { isPlainTransport } from './plain-transport.js';
import type { TransportKind, TransportsPlan } from './transports-plan.js';

const BITS_PER_BYTE = 8;
/** Records and rings begin on multiples of 8 bytes. */
const LEAST_BITS = 64;

/** Bits of a flow's rings; 0: it has none. */
export interface Rings {
  readonly kept: number;
  readonly sacked: number;
}

/** Bytes of all records and rings. @param sizes sequence numbers of each flow's QP. */
export function transportBytes(transports: TransportsPlan | undefined, flows: FlowPlans, sizes: Float64Array,
  mtuBytes: (host: number) => number): number {
  if (transports === undefined) return 0;
  let bytes = 0;
  for (let flow = 0; flow < flows.length; flow++) {
    const kind = transports.kinds[transports.kindOf[flow]];
    if (isPlainTransport(kind)) continue;
    const { kept, sacked } = ringsOf(kind, transports, sizes[flow], mtuBytes(flows.source[flow]));
    bytes += TRANSPORT_BYTES + (kept + sacked) / BITS_PER_BYTE;
  }
  return bytes;
}

/** No ring is longer than its flow. */
export function ringsOf({ transport, windowPackets }: TransportKind, { irn }: TransportsPlan, sizeBytes: number,
  mtuBytes: number): Rings {
  if (transport === 'go-back-n') return { kept: 0, sacked: 0 };
  const packets = Math.ceil(sizeBytes / mtuBytes);
  const kept = bitsFor(Math.min(windowPackets, packets));
  if (transport !== 'irn') return { kept, sacked: 0 };
  return { kept, sacked: bitsFor(Math.min(Math.ceil(irn.capBytes / mtuBytes), packets)) };
}

/** A power of two, so that a mask finds a packet's place. */
function bitsFor(packets: number): number {
  let bits = LEAST_BITS;
  while (bits <= packets) bits *= 2;
  return bits;
}
