/**
 * Rules on markings and maps: whether each port classifies RoCE as intended.
 *
 * A port is checked with the packets intended for it. A wrong marking is the host's fault and is reported once, there;
 * the ports are then checked with the intended marking, and groups and classes with the intended priority. So one cause
 * does not cascade. Only a different trust mode may be reported twice: as itself and as a missing field.
 */
import { classify, type PacketMarking } from './classify.js';
import { findAt, type LintContext, type PlacedFinding, type PortView } from './lint-context.js';
import type { TrustMode } from './qos-map.js';

type Kind = 'data' | 'cnp';
const KINDS: readonly Kind[] = ['data', 'cnp'];

/** Each port must trust the same field as the sending host. */
export function checkTrust({ ports, path }: LintContext): PlacedFinding[] {
  const senderTrust = path.sender.port.trust;
  return ports
    .filter(({ port }) => port.trust !== senderTrust)
    .map((view) =>
      findAt(view, 'trust-differs', 'port', {
        trust: view.port.trust,
        sender: path.sender.name,
        senderTrust,
      })
    );
}

/** Each port must find the field that it trusts, and derive the intended priority from it. */
export function checkPriority(context: LintContext): PlacedFinding[] {
  return KINDS.flatMap((kind) => {
    const sent = sentMarking(context, kind);
    return classifyingPorts(context, kind).flatMap((view) => checkPortPriority(context, kind, view, sent));
  });
}

/** The host must mark as intended, in the fields that some port reads. */
export function checkMarking(context: LintContext): PlacedFinding[] {
  return KINDS.flatMap((kind) => {
    const ports = classifyingPorts(context, kind);
    const fields = (['dscp', 'pcp'] as const).filter((field) => ports.some(({ port }) => port.trust === field));
    return fields.flatMap((field) => checkMarkedField(context, kind, field, ports));
  });
}

/** RoCE must have a separate priority group on every ingress; data and CNPs must enter the intended ones. */
export function checkGroups({ ingress, intent }: LintContext): PlacedFinding[] {
  return KINDS.flatMap((kind) =>
    ingress[kind].flatMap((view) => {
      const map = view.port.priorityToGroup;
      const { priority, group: intendedGroup } = intent[kind];
      const others = kind === 'data' ? sharers(map, priority) : [];
      if (others.length === 0) {
        const group = map[priority];
        return group === intendedGroup ? [] : [findAt(view, 'group-differs', kind, { group, intendedGroup })];
      }
      const isLossless = view.port.groups[map[priority]].kind === 'lossless';
      return [findAt(view, isLossless ? 'lossless-group-shared' : 'group-shared', kind, {
        priority,
        others,
        cnpPriority: intent.cnp.priority,
        group: map[priority],
        intendedGroup,
      })];
    })
  );
}

/** RoCE must have a separate traffic class on every egress; data and CNPs must leave by the intended ones. */
export function checkTrafficClasses({ egress, intent }: LintContext): PlacedFinding[] {
  return KINDS.flatMap((kind) =>
    egress[kind].flatMap((view) => {
      const map = view.port.priorityToTrafficClass;
      const { priority, trafficClass: intendedTrafficClass } = intent[kind];
      // A separate rule covers CNPs in the class of data.
      if (kind === 'cnp' && map[priority] === map[intent.data.priority]) return [];
      const others = kind === 'data' ? sharers(map, priority) : [];
      const figures = { trafficClass: map[priority], intendedTrafficClass };
      if (others.length === 0) {
        const isIntended = map[priority] === intendedTrafficClass;
        return isIntended ? [] : [findAt(view, 'traffic-class-differs', kind, figures)];
      }
      return [findAt(view, 'traffic-class-shared', kind, {
        priority,
        others,
        cnpPriority: intent.cnp.priority,
        ...figures,
      })];
    })
  );
}

function checkPortPriority(context: LintContext, kind: Kind, view: PortView, sent: PacketMarking): PlacedFinding[] {
  const { dscp, pcp, priority } = context.intent[kind];
  const { trust, defaultPriority } = view.port;
  if (sent[trust] === undefined) {
    return [findAt(view, 'trusted-field-missing', kind, { trust, defaultPriority, priority })];
  }
  const landed = classify(view.port, { dscp, pcp });
  return landed.priority === priority ? [] : [findAt(view, 'priority-differs', kind, {
    trust,
    code: trust === 'dscp' ? dscp : pcp,
    priority: landed.priority,
    group: landed.group,
    trafficClass: landed.trafficClass,
    intendedPriority: priority,
  })];
}

function checkMarkedField(context: LintContext, kind: Kind, field: TrustMode,
  ports: readonly PortView[]): PlacedFinding[] {
  const value = sentMarking(context, kind)[field];
  const { [field]: intended, priority } = context.intent[kind];
  if (value === undefined || value === intended) return [];
  const lostAt = ports.filter(({ port }) => port.trust === field).flatMap(({ node, name, port }) => {
    const landed = classify(port, { [field]: value });
    return landed.priority === priority ? [] : [{ node: node.name, port: name, priority: landed.priority }];
  });
  const marking = { field, value, intended };
  return [
    lostAt.length > 0 ?
      findAt(ports[0], 'marking-misplaced', kind, { ...marking, lostAt }) :
      findAt(ports[0], 'marking-unexpected', kind, marking),
  ];
}

/** The ports whose maps determine the priority: the sending NIC's port, then the ingress ports. */
function classifyingPorts({ ingress, egress }: LintContext, kind: Kind): readonly PortView[] {
  return [egress[kind][0], ...ingress[kind]];
}

function sentMarking({ path }: LintContext, kind: Kind): PacketMarking {
  return kind === 'data' ? path.sender.data : path.receiver.cnp;
}

function sharers(map: readonly number[], priority: number): number[] {
  return map.flatMap((target, other) => (other !== priority && target === map[priority] ? [other] : []));
}
