/**
 * Rules on pause: whether exactly the links that the profile protects have PFC at both ends, with a lossless buffer.
 *
 * The receiver of a link sends pauses, the transmitter honours them. Global pause that works protects a link as well.
 */
import { findAt, showPriorities, type LinkView, type LintContext, type PlacedFinding } from './lint-context.js';
import { wantsPause } from './network-profiles.js';

/** Each link must pause RoCE where the profile requires it, and only there. */
export function checkPause(context: LintContext): PlacedFinding[] {
  return context.links.flatMap((link) => {
    const { transmitter, receiver } = link;
    const wanted = wantsPause(context.profile, receiver.node.kind, transmitter.node.kind);
    return wanted ? checkWanted(link, context.intent.data.priority) : checkUnwanted(context, link);
  });
}

/** No port may mix global pause with PFC. */
export function checkGlobalPause({ ports }: LintContext): PlacedFinding[] {
  return ports
    .filter(({ port: { globalPause, pfc } }) =>
      (globalPause.send || globalPause.honour) && pfc.sendPriorities.length + pfc.honourPriorities.length > 0
    )
    .map((view) =>
      findAt(view, 'global-pause-with-pfc', 'port', {
        message: 'global pause and PFC are on together',
        got: 'both',
        expected: 'PFC only',
      })
    );
}

/** CNPs must enter lossy buffers and must never be paused. */
export function checkCnpPause({ ingress, intent }: LintContext): PlacedFinding[] {
  const { priority } = intent.cnp;
  return ingress.cnp.flatMap((view) => {
    const { pfc, groups, priorityToGroup } = view.port;
    const group = priorityToGroup[priority];
    const isPaused = pfc.sendPriorities.includes(priority);
    if (!isPaused && groups[group].kind === 'lossy') return [];
    return [findAt(view, 'cnp-paused', 'cnp', {
      message: isPaused ?
        `PFC is sent for priority ${priority} of the CNPs` :
        `CNPs enter the lossless priority group ${group}`,
      got: isPaused ? `PFC for ${showPriorities(pfc.sendPriorities)}` : 'lossless',
      expected: 'lossy, without PFC',
    })];
  });
}

function checkWanted(link: LinkView, priority: number): PlacedFinding[] {
  const { transmitter, receiver } = link;
  const sends = receiver.port.pfc.sendPriorities.includes(priority);
  const honours = transmitter.port.pfc.honourPriorities.includes(priority);
  if (sends && honours) return checkBuffer(link, priority);
  if (pausesGlobally(link)) return checkBuffer(link, priority);
  if (sends || honours) return [explainOneSided(link, priority, sends)];
  const others = receiver.port.pfc.sendPriorities;
  return [findAt(receiver, others.length > 0 ? 'pause-other-priority' : 'pause-missing', 'data', {
    message: others.length > 0 ?
      `PFC is sent to ${transmitter.node.name}, but not for priority ${priority} of RoCE` :
      `nothing pauses RoCE at ${transmitter.node.name} when the buffer here fills`,
    got: `PFC for ${showPriorities(others)}`,
    expected: `PFC for ${priority}`,
  })];
}

function explainOneSided({ transmitter, receiver }: LinkView, priority: number, sends: boolean): PlacedFinding {
  const lacking = sends ? transmitter : receiver;
  const priorities = sends ? transmitter.port.pfc.honourPriorities : receiver.port.pfc.sendPriorities;
  const other = sends ? `${receiver.node.name} sends pauses` : `${transmitter.node.name} would honour pauses`;
  return findAt(lacking, 'pause-one-sided', 'data', {
    message: `${other} for priority ${priority}, but this port does not ${sends ? 'honour' : 'send'} them`,
    got: `PFC for ${showPriorities(priorities)}`,
    expected: `PFC for ${priority}`,
  });
}

function checkUnwanted({ profile, intent }: LintContext, link: LinkView): PlacedFinding[] {
  const { transmitter, receiver } = link;
  const { priority } = intent.data;
  const { sendPriorities } = receiver.port.pfc;
  const pauses = sendPriorities.includes(priority) && transmitter.port.pfc.honourPriorities.includes(priority);
  if (!pauses && !pausesGlobally(link)) return [];
  return [findAt(receiver, 'pause-not-in-profile', 'data', {
    message: `the port can pause RoCE at ${transmitter.node.name}, which the profile ${profile.name} excludes`,
    got: pauses ? `PFC for ${showPriorities(sendPriorities)}` : 'global pause',
    expected: 'no pause for RoCE',
  })];
}

function checkBuffer({ receiver }: LinkView, priority: number): PlacedFinding[] {
  const index = receiver.port.priorityToGroup[priority];
  const group = receiver.port.groups[index];
  const { xoffThreshold, headroom } = receiver.words;
  const lacks = (rule: 'pause-without-buffer' | 'pause-without-xoff' | 'pause-without-headroom', got: string,
    expected: string) =>
    findAt(receiver, rule, 'data', {
      message: `pause is on, but priority group ${index} of RoCE has ${got}`,
      got,
      expected,
    });
  if (group.kind === 'lossy') return [lacks('pause-without-buffer', 'a lossy buffer', 'a lossless buffer')];
  const found: PlacedFinding[] = [];
  if (group.xoffBytes === 0) found.push(lacks('pause-without-xoff', `no ${xoffThreshold}`, `${xoffThreshold} above 0`));
  if (group.headroomBytes === 0) found.push(lacks('pause-without-headroom', `no ${headroom}`, `${headroom} above 0`));
  return found;
}

function pausesGlobally({ transmitter, receiver }: LinkView): boolean {
  return receiver.port.globalPause.send && transmitter.port.globalPause.honour;
}
