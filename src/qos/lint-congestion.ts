/**
 * Rules on congestion control: switches mark RoCE in time, NICs react, and CNPs overtake the congestion they report.
 */
import { number } from '../error-text.js';
import { findAt, showPriorities, type LintContext, type PlacedFinding, type PortView } from './lint-context.js';
import { NETWORK_PROFILES } from './network-profiles.js';
import type { HostQos } from './path.js';
import type { EcnMarking, TrafficClassQos } from './qos-map.js';

/** Each switch must mark RoCE on egress, with valid thresholds, if the profile uses ECN. */
export function checkEcn(context: LintContext): PlacedFinding[] {
  const { profile } = context;
  return switchEgress(context).flatMap((view) => {
    const { index, ecn } = roceClass(view, context);
    if (profile.ecn) return ecn === null ? [explainEcnOff(view, index)] : checkThresholds(view, index, ecn);
    return ecn === null ? [] : [findAt(view, 'ecn-not-in-profile', 'data', {
      message: `${view.words.trafficClass} ${index} marks RoCE, but the profile ${profile.name} does not use ECN`,
      got: 'ECN on',
      expected: 'ECN off',
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
    // An xoff of 0 means none, which the rule on pause reports.
    if (group.kind === 'lossy' || group.xoffBytes === 0) return [];
    return compareWithXoff(view, entry, ecn, group.xoffBytes);
  });
}

/** Where switches mark, the sender must react and the receiver must notify it. */
export function checkEndpoints(context: LintContext): PlacedFinding[] {
  const { profile, intent: { data: { priority } }, path, links } = context;
  const marks = switchEgress(context).some((view) => roceClass(view, context).ecn !== null);
  if (!profile.ecn || !marks) return [];
  const found: PlacedFinding[] = [];
  if (!path.sender.reactionPriorities.includes(priority)) {
    found.push(findAt(links[0].transmitter, 'reaction-point-off', 'cnp', {
      message: `${allOff(path.sender.reactionPriorities)}the sender does not react to CNPs for priority ${priority}`,
      got: `on for ${showPriorities(path.sender.reactionPriorities)}`,
      expected: `on for ${priority}`,
    }));
  }
  if (!path.receiver.notificationPriorities.includes(priority)) {
    found.push(findAt(links[links.length - 1].receiver, 'notification-point-off', 'data', {
      message: `${
        allOff(path.receiver.notificationPriorities)
      }the receiver sends no CNPs for marks in priority ${priority}`,
      got: `on for ${showPriorities(path.receiver.notificationPriorities)}`,
      expected: `on for ${priority}`,
    }));
  }
  return found;
}

function allOff(priorities: readonly number[]): string {
  return priorities.length === 0 ? 'DCQCN is off for every priority: ' : '';
}

/** CNPs must leave by a separate class, strictly and first. */
export function checkCnpQueue({ egress, intent }: LintContext): PlacedFinding[] {
  return egress.cnp.flatMap((view) => {
    const { priorityToTrafficClass: map, trafficClasses } = view.port;
    const index = map[intent.cnp.priority];
    const { words } = view;
    if (index === map[intent.data.priority]) {
      return [findAt(view, 'cnp-shares-traffic-class', 'cnp', {
        message: `CNPs leave by ${words.trafficClass} ${index} of RoCE data, and wait behind them`,
        got: `${words.class} ${index} for both`,
        expected:
          `${words.class} ${intent.cnp.trafficClass} for CNPs, ${words.class} ${intent.data.trafficClass} for data`,
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
    // Thirds and sevenths of 100 don't sum exactly.
    if (weights.length === 0 || Math.abs(sum - 100) < 1e-9) return [];
    return [findAt(view, 'ets-sum', 'port', {
      message: `the weights of ${weights.length} ETS ${
        weights.length === 1 ? 'class' : 'classes'
      } do not sum to 100 percent`,
      got: `${sum} percent`,
      expected: '100 percent',
    })];
  });
}

/** Retransmission at the hosts must suit the drops of the profile. */
export function checkRecovery({ path, profile, links }: LintContext): PlacedFinding[] {
  const ends: readonly [HostQos, PortView][] = [
    [path.sender, links[0].transmitter],
    [path.receiver, links[links.length - 1].receiver],
  ];
  return ends
    .filter(([host]) => !profile.recovery.includes(host.recovery))
    .map(([host, view]) =>
      findAt(view, 'recovery-too-weak', 'data', {
        message: `the profile ${profile.name} drops packets, and ${host.name} retransmits them by ${host.recovery}`,
        got: host.recovery,
        expected: NETWORK_PROFILES[profile.name].recovery.join(' or '),
      })
    );
}

function explainEcnOff(view: PortView, index: number): PlacedFinding {
  return findAt(view, 'ecn-off', 'data', {
    message: `${view.words.trafficClass} ${index}, by which RoCE leaves, never marks`,
    got: 'ECN off',
    expected: 'ECN on',
  });
}

function checkThresholds(view: PortView, index: number, { minBytes, maxBytes }: EcnMarking): PlacedFinding[] {
  if (minBytes < maxBytes) return [];
  const isStep = minBytes === maxBytes;
  const { trafficClass, ecnMin, ecnMax } = view.words;
  return [findAt(view, isStep ? 'ecn-step' : 'ecn-inverted', 'data', {
    message: `${trafficClass} ${index} has its ${ecnMin} ${isStep ? 'at' : 'above'} its ${ecnMax}`,
    got: `${number(minBytes)} to ${number(maxBytes)} bytes`,
    expected: `${ecnMin} < ${ecnMax}`,
  })];
}

function compareWithXoff(view: PortView, entry: PortView, ecn: EcnMarking, xoffBytes: number): PlacedFinding[] {
  if (ecn.maxBytes < xoffBytes) return [];
  const starts = ecn.minBytes >= xoffBytes;
  const mark = starts ? 'the first mark' : 'every packet is marked';
  return [findAt(view, starts ? 'ecn-starts-above-xoff' : 'ecn-ends-above-xoff', 'data', {
    message:
      `a single sender's queue reaches ${entry.words.xoff} of the port ${entry.name} before ${mark}: PFC acts before ECN`,
    got: `${number(ecn.minBytes)} to ${number(ecn.maxBytes)} bytes`,
    expected: `below ${entry.words.xoff}, ${number(xoffBytes)} bytes`,
  })];
}

function checkCnpScheduler(view: PortView, index: number, classes: readonly TrafficClassQos[]): PlacedFinding[] {
  if (classes[index].scheduler.kind !== 'strict') {
    return [findAt(view, 'cnp-not-strict', 'cnp', {
      message: `${view.words.trafficClass} ${index} of the CNPs waits for its share`,
      got: 'ETS',
      expected: 'strict',
    })];
  }
  const used = new Set(view.port.priorityToTrafficClass);
  const higher = classes.flatMap(({ scheduler },
    other) => (other > index && used.has(other) && scheduler.kind === 'strict' ? [other] : [])
  );
  return higher.length === 0 ? [] : [findAt(view, 'cnp-not-highest', 'cnp', {
    message: `${view.words.trafficClass} ${index} of the CNPs waits behind strict ${view.words.class} ${
      higher.join(' and ')
    }`,
    got: `${view.words.class} ${higher.join(' and ')} before it`,
    expected: `no strict ${view.words.class} above it`,
  })];
}

function switchEgress({ egress }: LintContext): readonly PortView[] {
  return egress.data.filter(({ node }) => node.kind === 'switch');
}

function roceClass({ port }: PortView,
  { intent }: LintContext): { readonly index: number; readonly ecn: EcnMarking | null } {
  const index = port.priorityToTrafficClass[intent.data.priority];
  return { index, ecn: port.trafficClasses[index].ecn };
}
