/**
 * Settings of discovery: resolves those of the scenario, describes nodes to discovery from the run's settings, and
 * applies an accepted policy to these.
 *
 * A switch has PFC and ECN for the classes of the scenario's data. If a switch maps the DSCP of data to another
 * priority, its data gets neither PFC nor marks in the run. Known deviation: such a switch would also ignore a pause of
 * the data's class; in the run it does not.
 */
import { createNode, RECOMMENDED_NODE_QOS, type DiscoveryNode, type NodeQos } from '../../../discovery/node.js';
import { dscpOfClass, addressOfNode } from '../../../switching/network-addresses.js';
import { PS_PER_US } from '../../../units.js';
import { QosData } from '../../../wire/discovery/qos-data.js';
import type { IpPrefix } from '../../../wire/ip/ip-address.js';
import { DEFAULT_DISCOVERY, PLAIN_ROUTER } from '../../scenario/defaults.js';
import { type NodeFinders, rejectScenario } from '../../scenario/scenario-error.js';
import { asSettings } from '../../scenario/setting-words.js';
import type { ScenarioSpec } from '../../scenario/spec.js';
import type { ValidDiscovery, ValidDiscoveryRouter, KernelScenario } from '../../scenario/valid-scenario.js';

const DSCP_CLASS_SHIFT = 3;
const MAPPED_PREFIX_BYTES = 12;
const IPV4_NET = 10;
/** Matches every IPv4 and IPv6 address. */
const ANYONE: readonly IpPrefix[] = [{ address: new Uint8Array(16), lengthBits: 0 }];

/**
 * Resolves the setting `discovery`.
 *
 * @param hasTunnels whether there is a WAN with provider edges.
 * @throws RoceError `invalid-scenario` for an unknown switch, a policy that contradicts the network preset, and tunnels.
 */
export function resolveDiscovery({ discovery, network }: ScenarioSpec, hasTunnels: boolean, named: NodeFinders):
  | ValidDiscovery
  | null {
  if (discovery === undefined) return null;
  if (hasTunnels) {
    rejectScenario({
      what: 'discovery',
      problem: 'is not supported for a WAN with provider edges, whose routers see only outer headers',
      got: discovery,
      where: 'discovery',
      hint: 'Leave out discovery, or topology.wan.edges',
    });
  }
  const { form, onMismatch, timeoutUs, routers = [] } = { ...DEFAULT_DISCOVERY, ...discovery };
  if (onMismatch === 'push' && network !== undefined && network !== 'lossless') {
    rejectScenario({
      what: 'discovery.onMismatch',
      problem: `contradicts the network ${network}, as the policy enables PFC`,
      got: onMismatch,
      allowed: ['report', 'refuse'],
      where: 'discovery.onMismatch',
    });
  }
  const byNode = new Map<number, ValidDiscoveryRouter>();
  routers.forEach(({ nodes, ...given }, i) => {
    nodes.forEach((name, j) => {
      const node = named.switch(name, `discovery.routers[${i}].nodes[${j}]`);
      byNode.set(node, { ...PLAIN_ROUTER, ...byNode.get(node), ...given });
    });
  });
  const timeoutPs = Math.max(1, Math.round(timeoutUs * PS_PER_US));
  return { form, onMismatch, timeoutPs, routers: byNode };
}

/** The policy for data of a class: lossless, and ECN-marked if the scenario's general settings enable ECN. */
export function policyFor(valid: KernelScenario, dataClasses: number, trafficClass: number): QosData {
  const { cnpDscp, trustMode } = RECOMMENDED_NODE_QOS;
  const isMarking = valid.spec.network === 'lossless' || (asSettings(valid.spec.switches?.ecn)?.enabled ?? true);
  return {
    kind: QosData.KIND_CHECK,
    losslessPriorities: dataClasses,
    pfcPriorities: dataClasses,
    ecnPriorities: isMarking ? dataClasses : 0,
    trustMode,
    roceDscp: dscpOfClass(trafficClass),
    rocePriority: trafficClass,
    cnpDscp,
    cnpPriority: cnpDscp >> DSCP_CLASS_SHIFT,
  };
}

/** A switch or a host, as it describes itself in replies. */
export function discoveryNode(valid: KernelScenario, node: number, dataClasses: number): DiscoveryNode {
  const { form = 'ipv6', routers } = valid.discovery ?? {};
  const address = discoveryAddress(form, node);
  if (valid.switches[node] !== null) {
    const { takesPolicies } = routers?.get(node) ?? PLAIN_ROUTER;
    return createNode({
      address,
      qos: switchQos(valid, node, dataClasses),
      policyFrom: takesPolicies ? ANYONE : [],
    });
  }
  const isLossy = neverPauses(valid, node);
  return createNode({ address, qos: hostQos(isLossy, dataClasses), policyFrom: isLossy ? [] : ANYONE });
}

function switchQos(valid: KernelScenario, node: number, dataClasses: number): Partial<NodeQos> {
  const settings = valid.switches[node];
  const priority = valid.discovery?.routers.get(node)?.rocePriority ?? null;
  const lossless = settings?.pfc === true ? dataClasses : 0;
  const marking = settings?.ecn.enabled === true ? dataClasses : 0;
  const { dscpToPriority } = RECOMMENDED_NODE_QOS;
  return {
    losslessPriorities: lossless,
    pfcPriorities: lossless,
    ecnPriorities: marking,
    dscpToPriority: priority === null ?
      dscpToPriority :
      dscpToPriority.map((usual, dscp) => isOfData(dscp, dataClasses) ? priority : usual),
  };
}

/** Whether a node is a slow receiver without PFC. Its adapter can't pause the switch, so it accepts no policy either. */
function neverPauses({ faults, network }: KernelScenario, node: number): boolean {
  return faults.some((fault) =>
    fault.kind === 'slow-receiver' && fault.pfc === false && fault.host === network.nodes[node].name
  );
}

function hostQos(isLossy: boolean, dataClasses: number): Partial<NodeQos> {
  const lossless = isLossy ? 0 : dataClasses;
  return { losslessPriorities: lossless, pfcPriorities: lossless, ecnPriorities: dataClasses };
}

function isOfData(dscp: number, dataClasses: number): boolean {
  return [0, 1, 2, 3, 4, 5, 6, 7].some((one) => (dataClasses & (1 << one)) !== 0 && dscpOfClass(one) === dscp);
}

/** The settings that the flows use: a switch that maps data to another priority gives it neither PFC nor ECN. */
export function withWrongMaps(valid: KernelScenario, dataClasses: number): KernelScenario {
  const { discovery } = valid;
  if (discovery === null) return valid;
  return {
    ...valid,
    switches: valid.switches.map((settings, node) => {
      const priority = discovery.routers.get(node)?.rocePriority ?? null;
      if (settings === null || priority === null || dataClasses === 1 << priority) return settings;
      return { ...settings, pfc: false, ecn: { ...settings.ecn, enabled: false } };
    }),
  };
}

/** The scenario with the settings of switches after they accepted a policy. */
export function withTaken(valid: KernelScenario, taken: ReadonlyMap<number, DiscoveryNode>,
  dataClasses: number): KernelScenario {
  const { discovery } = valid;
  if (discovery === null || taken.size === 0) return valid;
  const routers = new Map(discovery.routers);
  for (const node of taken.keys()) {
    const router = routers.get(node);
    if (router !== undefined) routers.set(node, { ...router, rocePriority: null });
  }
  return {
    ...valid,
    discovery: { ...discovery, routers },
    switches: valid.switches.map((settings, node) => {
      const qos = taken.get(node)?.qos;
      if (settings === null || qos === undefined) return settings;
      const pfc = (qos.pfcPriorities & dataClasses) === dataClasses;
      return { ...settings, pfc, ecn: { ...settings.ecn, enabled: (qos.ecnPriorities & dataClasses) !== 0 } };
    }),
  };
}

/** The address of a node, 16 bytes: the IPv6 address of captures, or in IPv4 10.0.0.0/8 plus the node's index + 1. An IPv4 address is mapped into IPv6 (RFC 4291, section 2.5.5.2). */
export function discoveryAddress(form: 'ipv4' | 'ipv6', node: number): Uint8Array {
  if (form === 'ipv6') return addressOfNode(node);
  const bytes = new Uint8Array(16);
  bytes.fill(0xff, MAPPED_PREFIX_BYTES - 2, MAPPED_PREFIX_BYTES);
  new DataView(bytes.buffer).setUint32(MAPPED_PREFIX_BYTES, IPV4_NET * 2 ** 24 + node + 1);
  return bytes;
}
