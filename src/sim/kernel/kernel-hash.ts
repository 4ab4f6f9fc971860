/**
 * A fingerprint of what a run has counted, flow by flow and port by port: the C library's `roce_sim_hash` has the same of the same plan.
 *
 * Two lanes of 32 bits with the steps of `engine.stateHash()`. Words: of each flow its fields FLOW_FIELDS, of each port PORT_FIELDS, then the
 * totals; doubles with the low half first.
 */
import * as sim from '../../abi/sim-layout.js';
import { SIM_FLOWS, SIM_PORTS, SIM_TOTALS } from '../../abi/sim-regions.js';
import type { NetworkPlan } from '../plan.js';
import type { SimAbi } from './sim-abi.js';

/** Fields of a flow and of a port, f64 each unless they are of 4 bytes. */
export const FLOW_FIELDS = [
  [sim.FLOW_FLAGS, 4],
  [sim.FLOW_FINISH, 8],
  [sim.FLOW_DELIVERED, 8],
  [sim.FLOW_RETRANSMITTED, 8],
  [sim.FLOW_TIMEOUTS, 8],
  [sim.FLOW_CNPS, 4],
  [sim.FLOW_FAST_CNPS, 4],
] as const;
export const PORT_FIELDS = [[sim.PORT_TX_PACKETS, 8], [sim.PORT_TX_BYTES, 8], [sim.PORT_MARKS, 8], [
  sim.PORT_DROPS,
  8,
]] as const;

/** 16 hexadecimal digits. @param flowCount default: all that have records. */
export function hashKernel(abi: SimAbi, plan: NetworkPlan,
  flowCount: number = plan.messageRecords ?? plan.flows.length): string {
  const memory = new DataView(abi.memory.buffer);
  const [flows, ports, totals] = [SIM_FLOWS, SIM_PORTS, SIM_TOTALS].map((region) => abi.simRegion(region) >>> 0) as [
    number,
    number,
    number,
  ];
  let a = 0x2545f491;
  let b = 0x51ed270b;
  const mix = (at: number): void => {
    const word = memory.getUint32(at, true);
    a = Math.imul(rotate(a ^ Math.imul(word, 0xcc9e2d51), 13), 5) + 0x1b873593;
    b = Math.imul(rotate(b ^ Math.imul(word, 0x85ebca6b), 17), 9) + 0x38b34ae5;
  };
  const mixFields = (at: number, fields: readonly (readonly [number, number])[]): void => {
    for (const [offset, bytes] of fields) for (let word = 0; word < bytes; word += 4) mix(at + offset + word);
  };
  for (let flow = 0; flow < flowCount; flow++) mixFields(flows + flow * sim.FLOW_BYTES, FLOW_FIELDS);
  for (let port = 0; port < plan.ports.length; port++) mixFields(ports + port * sim.PORT_BYTES, PORT_FIELDS);
  for (let word = 0; word < sim.TOTAL_COUNT * 2; word++) mix(totals + word * 4);
  return hex(finish(a)) + hex(finish(b));
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function finish(word: number): number {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
