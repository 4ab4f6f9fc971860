/**
 * Rules on settings that only SONiC has: headroom against CABLE_LENGTH and speed, and the watchdog of PFC storms.
 *
 * Sources: roce-cc/analysis, `linkHeadroom`; sonic-net/SONiC, doc/pfcwd (a storm is seen at a poll, for each priority of
 * `pfcwd_sw_enable`).
 */
import { linkHeadroom, pauseResponsePs } from '../../analysis/link-headroom.js';
import { bytesWithin } from '../../analysis/exact-numbers.js';
import type { QosIntent } from '../lint-context.js';
import type { LintRule } from '../lint-rules.js';
import { NETWORK_PROFILES, type NetworkProfileName } from '../network-profiles.js';
import type { SonicPort } from './sonic-config.js';

/** A violated rule at a port. */
export interface SonicFault {
  readonly rule: LintRule;
  /** The problem, as a sentence without a full stop. */
  readonly message: string;
  readonly got: string;
  readonly expected: string;
}

/** Why RoCE's queue never marks though it has a WRED profile, in SONiC's names; undefined: it marks, or has none. */
export function unmarkedReason({ qos, unmarkedQueues }: SonicPort, intent: QosIntent): string | undefined {
  const priority = qos.trust === 'dscp' ? qos.dscpToPriority[intent.data.dscp] : qos.pcpToPriority[intent.data.pcp];
  return unmarkedQueues[qos.priorityToTrafficClass[priority]];
}

/** Light in fibre takes 5 ns per metre: a refractive index of 1.5. */
const DELAY_PS_PER_M = 5000;

/** Faults of a port, in the order of the rules. */
export function lintSonicPort(port: SonicPort, intent: QosIntent, profile: NetworkProfileName): SonicFault[] {
  if (NETWORK_PROFILES[profile].pfc === 'none') return checkPolls(port);
  return [...checkHeadroom(port, intent.data.priority), ...checkWatched(port), ...checkPolls(port)];
}

function checkHeadroom({ qos, rateBps, cableMetres, mtuBytes, notTold }: SonicPort, priority: number): SonicFault[] {
  const index = qos.priorityToGroup[priority];
  const group = qos.groups[index];
  if (!qos.pfc.sendPriorities.includes(priority) || group.kind === 'lossy' || group.headroomBytes === 0) return [];
  if (rateBps === null || cableMetres === null || notTold.includes('pause-without-headroom')) return [];
  const link = { rateBps, linkDelayPs: cableMetres * DELAY_PS_PER_M, mtuBytes };
  const certainBytes = linkHeadroom({ ...link, interfaceDelayPs: 0, responseDelayPs: 0 }).bytes;
  const boundBytes = certainBytes + bytesWithin(rateBps, pauseResponsePs(rateBps));
  if (group.headroomBytes >= boundBytes) return [];
  const isTooSmall = group.headroomBytes < certainBytes;
  const what = `priority group ${index} of RoCE has an xoff of ${count(group.headroomBytes)} bytes`;
  const cable = `CABLE_LENGTH ${cableMetres}m at ${rateBps / 1e9}G with frames of ${count(mtuBytes)} bytes`;
  return [{
    rule: isTooSmall ? 'headroom-too-small' : 'headroom-below-bound',
    message: isTooSmall ?
      `${what}, and cable and frames alone bring more after a pause: ${cable}` :
      `${what}, less than arrives if the peer takes as long to respond as IEEE 802.3 allows: ${cable}`,
    got: `${count(group.headroomBytes)} bytes`,
    expected:
      `at least ${
        count(isTooSmall ? certainBytes : boundBytes)
      } bytes; roce-cc headroom, with its own interface too, ` +
      `says ${count(linkHeadroom(link).bytes)}`,
  }];
}

function checkWatched({ qos: { pfc }, watchdog }: SonicPort): SonicFault[] {
  if (watchdog === null) return [];
  const unwatched = pfc.honourPriorities.filter((priority) => pfc.sendPriorities.includes(priority))
    .filter((priority) => !watchdog.priorities.includes(priority));
  if (unwatched.length === 0) return [];
  return [{
    rule: 'watchdog-other-priority',
    message: `PFC is on for priority ${unwatched.join(', ')}, which the watchdog does not watch`,
    got: `pfcwd_sw_enable ${watchdog.priorities.join(',') || 'none'}`,
    expected: `pfcwd_sw_enable ${pfc.sendPriorities.join(',')}`,
  }];
}

function checkPolls({ watchdog }: SonicPort): SonicFault[] {
  const { pollMs = null, detectionMs = 0 } = watchdog ?? {};
  if (pollMs === null || pollMs <= detectionMs) return [];
  return [{
    rule: 'watchdog-polls-slowly',
    message:
      `queues are polled every ${pollMs} ms, so a storm of ${detectionMs} ms is detected after ${pollMs} ms or more`,
    got: `POLL_INTERVAL ${pollMs}, detection_time ${detectionMs}`,
    expected: `POLL_INTERVAL at most ${detectionMs}`,
  }];
}

function count(bytes: number): string {
  return bytes.toLocaleString('en-US');
}
