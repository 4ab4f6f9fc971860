/** Creates the agents of an episode. */
import { RoceError } from '../errors.js';
import type { AgentControl, CompiledScenario, SimKernel } from '../sim/index.js';
import { checkAction, SWITCH_ACTIONS } from './actions.js';
import type { ActiveAgent, AgentKind } from './agent.js';
import { HOST_OBSERVATIONS, QP_OBSERVATIONS, SWITCH_OBSERVATIONS } from './observe.js';
import { PortWatch, QpWatch } from './watches.js';
import { readerOf } from './space.js';

/** A kernel before its first event, and the controls for its agents. */
export interface Opened {
  readonly compiled: CompiledScenario;
  readonly kernel: SimKernel;
  readonly control: AgentControl;
}

const readQp = readerOf(QP_OBSERVATIONS);
const readHost = readerOf(HOST_OBSERVATIONS);
const readSwitch = readerOf(SWITCH_OBSERVATIONS);

/** @throws RoceError `invalid-scenario` if the scenario has no agents of this kind. */
export function activeAgents(kind: AgentKind, opened: Opened): readonly ActiveAgent[] {
  const agents = { qps: qpAgents, hosts: hostAgents, switches: switchAgents }[kind](opened);
  if (agents.length > 0) return agents;
  const problem = { qps: 'has no QP', hosts: 'has no host that sends', switches: 'has no switch that marks packets' };
  throw new RoceError('invalid-scenario', { what: 'the scenario', problem: problem[kind], where: 'agents' });
}

function qpAgents({ compiled: { plan, algorithmNames, flowAlgorithms }, kernel, control }: Opened): ActiveAgent[] {
  return leadersOf(kernel).map((flow) => {
    const watch = new QpWatch(kernel, control, flow);
    return {
      agent: {
        name: `qp${flow}`,
        kind: 'qp',
        from: plan.nodes[plan.flows.source[flow]].name,
        to: plan.nodes[plan.flows.destination[flow]].name,
        algorithm: algorithmNames[flowAlgorithms[flow]],
        lineRateBps: watch.lineRateBps,
      },
      observe: (timePs) => readQp(watch.next(timePs)),
      prepare: (action, where) => {
        watch.check(action, where);
        return () => {
          watch.act(action);
        };
      },
      isDone: () => watch.isDone,
    };
  });
}

/** One agent per host that sends, in node order. */
function hostAgents({ kernel, control }: Opened): ActiveAgent[] {
  const { nodes, flows } = kernel.plan;
  const leaders = leadersOf(kernel);
  const senders = [...new Set(leaders.map((flow) => flows.source[flow]))].sort((a, b) => a - b);
  return senders.map((node) => {
    const own = leaders.filter((flow) => flows.source[flow] === node);
    const qps = own.map((flow) => new QpWatch(kernel, control, flow));
    const ports = portsOf({ kernel, control }, node);
    return {
      agent: {
        name: nodes[node].name,
        kind: 'host',
        lineRateBps: qps.reduce((least, { lineRateBps }) => Math.min(least, lineRateBps), Infinity),
        qps: qps.length,
      },
      observe: (timePs) =>
        readHost({
          qps: qps.map((qp) => qp.next(timePs)),
          ports: ports.map((port) => port.next(timePs)),
        }),
      prepare: (action, where) => {
        for (const qp of qps) qp.check(action, where);
        return () => {
          for (const qp of qps) qp.act(action);
        };
      },
      isDone: () => qps.every(({ isDone }) => isDone),
    };
  });
}

function switchAgents({ compiled: { portNames }, kernel, control }: Opened): ActiveAgent[] {
  const { nodes } = kernel.plan;
  return nodes.flatMap(({ kind, name, firstPort, portCount }, node) => {
    const ports = kind === 'switch' ? portsOf({ kernel, control }, node) : [];
    const marking = ports.filter(({ marks }) => marks);
    if (marking.length === 0) return [];
    return [{
      agent: { name, kind: 'switch', ports: portNames.slice(firstPort, firstPort + portCount) },
      observe: (timePs) =>
        readSwitch({
          ports: ports.map((port) => port.next(timePs)),
          bufferBytes: control.bufferBytes(node),
          marking: marking[0].marking,
        }),
      prepare: (action, where) => {
        checkAction(action, SWITCH_ACTIONS, 0, where);
        const changes = marking.map((port) => ({ port, to: port.changed(action, where) }));
        return () => {
          for (const { port, to } of changes) port.mark(to);
        };
      },
      isDone: () => false,
    }];
  });
}

/** The first flow of each QP. @throws RoceError `invalid-scenario` if messages share records. */
function leadersOf({ plan }: SimKernel): number[] {
  if (plan.messageRecords !== undefined) {
    const problem = 'has too many messages for an agent of each QP: they share records';
    const hint = "Fewer messages, or agents: 'switches'";
    throw new RoceError('invalid-scenario', { what: 'the scenario', problem, where: 'agents', hint });
  }
  const leaderOf = plan.connections?.leaderOf;
  return Array.from({ length: plan.flows.length }, (_, flow) => flow)
    .filter((flow) => leaderOf === undefined || leaderOf[flow] < 0 || leaderOf[flow] === flow);
}

function portsOf({ kernel, control }: Pick<Opened, 'kernel' | 'control'>, node: number): PortWatch[] {
  const { firstPort, portCount } = kernel.plan.nodes[node];
  return Array.from({ length: portCount }, (_, place) => new PortWatch(kernel, control, firstPort + place));
}
