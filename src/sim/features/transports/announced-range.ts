/** Ranges that receivers of MRC announce in SACKs: 8 bits, in units of 128 packets (`hosts.mrc.dynamicRange`). */
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { MrcPlan } from './plan.js';

const UNIT_PACKETS = 128;
const MAX_PACKETS = 255 * UNIT_PACKETS;

/** Initial range of receivers, in packets from the expected one on. @param windowPackets packets that their senders send ahead. */
export function rangePacketsOf({ receiverRangePackets, announcesRange }: MrcPlan, windowPackets: number): number {
  if (receiverRangePackets !== undefined) return receiverRangePackets;
  return announcesRange === true ? wholeUnits(windowPackets) : windowPackets;
}

function wholeUnits(packets: number): number {
  return Math.min(MAX_PACKETS, Math.max(UNIT_PACKETS, packets - packets % UNIT_PACKETS));
}

/** @throws RoceError `invalid-scenario` for a range that cannot be announced. */
export function requireUnits({ dynamicRange, receiverRangePackets: got }: {
  readonly dynamicRange: boolean;
  readonly receiverRangePackets: number | null;
}): void {
  if (!dynamicRange || got === null || got === wholeUnits(got)) return;
  rejectScenario({
    what: 'hosts.mrc.receiverRangePackets',
    problem: 'cannot be announced (hosts.mrc.dynamicRange)',
    got,
    allowed: `multiples of ${UNIT_PACKETS} up to ${MAX_PACKETS.toLocaleString('en')}`,
    where: 'hosts.mrc.receiverRangePackets',
  });
}
