/**
 * The linter's input from a scenario: the path of its first flow, each port set as recommended for the scenario's network, but for what the
 * compiled scenario says: PFC, memory, marking, transport, congestion control, and maps of `discovery.routers`.
 */
import type { NodeQos, HostQos } from '../../src/qos/path.js';
import type { PortQos } from '../../src/qos/qos-map.js';
import { recommendedHost, recommendedQos, ROCE_DSCP, ROCE_PRIORITY } from '../../src/qos/recommended.js';
import { compileScenario, type CompiledScenario } from '../../src/sim/compile/compile-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

/** Sending host, switches, receiving host. */
export function lintInput(spec: ScenarioSpec): NodeQos[] {
  // What a switch maps otherwise is a map to the linter, not PFC that is off.
  const { discovery, ...rest } = spec;
  const compiled = compileScenario(validateScenario(rest));
  const { plan, flowPaths } = compiled;
  const path = flowPaths.get(0);
  const rocePriority = (name: string): number =>
    discovery?.routers?.find(({ nodes }) => nodes.includes(name))?.rocePriority ?? ROCE_PRIORITY;
  const end = (port: number): HostQos => hostQos(compiled, port);
  const last = path.at(-1) ?? 0;
  return [
    end(path[0] ?? 0),
    ...path.slice(1).map((port, i): NodeQos => {
      const entry = plan.ports[path[i] ?? 0]?.peerPort ?? 0;
      const { name } = plan.nodes[plan.ports[port]?.node ?? 0] ?? { name: '' };
      const map = (qos: PortQos) => ({
        ...qos,
        dscpToPriority: qos.dscpToPriority.map((usual, dscp) => (dscp === ROCE_DSCP ? rocePriority(name) : usual)),
      });
      return {
        kind: 'switch',
        name,
        upstream: map(portQos(compiled, entry)),
        downstream: map(portQos(compiled, port)),
      };
    }),
    end(plan.ports[last]?.peerPort ?? 0),
  ];
}

function hostQos(compiled: CompiledScenario, port: number): HostQos {
  const { plan, spec } = compiled;
  const { network: profile = 'lossless' } = spec;
  const name = plan.nodes[plan.ports[port]?.node ?? 0]?.name ?? '';
  const [algorithm] = Object.values(spec.algorithms ?? {});
  const reacts = algorithm?.preset !== 'none';
  return {
    ...recommendedHost(name, { profile }),
    reactionPriorities: reacts ? [ROCE_PRIORITY] : [],
    notificationPriorities: spec.hosts?.notificationPoint === false ? [] : [ROCE_PRIORITY],
    recovery: spec.hosts?.transport === 'selective-repeat' ? 'selective-repeat' : 'go-back-n',
  };
}

/** Every port of the simulator honors PFC. */
function portQos({ plan, spec }: CompiledScenario, index: number): PortQos {
  const port = plan.ports[index];
  const node = plan.nodes[port?.node ?? 0];
  if (port === undefined || node === undefined) throw new Error(`no port ${index}`);
  const peer = plan.nodes[plan.ports[port.peerPort]?.node ?? 0]?.kind ?? 'host';
  const { network: profile = 'lossless' } = spec;
  const base = recommendedQos({ profile, linkRateBps: port.rateBps, linkDelayPs: port.delayPs }, {
    node: node.kind,
    peer,
  });
  const group = base.groups[ROCE_PRIORITY];
  const xoffBytes = singleXoffBytes(plan, port.node);
  return {
    ...base,
    pfc: { sendPriorities: node.pfc ? [ROCE_PRIORITY] : [], honourPriorities: [ROCE_PRIORITY] },
    groups: group?.kind === 'lossless' && node.pfc ?
      base.groups.with(ROCE_PRIORITY, {
        ...group,
        xoffBytes,
        xonBytes: Math.max(0, xoffBytes - plan.rules.resumeOffsetBytes),
        headroomBytes: port.headroomBytes,
      }) :
      base.groups,
    trafficClasses: base.trafficClasses.map((one, index) => ({
      ...one,
      ecn: index === ROCE_PRIORITY ? ecnOf(port) : one.ecn,
    })),
  };
}

function ecnOf({ ecn, kminBytes, kmaxBytes, pmax }: CompiledScenario['plan']['ports'][number]) {
  return ecn ? { minBytes: kminBytes, maxBytes: kmaxBytes, probability: pmax } : null;
}

/** Length at which the queue of a single sender reaches its share of what is free: x = (shared - x) / 2^shift. */
function singleXoffBytes({ nodes, ports, rules }: CompiledScenario['plan'], node: number): number {
  const own = ports.filter((port) => port.node === node);
  const setAside = own.reduce((sum, { headroomBytes }) => sum + headroomBytes + rules.reservedBytes, 0);
  const shift = Math.max(...own.map(({ thresholdShift }) => thresholdShift));
  return Math.floor(((nodes[node]?.bufferBytes ?? 0) - setAside) / (2 ** shift + 1));
}
