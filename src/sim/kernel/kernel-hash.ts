/**
 * A fingerprint of a run's counters, flow by flow and port by port. The C library's `roce_sim_hash` returns the same for the
 * same plan.
 *
 * Two lanes of 32 bits with the steps of `engine.stateHash()`. Words: of each flow its fields FLOW_FIELDS, of each port PORT_FIELDS, then the
 * totals; doubles with the low half first.
 */
import { SIM_FLOW, SIM_PORT } from '../../abi/records/network.js';
import { SIM_TOTAL } from '../../abi/records/sim-run.js';
import { SIM_FLOWS, SIM_PORTS, SIM_TOTALS } from '../../abi/sim-codes.js';
import { HashLanes } from '../../engine/state-hash.js';
import type { NetworkPlan } from '../plan.js';
import type { SimAbi } from './sim-abi.js';

/** Hashed fields of a flow and of a port, each f64 unless it has 4 bytes. */
export const FLOW_FIELDS = [
  [SIM_FLOW.at.flags, 4],
  [SIM_FLOW.at.finishPs, 8],
  [SIM_FLOW.at.delivered, 8],
  [SIM_FLOW.at.retransmitted, 8],
  [SIM_FLOW.at.timeouts, 8],
  [SIM_FLOW.at.cnps, 4],
  [SIM_FLOW.at.fastCnps, 4],
] as const;
export const PORT_FIELDS = [
  [SIM_PORT.at.txPackets, 8],
  [SIM_PORT.at.txBytes, 8],
  [SIM_PORT.at.marks, 8],
  [SIM_PORT.at.drops, 8],
] as const;

/** The fingerprint, 16 hexadecimal digits. @param flowCount default: all flows that have records. */
export function hashKernel(abi: SimAbi, plan: NetworkPlan,
  flowCount: number = plan.messageRecords ?? plan.flows.length): string {
  const memory = new DataView(abi.memory.buffer);
  const [flows, ports, totals] = [SIM_FLOWS, SIM_PORTS, SIM_TOTALS].map((region) => abi.simRegion(region) >>> 0) as [
    number,
    number,
    number,
  ];
  const lanes = new HashLanes();
  const mix = (at: number): void => {
    lanes.mix(memory.getUint32(at, true));
  };
  const mixFields = (at: number, fields: readonly (readonly [number, number])[]): void => {
    for (const [offset, bytes] of fields) for (let word = 0; word < bytes; word += 4) mix(at + offset + word);
  };
  for (let flow = 0; flow < flowCount; flow++) mixFields(flows + flow * SIM_FLOW.bytes, FLOW_FIELDS);
  for (let port = 0; port < plan.ports.length; port++) mixFields(ports + port * SIM_PORT.bytes, PORT_FIELDS);
  for (let word = 0; word < SIM_TOTAL.count * 2; word++) mix(totals + word * 4);
  return lanes.digits();
}
