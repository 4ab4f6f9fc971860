/** A network and packet records for captures: hosts 0 and 1 at switch 2; flow 0 from 0 to 1, of three packets. */
import type { CaptureContext } from '../../src/sim/files/capture.js';
import { FlowPlans } from '../../src/sim/flow-plans.js';
import type { FlowPlan, NetworkPlan, NodePlan, PortPlan } from '../../src/sim/plan.js';
import type { PacketRecord } from '../../src/sim/result.js';

/** Port 0: host 0 to the switch; 1: host 1 to the switch; 2: switch to host 0; 3: switch to host 1. */
const PEERS = [2, 3, 0, 1];
export const FLOW_BYTES = 2 * 1024 + 101;
/** Bytes of a data packet in addition to its payload, of an ACK, a CNP and a Fast CNP, with the check sequence. */
export const HEADER_BYTES = 82;
export const ACK_BYTES = 86;
/** A READ request: its RETH is 16 bytes. */
export const REQUEST_BYTES = 98;
export const CNP_BYTES = 98;
export const FAST_CNP_BYTES = 122;

export function captureContext(changes: Partial<CaptureContext> = {}): CaptureContext {
  const nodes = ['host', 'host', 'switch'].map((kind, index) => ({ name: `n${index}`, kind }) as NodePlan);
  const ports = PEERS.map((peerPort, index) => ({ node: [0, 1, 2, 2][index]!, peerPort, rateBps: 100e9 }) as PortPlan);
  const flow = {
    source: 0,
    destination: 1,
    sizeBytes: FLOW_BYTES,
    udpSourcePort: 10_000,
    udpDestinationPort: 100,
    dataClass: 3,
    ackClass: 3,
  } as FlowPlan;
  const fastCnp = { option: 1 } as NetworkPlan['fastCnp'];
  return {
    fidelity: 'standard',
    nodes,
    ports,
    flows: FlowPlans.of([flow]),
    rules: { mtuBytes: 1024 },
    fastCnp,
    ...changes,
  };
}

export function packet(kind: PacketRecord['kind'], changes: Partial<PacketRecord> = {}): PacketRecord {
  const isPause = kind === 'pause' || kind === 'resume';
  const lengths = {
    data: HEADER_BYTES + 1024,
    ack: ACK_BYTES,
    nak: ACK_BYTES,
    cnp: CNP_BYTES,
    'fast-cnp': FAST_CNP_BYTES,
    pause: 64,
    resume: 64,
    control: 64,
    discovery: 64,
    arn: 64,
    'read-request': REQUEST_BYTES,
    'rnr-nak': ACK_BYTES,
    nack: ACK_BYTES,
    credit: 82,
    probe: 64,
    'endpoint-request': 98,
    'endpoint-response': 118,
  };
  return {
    timePs: 1_234_567,
    port: 3,
    kind,
    flow: isPause ? -1 : 0,
    sequence: 0,
    lenBytes: lengths[kind],
    payloadBytes: kind === 'data' ? 1024 : 0,
    trafficClass: kind.endsWith('cnp') ? 6 : 3,
    marked: false,
    ...changes,
  };
}

/** One of each kind as in a run: three packets of data, a loss, a mark, notifications and a pause. */
export const ONE_OF_EACH: readonly PacketRecord[] = [
  packet('data', { timePs: 1_000_000 }),
  packet('data', { timePs: 2_000_000, sequence: 1024, marked: true }),
  packet('data', { timePs: 3_000_000, sequence: 2048, payloadBytes: 101, lenBytes: HEADER_BYTES + 101 }),
  packet('ack', { timePs: 4_000_000, port: 2, sequence: 1024 }),
  packet('nak', { timePs: 5_000_000, port: 2, sequence: 1024 }),
  packet('ack', { timePs: 6_000_000, port: 2, sequence: FLOW_BYTES }),
  packet('cnp', { timePs: 7_000_000, port: 2 }),
  packet('fast-cnp', { timePs: 8_000_000, port: 2 }),
  packet('pause', { timePs: 9_000_000, port: 2 }),
  packet('resume', { timePs: 1_000_010_000_123, port: 2 }),
];
