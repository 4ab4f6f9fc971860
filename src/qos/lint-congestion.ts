/**
 * Rules on congestion: links pause RoCE exactly where the profile protects it, switches mark it in time, NICs react, and
 * CNPs overtake the congestion they report.
 *
 * Pause needs PFC and a lossless buffer: the receiver of a link sends pauses, the transmitter honours them. Global pause
 * that works at both ends also protects a link.
 */
import { findAt, type LintContext, type PlacedFinding, type PortView, type LinkView } from './lint-context.js';
import { wantsPause } from './network-profiles.js';
import type { HostQos } from './path.js';
import type { EcnMarking, TrafficClassQos } from './qos-map.js';

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

/** Each switch must mark RoCE on egress, with valid thresholds, if the profile uses ECN. */
export function checkEcn(context: LintContext): PlacedFinding[] {
  const { profile } = context;
  return switchEgress(context).flatMap((view) => {
    const { index, ecn } = roceClass(view, context);
    if (profile.ecn)
      return ecn === null ?
        [findAt(view, 'ecn-off', 'data', { trafficClass: index })] :
        checkThresholds(view, index, ecn);
    return ecn === null ? [] : [findAt(view, 'ecn-not-in-profile', 'data', {
      trafficClass: index,
      profile: profile.name,
    })];
  });
}

/** Each switch that can pause RoCE must mark it before it pauses. */
export function checkEcnBelowXoff(context: LintContext): PlacedFinding[] {
  const { ingress, intent, profile } = context;
  if (!profile.ecn) return [];
  return switchEgress(context).flatMap((view) => {
    const { ecn } = roceClass(view, context);
    const entry = ingress.data.find(({ hop }) => hop === view.hop);
    if (ecn === null || entry === undefined) return [];
    const { groups, priorityToGroup } = entry.port;
    const group = groups[priorityToGroup[intent.data.priority]];
    // An xoff of 0 means that none is set, which the pause rule reports.
    if (group.kind === 'lossy' || group.xoffBytes === 0) return [];
    return compareWithXoff(view, entry, ecn, group.xoffBytes);
  });
}

/** Where switches mark, the sender must react to CNPs and the receiver must send them. */
export function checkEndpoints(context: LintContext): PlacedFinding[] {
  const { profile, intent: { data: { priority } }, path, links } = context;
  const marks = switchEgress(context).some((view) => roceClass(view, context).ecn !== null);
  if (!profile.ecn || !marks) return [];
  const found: PlacedFinding[] = [];
  if (!path.sender.reactionPriorities.includes(priority)) {
    found.push(findAt(links[0].transmitter, 'reaction-point-off', 'cnp', {
      priority,
      onFor: path.sender.reactionPriorities,
    }));
  }
  if (!path.receiver.notificationPriorities.includes(priority)) {
    found.push(findAt(links[links.length - 1].receiver, 'notification-point-off', 'data', {
      priority,
      onFor: path.receiver.notificationPriorities,
    }));
  }
  return found;
}

/** CNPs must leave in a separate class, which is strict and served first. */
export function checkCnpQueue({ egress, intent }: LintContext): PlacedFinding[] {
  return egress.cnp.flatMap((view) => {
    const { priorityToTrafficClass: map, trafficClasses } = view.port;
    const index = map[intent.cnp.priority];
    if (index === map[intent.data.priority]) {
      return [findAt(view, 'cnp-shares-traffic-class', 'cnp', {
        trafficClass: index,
        intendedOfCnp: intent.cnp.trafficClass,
        intendedOfData: intent.data.trafficClass,
      })];
    }
    return checkCnpScheduler(view, index, trafficClasses);
  });
}

/** The weights of the ETS classes of each port must sum to 100. */
export function checkEtsSum({ ports }: LintContext): PlacedFinding[] {
  return ports.flatMap((view) => {
    const weights = view.port.trafficClasses.flatMap((
      { scheduler },
    ) => (scheduler.kind === 'ets' ? [scheduler.weightPercent] : []));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    // Thirds and sevenths of 100 do not sum exactly in floating point.
    if (weights.length === 0 || Math.abs(sum - 100) < 1e-9) return [];
    return [findAt(view, 'ets-sum', 'port', { classes: weights.length, sumPercent: sum })];
  });
}

/** Retransmission at the hosts must suit the drop rate of the profile. */
export function checkRecovery({ path, profile, links }: LintContext): PlacedFinding[] {
  const ends: readonly [HostQos, PortView][] = [
    [path.sender, links[0].transmitter],
    [path.receiver, links[links.length - 1].receiver],
  ];
  return ends
    .filter(([host]) => !profile.recovery.includes(host.recovery))
    .map(([host, view]) =>
      findAt(view, 'recovery-too-weak', 'data', {
        profile: profile.name,
        host: host.name,
        recovery: host.recovery,
        sufficient: profile.recovery,
      })
    );
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

function checkThresholds(view: PortView, index: number, { minBytes, maxBytes }: EcnMarking): PlacedFinding[] {
  if (minBytes < maxBytes) return [];
  const rule = minBytes === maxBytes ? 'ecn-step' : 'ecn-inverted';
  return [findAt(view, rule, 'data', { trafficClass: index, minBytes, maxBytes })];
}

function compareWithXoff(view: PortView, entry: PortView, { minBytes, maxBytes }: EcnMarking,
  xoffBytes: number): PlacedFinding[] {
  if (maxBytes < xoffBytes) return [];
  const rule = minBytes >= xoffBytes ? 'ecn-starts-above-xoff' : 'ecn-ends-above-xoff';
  return [findAt(view, rule, 'data', { port: entry.name, xoffBytes, minBytes, maxBytes })];
}

function checkCnpScheduler(view: PortView, index: number, classes: readonly TrafficClassQos[]): PlacedFinding[] {
  if (classes[index].scheduler.kind !== 'strict') {
    return [findAt(view, 'cnp-not-strict', 'cnp', { trafficClass: index })];
  }
  const used = new Set(view.port.priorityToTrafficClass);
  const higher = classes.flatMap(({ scheduler },
    other) => (other > index && used.has(other) && scheduler.kind === 'strict' ? [other] : [])
  );
  return higher.length === 0 ? [] : [findAt(view, 'cnp-not-highest', 'cnp', { trafficClass: index, higher })];
}

function switchEgress({ egress }: LintContext): readonly PortView[] {
  return egress.data.filter(({ node }) => node.kind === 'switch');
}

function roceClass({ port }: PortView,
  { intent }: LintContext): { readonly index: number; readonly ecn: EcnMarking | null } {
  const index = port.priorityToTrafficClass[intent.data.priority];
  return { index, ecn: port.trafficClasses[index].ecn };
}
