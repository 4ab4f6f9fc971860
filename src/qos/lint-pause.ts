/**
 * Rules on pause: whether PFC and a lossless buffer are set at exactly the links that the profile protects, at both
 * ends.
 *
 * The receiver of a link sends pauses, the transmitter honours them. Global pause that works at both ends also protects
 * a link.
 */
import { findAt, type LinkView, type LintContext, type PlacedFinding } from './lint-context.js';
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
    .map((view) => findAt(view, 'global-pause-with-pfc', 'port', {}));
}

/** CNPs must enter lossy buffers and must never be paused. */
export function checkCnpPause({ ingress, intent }: LintContext): PlacedFinding[] {
  const { priority } = intent.cnp;
  return ingress.cnp.flatMap((view) => {
    const { pfc, groups, priorityToGroup } = view.port;
    const group = priorityToGroup[priority];
    const isPaused = pfc.sendPriorities.includes(priority);
    if (!isPaused && groups[group].kind === 'lossy') return [];
    return [findAt(view, 'cnp-paused', 'cnp', { priority, group, isPaused, pfcPriorities: pfc.sendPriorities })];
  });
}

function checkWanted(link: LinkView, priority: number): PlacedFinding[] {
  const { transmitter, receiver } = link;
  const sends = receiver.port.pfc.sendPriorities.includes(priority);
  const honours = transmitter.port.pfc.honourPriorities.includes(priority);
  if (sends && honours) return checkBuffer(link, priority);
  if (pausesGlobally(link)) return checkBuffer(link, priority);
  if (sends || honours) return [explainOneSided(link, priority, sends)];
  const pfcPriorities = receiver.port.pfc.sendPriorities;
  const rule = pfcPriorities.length > 0 ? 'pause-other-priority' : 'pause-missing';
  return [findAt(receiver, rule, 'data', { priority, pfcPriorities, transmitter: transmitter.node.name })];
}

function explainOneSided({ transmitter, receiver }: LinkView, priority: number, sends: boolean): PlacedFinding {
  const [lacking, other] = sends ? [transmitter, receiver] : [receiver, transmitter];
  return findAt(lacking, 'pause-one-sided', 'data', {
    priority,
    pfcPriorities: sends ? lacking.port.pfc.honourPriorities : lacking.port.pfc.sendPriorities,
    lacks: sends ? 'honour' : 'send',
    other: other.node.name,
  });
}

function checkUnwanted({ profile, intent }: LintContext, link: LinkView): PlacedFinding[] {
  const { transmitter, receiver } = link;
  const { priority } = intent.data;
  const { sendPriorities } = receiver.port.pfc;
  const pauses = sendPriorities.includes(priority) && transmitter.port.pfc.honourPriorities.includes(priority);
  if (!pauses && !pausesGlobally(link)) return [];
  return [findAt(receiver, 'pause-not-in-profile', 'data', {
    profile: profile.name,
    transmitter: transmitter.node.name,
    by: pauses ? 'pfc' : 'global-pause',
    pfcPriorities: sendPriorities,
  })];
}

function checkBuffer({ receiver }: LinkView, priority: number): PlacedFinding[] {
  const group = receiver.port.priorityToGroup[priority];
  const buffer = receiver.port.groups[group];
  if (buffer.kind === 'lossy') return [findAt(receiver, 'pause-without-buffer', 'data', { group })];
  const found: PlacedFinding[] = [];
  if (buffer.xoffBytes === 0) found.push(findAt(receiver, 'pause-without-xoff', 'data', { group }));
  if (buffer.headroomBytes === 0) found.push(findAt(receiver, 'pause-without-headroom', 'data', { group }));
  return found;
}

function pausesGlobally({ transmitter, receiver }: LinkView): boolean {
  return receiver.port.globalPause.send && transmitter.port.globalPause.honour;
}
