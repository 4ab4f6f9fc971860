/** Writes a record for each flow whose transport is not plain go-back-N, and rings of the packets that it tracks. */
import * as layout from '../../abi/sim-layout.js';
import { SIM_FLOWS, SIM_FLOW_LOSSES, SIM_TRANSPORTS } from '../../abi/sim-regions.js';
import { streamSizes } from '../connections-plan.js';
import type { NetworkPlan } from '../plan.js';
import type { LossReaction, Transport } from '../scenario/spec.js';
import { recordBytes, ringsOf, type Rings } from '../transport-rings.js';
import { isPlainTransport } from '../plain-transport.js';
import type { TransportKind, TransportsPlan } from '../transports-plan.js';
import type { SimAbi } from './sim-abi.js';

const REACTIONS: Readonly<Record<LossReaction, number>> = {
  algorithm: layout.LOSS_REACTION_ALGORITHM,
  none: layout.LOSS_REACTION_NONE,
  cnp: layout.LOSS_REACTION_CNP,
};
const FLAGS: Readonly<Record<Transport, number>> = {
  'go-back-n': 0,
  'selective-repeat': layout.FLOW_SELECTIVE,
  irn: layout.FLOW_SELECTIVE | layout.FLOW_IRN,
  tolerant: layout.FLOW_SELECTIVE | layout.FLOW_TOLERANT,
};
const BITS_PER_BYTE = 8;
/** First byte, or packet; and a map. */
const IRN_SACK_BYTES = 8;
const TOLERANT_SACK_BYTES = 16;

/** Payload of full packets, by host. */
export function mtuOfHosts({ nodes, rules }: NetworkPlan): (host: number) => number {
  return (host) => nodes[host]?.mtuBytes ?? rules.mtuBytes;
}

export function transportRules({ transports }: NetworkPlan): readonly (readonly [number, number])[] {
  const has = (name: Transport): boolean => transports?.kinds.some(({ transport }) => transport === name) === true;
  return [[layout.RULE_SACKS, has('tolerant') ? TOLERANT_SACK_BYTES : has('irn') ? IRN_SACK_BYTES : 0]];
}

/** Number of flows that have an event for losses by time. */
export function lossChecks({ transports, flows }: NetworkPlan): number {
  return (transports?.tolerant?.lossTimePs ?? null) === null ? 0 : flows.length;
}

export function writeTransports(abi: SimAbi, plan: NetworkPlan): void {
  const { transports, flows } = plan;
  if (transports === undefined) return;
  const view = new DataView(abi.memory.buffer);
  const mtuBytes = mtuOfHosts(plan);
  const sizes = streamSizes(flows, plan.connections, mtuBytes);
  let at = abi.simRegion(SIM_TRANSPORTS) >>> 0;
  for (let flow = 0; flow < flows.length; flow++) {
    const kind = transports.kinds[transports.kindOf[flow]];
    if (isPlainTransport(kind)) continue;
    const rings = ringsOf(kind, transports, sizes[flow], mtuBytes(flows.source[flow]));
    writeRecord(view, at, kind, transports, rings);
    writeFlow(view, abi, flow, kind, transports);
    view.setUint32((abi.simRegion(SIM_FLOW_LOSSES) >>> 0) + flow * layout.FLOW_LOSSES_BYTES +
      layout.LOSSES_TRANSPORT, at, true);
    at += recordBytes(rings);
  }
}

/** The settings of a flow that is added, whose record and rings are those that were reserved. */
export function writeAddedTransport(abi: SimAbi, plan: NetworkPlan, flow: number): void {
  const { transports } = plan;
  if (transports === undefined) return;
  const kind = transports.kinds[transports.kindOf[flow]];
  if (!isPlainTransport(kind)) writeFlow(new DataView(abi.memory.buffer), abi, flow, kind, transports);
}

function writeRecord(view: DataView, at: number, kind: TransportKind, { irn, tolerant }: TransportsPlan,
  { kept, sacked, times }: Rings): void {
  const ring = at + layout.TRANSPORT_BYTES;
  const words: readonly (readonly [number, number])[] = [
    [layout.TRANSPORT_WINDOW, kind.windowPackets],
    [layout.TRANSPORT_KEPT_RING, ring],
    [layout.TRANSPORT_KEPT_MASK, Math.max(0, kept - 1)],
    [layout.TRANSPORT_SACKED_RING, ring + kept / BITS_PER_BYTE],
    [layout.TRANSPORT_SACKED_MASK, Math.max(0, sacked - 1)],
    [layout.TRANSPORT_FEW, irn.fewPackets],
    [layout.TRANSPORT_RETRY_LIMIT, kind.retryCount ?? layout.SIM_NONE],
    [layout.TRANSPORT_LOSS_REACTION, REACTIONS[kind.lossReaction]],
    [layout.TRANSPORT_DISTANCE, tolerant?.distancePackets ?? layout.SIM_NONE],
    [layout.TRANSPORT_PASSED_RING, times === 0 ? 0 : ring + (kept + sacked) / BITS_PER_BYTE],
  ];
  for (const [offset, value] of words) view.setUint32(at + offset, value, true);
  view.setFloat64(at + layout.TRANSPORT_CAP, irn.capBytes, true);
  view.setFloat64(at + layout.TRANSPORT_LOSS_TIME, tolerant?.lossTimePs ?? 0, true);
}

/** IRN has its own timeouts, whatever its host has. */
function writeFlow(view: DataView, abi: SimAbi, flow: number, { transport }: TransportKind,
  { irn }: TransportsPlan): void {
  const at = (abi.simRegion(SIM_FLOWS) >>> 0) + flow * layout.FLOW_BYTES;
  const isIrn = transport === 'irn';
  view.setUint32(at + layout.FLOW_FLAGS, layout.FLOW_OWN_TRANSPORT | FLAGS[transport], true);
  if (!isIrn) return;
  view.setFloat64(at + layout.FLOW_TIMEOUT, irn.timeoutLowPs, true);
  view.setFloat64(at + layout.FLOW_PATH_TIMEOUT, irn.timeoutHighPs, true);
  view.setUint32(at + layout.FLOW_TIMEOUT_STATE, layout.TIMEOUT_IDLE, true);
}
