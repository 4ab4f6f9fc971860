/** Writes PFC's hazards into the kernel's memory. */
import * as layout from '../../abi/hazard-layout.js';
import { SIM_HAZARD_NETWORK, SIM_HAZARD_NODES, SIM_HAZARD_PORTS, SIM_HAZARD_STORMS } from '../../abi/sim-regions.js';
import type { BitErrorPlan, ReceiverPlan, StormPlan, WatchdogPlan } from '../hazard-plan.js';
import type { NetworkPlan } from '../plan.js';
import type { SimAbi } from './sim-abi.js';

/** After any end of a run. */
const NEVER_PS = Number.MAX_SAFE_INTEGER;

/** Their sizes in the capacity. */
export function hazardCapacity({ hazards }: NetworkPlan): number {
  return hazards === undefined ? 0 : 1 + hazards.storms.length;
}

export function writeHazards(abi: SimAbi, { hazards }: NetworkPlan): void {
  if (hazards === undefined) return;
  const view = new DataView(abi.memory.buffer);
  const at = (region: number): number => abi.simRegion(region) >>> 0;
  const network = at(SIM_HAZARD_NETWORK);
  view.setFloat64(network + layout.HAZARD_CHECK_INTERVAL, hazards.lookPs, true);
  view.setFloat64(network + layout.HAZARD_QUIET, hazards.quietPs, true);
  const ofPort = (port: number): number => at(SIM_HAZARD_PORTS) + port * layout.HAZARD_PORT_BYTES;
  for (const receiver of hazards.receivers) writeReceiver(view, ofPort(receiver.port), receiver);
  for (const errors of hazards.bitErrors) writeBitErrors(view, ofPort(errors.port), errors);
  hazards.storms.forEach((storm, i) => {
    writeStorm(view, at(SIM_HAZARD_STORMS) + i * layout.HAZARD_STORM_BYTES, storm);
  });
  for (const watchdog of hazards.watchdogs)
    writeWatchdog(view, at(SIM_HAZARD_NODES) + watchdog.node * layout.HAZARD_NODE_BYTES, watchdog);
}

function writeReceiver(view: DataView, at: number, receiver: ReceiverPlan): void {
  view.setUint32(at + layout.HAZARD_PORT_CAPACITY, receiver.bufferBytes, true);
  view.setUint32(at + layout.HAZARD_PORT_XOFF, receiver.xoffBytes, true);
  view.setUint32(at + layout.HAZARD_PORT_XON, receiver.xonBytes, true);
  view.setUint32(at + layout.HAZARD_PORT_PAUSES, Number(receiver.pfc), true);
  view.setFloat64(at + layout.HAZARD_PORT_RATE, receiver.rateBps, true);
}

function writeBitErrors(view: DataView, at: number, { perBit, perFrame }: BitErrorPlan): void {
  view.setFloat64(at + layout.HAZARD_PORT_BIT_ERRORS, perBit, true);
  view.setFloat64(at + layout.HAZARD_PORT_FRAME_ERRORS, perFrame, true);
}

function writeStorm(view: DataView, at: number, { port, classes, fromPs, untilPs, everyPs }: StormPlan): void {
  view.setUint32(at, port, true);
  view.setUint32(at + 4, classes, true);
  view.setFloat64(at + 8, fromPs, true);
  view.setFloat64(at + 16, untilPs ?? NEVER_PS, true);
  view.setFloat64(at + 24, everyPs, true);
}

function writeWatchdog(view: DataView, at: number, watchdog: WatchdogPlan): void {
  view.setFloat64(at + layout.HAZARD_NODE_DETECTION, watchdog.detectionPs, true);
  view.setFloat64(at + layout.HAZARD_NODE_RESTORATION, watchdog.restorationPs, true);
  view.setFloat64(at + layout.HAZARD_NODE_POLL, watchdog.pollPs, true);
  view.setUint32(at + layout.HAZARD_NODE_DROPS, Number(watchdog.action === 'drop'), true);
}
