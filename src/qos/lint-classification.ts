/**
 * Rules on markings and maps: whether each port classifies RoCE as intended.
 *
 * A port is judged by the packets intended for it: a wrong marking is the host's fault and reported there, once; the
 * ports are then checked with the intended marking, and groups and classes with the intended priority. So one cause
 * doesn't cascade; only a different trust mode may show twice: as itself and as the missing field.
 */
import { classify, type PacketMarking } from './classify.js';
import { findAt, showPriorities, type LintContext, type PlacedFinding, type PortView } from './lint-context.js';
import type { TrustMode } from './qos-map.js';

type Kind = 'data' | 'cnp';
const KINDS: readonly Kind[] = ['data', 'cnp'];

/** Each port must trust the same field as the sending host. */
export function checkTrust({ ports, path }: LintContext): PlacedFinding[] {
  const { trust, name } = { trust: path.sender.port.trust, name: path.sender.name };
  return ports
    .filter(({ port }) => port.trust !== trust)
    .map((view) =>
      findAt(view, 'trust-differs', 'port', {
        message: `the port trusts ${show(view.port.trust)}, ${name} trusts ${show(trust)}`,
        got: show(view.port.trust),
        expected: show(trust),
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
      const { priority, group: intended } = intent[kind];
      const others = kind === 'data' ? sharers(map, priority) : [];
      if (others.length === 0) return compareTarget(view, kind, 'group-differs', map[priority], intended);
      const isLossless = view.port.groups[map[priority]].kind === 'lossless';
      return [findAt(view, isLossless ? 'lossless-group-shared' : 'group-shared', kind, {
        message: `priority group ${map[priority]} of RoCE also holds priorities ${
          nameSharers(others, intent.cnp.priority)
        }`,
        got: `priorities ${showTogether(priority, others)} in group ${map[priority]}`,
        expected: `priority ${priority} alone in group ${intended}`,
      })];
    })
  );
}

/** RoCE must have a separate traffic class on every egress; data and CNPs must leave by the intended ones. */
export function checkTrafficClasses({ egress, intent }: LintContext): PlacedFinding[] {
  return KINDS.flatMap((kind) =>
    egress[kind].flatMap((view) => {
      const map = view.port.priorityToTrafficClass;
      const { priority, trafficClass: intended } = intent[kind];
      // A separate rule covers CNPs in the class of data.
      if (kind === 'cnp' && map[priority] === map[intent.data.priority]) return [];
      const others = kind === 'data' ? sharers(map, priority) : [];
      if (others.length === 0) return compareTarget(view, kind, 'traffic-class-differs', map[priority], intended);
      return [findAt(view, 'traffic-class-shared', kind, {
        message: `${view.words.trafficClass} ${map[priority]} of RoCE also serves priorities ${
          nameSharers(others, intent.cnp.priority)
        }`,
        got: `priorities ${showTogether(priority, others)} in ${view.words.class} ${map[priority]}`,
        expected: `priority ${priority} alone in ${view.words.class} ${intended}`,
      })];
    })
  );
}

function compareTarget(view: PortView, kind: Kind, rule: 'group-differs' | 'traffic-class-differs', target: number,
  intended: number): PlacedFinding[] {
  if (target === intended) return [];
  const [verb, noun] = rule === 'group-differs' ? ['enter', 'priority group'] : ['leave by', view.words.trafficClass];
  return [findAt(view, rule, kind, {
    message: `${nameOf(kind)} ${verb} another ${noun} than intended`,
    got: `${noun} ${target}`,
    expected: `${noun} ${intended}`,
  })];
}

function checkPortPriority(context: LintContext, kind: Kind, view: PortView, sent: PacketMarking): PlacedFinding[] {
  const { dscp, pcp, priority } = context.intent[kind];
  const field = view.port.trust;
  if (sent[field] === undefined) {
    const { reason } = classify(view.port, {});
    return [findAt(view, 'trusted-field-missing', kind, {
      message: `the port trusts ${show(field)}, but the frames have ${
        field === 'pcp' ? 'no VLAN tag' : 'no DSCP'
      } and get the default priority`,
      got: reason,
      expected: `priority ${priority}`,
    })];
  }
  const landed = classify(view.port, { dscp, pcp });
  return landed.priority === priority ? [] : [findAt(view, 'priority-differs', kind, {
    message: `${
      nameOf(kind)
    } land in priority ${landed.priority}, group ${landed.group}, ${view.words.trafficClass} ${landed.trafficClass}`,
    got: landed.reason,
    expected: `priority ${priority}`,
  })];
}

function checkMarkedField(context: LintContext, kind: Kind, field: TrustMode,
  ports: readonly PortView[]): PlacedFinding[] {
  const value = sentMarking(context, kind)[field];
  const { [field]: intended, priority } = context.intent[kind];
  if (value === undefined || value === intended) return [];
  const lost = ports.filter(({ port }) =>
    port.trust === field && classify(port, { [field]: value }).priority !== priority
  );
  const where = lost.map(({ node, name, port }) =>
    `${node.name}.${name} (priority ${classify(port, { [field]: value }).priority})`
  );
  return [findAt(ports[0], lost.length > 0 ? 'marking-misplaced' : 'marking-unexpected', kind, {
    message: `${nameOf(kind)} carry another ${show(field)} than intended${
      lost.length > 0 ? `, and miss their priority at ${where.join(', ')}` : ''
    }`,
    got: `${show(field)} ${value}`,
    expected: `${show(field)} ${intended}`,
  })];
}

/** The ports whose maps decide: that of the sending NIC, then the ingress ports. */
function classifyingPorts({ ingress, egress }: LintContext, kind: Kind): readonly PortView[] {
  return [egress[kind][0], ...ingress[kind]];
}

function sentMarking({ path }: LintContext, kind: Kind): PacketMarking {
  return kind === 'data' ? path.sender.data : path.receiver.cnp;
}

function sharers(map: readonly number[], priority: number): number[] {
  return map.flatMap((target, other) => (other !== priority && target === map[priority] ? [other] : []));
}

function nameSharers(others: readonly number[], cnpPriority: number): string {
  return `${showPriorities(others)}${others.includes(cnpPriority) ? ` (${cnpPriority}: CNPs)` : ''}`;
}

function showTogether(priority: number, others: readonly number[]): string {
  return showPriorities([priority, ...others].toSorted((a, b) => a - b));
}

function nameOf(kind: Kind): string {
  return kind === 'data' ? 'RoCE data packets' : 'CNPs';
}

function show(field: TrustMode): string {
  return field.toUpperCase();
}
