/** Writes PFC hazards into the kernel's memory. */
import { writeFields } from '../../../abi/records/fields.js';
import { HAZARD_NETWORK, HAZARD_NODE, HAZARD_PORT, STORM } from '../../../abi/records/hazards.js';
import { SIM_HAZARD_NETWORK, SIM_HAZARD_NODES, SIM_HAZARD_PORTS, SIM_HAZARD_STORMS } from '../../../abi/sim-regions.js';
import { linkEventCount, writeLinkEvents } from './write-link-events.js';
import type { NetworkPlan } from '../../plan.js';
import { recordAt } from '../../kernel/record-at.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import type { SimAbi } from '../../kernel/sim-abi.js';

/** Later than the end of any run. */
const NEVER_PS = Number.MAX_SAFE_INTEGER;

export const HAZARDS_MEMORY: KernelPart = {
  capacity: (plan) => ({
    linkEvents: linkEventCount(plan),
    hazards: plan.hazards === undefined ? 0 : 1 + plan.hazards.storms.length,
  }),
  write: (abi, plan) => {
    writeLinkEvents(abi, plan);
    writeHazards(abi, plan);
  },
};

function writeHazards(abi: SimAbi, { hazards }: NetworkPlan): void {
  if (hazards === undefined) return;
  const view = new DataView(abi.memory.buffer);
  const { lookPs: checkIntervalPs, quietPs } = hazards;
  writeFields(view, recordAt(abi, SIM_HAZARD_NETWORK, HAZARD_NETWORK, 0), HAZARD_NETWORK, { checkIntervalPs, quietPs });
  const ofPort = (port: number): number => recordAt(abi, SIM_HAZARD_PORTS, HAZARD_PORT, port);
  for (const { port, bufferBytes: capacity, xoffBytes: xoff, xonBytes: xon, pfc: pauses, rateBps } of hazards.receivers)
    writeFields(view, ofPort(port), HAZARD_PORT, { capacity, xoff, xon, pauses, rateBps });
  for (const { port, perBit: bitErrors, perFrame: frameErrors } of hazards.bitErrors)
    writeFields(view, ofPort(port), HAZARD_PORT, { bitErrors, frameErrors });
  hazards.storms.forEach((storm, i) => {
    const untilPs = storm.untilPs ?? NEVER_PS;
    writeFields(view, recordAt(abi, SIM_HAZARD_STORMS, STORM, i), STORM, { ...storm, untilPs });
  });
  for (const { node, detectionPs, restorationPs, pollPs, action } of hazards.watchdogs) {
    const drops = action === 'drop';
    const at = recordAt(abi, SIM_HAZARD_NODES, HAZARD_NODE, node);
    writeFields(view, at, HAZARD_NODE, { detectionPs, restorationPs, pollPs, drops });
  }
}
