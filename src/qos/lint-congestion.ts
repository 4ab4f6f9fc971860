/**
 * Rules on congestion control: switches mark RoCE in time, NICs react, and CNPs overtake the congestion they report.
 */
import { findAt, type LintContext, type PlacedFinding, type PortView } from './lint-context.js';
import type { HostQos } from './path.js';
import type { EcnMarking, TrafficClassQos } from './qos-map.js';

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
