/**
 * Input of the linter: the nodes that RoCE packets traverse, from the sending host to the receiving host.
 *
 *   host A [port]  --  [upstream] switch [downstream]  --  ...  --  [port] host B
 *
 * Data goes from the first host to the last, CNPs return. Markings do not change: no node rewrites a DSCP or a PCP, and
 * tags survive every hop.
 */
import { checkField, checkFields, checkKeys, checkRecord, oneOf, orValue, reject, wholeIn, type FieldRule,
  type FieldRules } from '../config/field-rules.js';
import type { PacketMarking } from './classify.js';
import type { LossRecovery } from './network-profiles.js';
import { DSCP_COUNT, PRIORITY_COUNT, type PortQos } from './qos-map.js';
import { ANYTHING, checkPriorities, validatePortQos } from './validate-qos.js';

/** A host's NIC. */
export interface HostQos {
  /** Marks the settings of a host. */
  readonly kind: 'host';
  /** Name of the host, for findings. */
  readonly name: string;
  /** QoS settings of the host's port. */
  readonly port: PortQos;
  /** Marking of the RoCE data packets that the host sends. */
  readonly data: PacketMarking;
  /** Marking of the CNPs that the host sends. */
  readonly cnp: PacketMarking;
  /** Priorities whose senders slow down on CNPs (reaction point), ascending. */
  readonly reactionPriorities: readonly number[];
  /** Priorities whose marked packets cause CNPs (notification point), ascending. */
  readonly notificationPriorities: readonly number[];
  /** Retransmission method of the host. */
  readonly recovery: LossRecovery;
}

/** A switch, with the two ports that the path uses. */
export interface SwitchQos {
  /** Marks the settings of a switch. */
  readonly kind: 'switch';
  /** Name of the switch, for findings. */
  readonly name: string;
  /** Port facing the sending host. */
  readonly upstream: PortQos;
  /** Port facing the receiving host. */
  readonly downstream: PortQos;
}

/** The settings of one node on a path. */
export type NodeQos = HostQos | SwitchQos;

/** Names of ports on a path. */
export type PortName = 'port' | 'upstream' | 'downstream';

/** The nodes of a path: a host, any number of switches, a host. */
export interface QosPath {
  /** Source of the data. */
  readonly sender: HostQos;
  /** Switches in the order of the path. */
  readonly switches: readonly SwitchQos[];
  /** Destination of the data. */
  readonly receiver: HostQos;
}

const NAME_RULE: FieldRule = {
  allowed: 'a name',
  accepts: (value) => typeof value === 'string' && value !== '',
};
const HOST_RULES: FieldRules<HostQos> = {
  kind: oneOf('host', 'switch'),
  name: NAME_RULE,
  port: ANYTHING,
  data: ANYTHING,
  cnp: ANYTHING,
  reactionPriorities: ANYTHING,
  notificationPriorities: ANYTHING,
  recovery: oneOf('go-back-n', 'selective-repeat'),
};
const SWITCH_RULES: FieldRules<SwitchQos> = {
  kind: oneOf('host', 'switch'),
  name: NAME_RULE,
  upstream: ANYTHING,
  downstream: ANYTHING,
};

/**
 * Validates a path: hosts at both ends, switches between, unique names, valid settings.
 * @throws RoceError `invalid-config` naming the node and the setting: `hops[1].upstream.pcpToPriority[3]`.
 */
export function validatePath(hops: readonly NodeQos[]): QosPath {
  if (!Array.isArray(hops) || hops.length < 2) {
    return reject({ got: Array.isArray(hops) ? hops.length : hops, allowed: 'at least two hosts', where: 'hops' });
  }
  const nodes = Array.from(hops, (node, index) => checkNode(node, index, hops.length));
  nodes.forEach((node, index) => {
    const first = nodes.findIndex((other) => other.name === node.name);
    if (first !== index) {
      reject({ problem: `is that of hops[${first}] too`, got: node.name, where: `hops[${index}].name` });
    }
  });
  return {
    sender: nodes[0] as HostQos,
    switches: nodes.slice(1, -1) as SwitchQos[],
    receiver: nodes[nodes.length - 1] as HostQos,
  };
}

/** Returns the same nodes from the other end, for traffic sent by the receiver. */
export function reversePath(hops: readonly NodeQos[]): NodeQos[] {
  if (!Array.isArray(hops)) reject({ got: hops, allowed: 'a list of hops', where: 'hops' });
  for (const hop of hops) checkRecord(hop, 'hops');
  return hops.toReversed().map(turnNode);
}

function turnNode(node: NodeQos): NodeQos {
  return node.kind === 'host' ? node : { ...node, upstream: node.downstream, downstream: node.upstream };
}

function checkNode(node: unknown, index: number, count: number): NodeQos {
  const name = `hops[${index}]`;
  const isEnd = index === 0 || index === count - 1;
  const kind = checkRecord(node, name).kind;
  checkField(kind, oneOf(isEnd ? 'host' : 'switch'), `${name}.kind`);
  return isEnd ? checkHost(node, name) : checkSwitch(node, name);
}

function checkHost(node: unknown, name: string): HostQos {
  const host = checkFields(node, HOST_RULES, name);
  validatePortQos(host.port, `${name}.port`);
  checkMarking(host.data, `${name}.data`);
  checkMarking(host.cnp, `${name}.cnp`);
  checkPriorities(host.reactionPriorities, `${name}.reactionPriorities`);
  checkPriorities(host.notificationPriorities, `${name}.notificationPriorities`);
  return host;
}

function checkSwitch(node: unknown, name: string): SwitchQos {
  const value = checkFields(node, SWITCH_RULES, name);
  validatePortQos(value.upstream, `${name}.upstream`);
  validatePortQos(value.downstream, `${name}.downstream`);
  return value;
}

function checkMarking(value: unknown, name: string): void {
  const marking = checkRecord(value, name);
  checkKeys(marking, ['dscp', 'pcp'], name);
  checkField(marking.dscp, orValue(undefined, wholeIn(0, DSCP_COUNT - 1)), `${name}.dscp`);
  checkField(marking.pcp, orValue(undefined, wholeIn(0, PRIORITY_COUNT - 1)), `${name}.pcp`);
}
