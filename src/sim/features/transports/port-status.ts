/** Port status updates of MRC: which hosts with several planes notify which peers. */
import { SIM_PORT_STATUS } from '../../../abi/sim-regions.js';
import { writeFields } from '../../../abi/records/fields.js';
import { STATUS_PAIR } from '../../../abi/records/transports.js';
import { peerOf, type Graph } from '../../compile/graph.js';
import { ENDPOINT_REQUEST_BYTES, ENDPOINT_RESPONSE_BYTES } from '../../compile/packet-sizes.js';
import type { FlowPlans } from '../../flow-plans.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import type { ConnectionsPlan } from '../../plan.js';
import type { PortStatusPair, PortStatusPlan, TransportsPlan } from './plan.js';

/** An update is sent once and retransmitted up to 7 times, the maximum of an RC queue pair (IBTA, retry count of 3 bits). */
const SENDS = 8;

/** The inputs of the plan of updates. */
export interface PortStatusContext {
  readonly graph: Graph;
  readonly flows: FlowPlans;
  readonly connections: ConnectionsPlan | undefined;
}

/** The plan of updates; empty if no host notifies another one. @throws RoceError `invalid-scenario` where senders choose whole paths. */
export function portStatusOf(valid: ValidScenario, transports: Pick<TransportsPlan, 'kinds' | 'kindOf'>,
  context: PortStatusContext): { readonly portStatus?: PortStatusPlan } {
  if (!valid.hosts.mrc.portStatus || context.graph.network.planes === undefined) return {};
  const pairs = pairsOf(transports, context);
  if (pairs.length === 0) return {};
  requireHashedRoutes(valid);
  const sizes = { requestBytes: ENDPOINT_REQUEST_BYTES, responseBytes: ENDPOINT_RESPONSE_BYTES };
  return { portStatus: { pairs, sends: SENDS, ...sizes } };
}

function requireHashedRoutes({ switches }: ValidScenario): void {
  if (!switches.some((own) => own?.balancingRule === 'source-route')) return;
  rejectScenario({
    what: 'hosts.mrc.portStatus',
    problem: 'needs adapters that choose planes, but source routes contain them',
    got: { portStatus: true, loadBalancing: 'source-route' },
    where: 'hosts.mrc.portStatus',
    hint: 'Set switches.loadBalancing to another rule, or leave hosts.mrc.portStatus out',
  });
}

/** Pairs of hosts with an MRC flow between them, which notify each other, in order of the first such flow. */
function pairsOf({ kinds, kindOf }: Pick<TransportsPlan, 'kinds' | 'kindOf'>,
  { graph, flows, connections }: PortStatusContext): PortStatusPair[] {
  const pairs = new Map<string, PortStatusPair>();
  const adapterOf = (host: number): number => peerOf(graph, graph.firstPort[host]);
  const add = (host: number, peer: number, flow: number): void => {
    const key = `${host} ${peer}`;
    if (!pairs.has(key))
      pairs.set(key, { host, adapter: adapterOf(host), peer, peerAdapter: adapterOf(peer), flow });
  };
  for (let flow = 0; flow < flows.length; flow++) {
    if (kinds[kindOf[flow]].transport !== 'mrc') continue;
    const [source, destination] = [flows.source[flow], flows.destination[flow]];
    const leader = connections?.leaderOf[flow] ?? -1;
    add(source, destination, leader < 0 ? flow : leader);
    add(destination, source, leader < 0 ? flow : leader);
  }
  return [...pairs.values()];
}

/** Writes the pairs into the kernel's memory, with all ports working. */
export function writePortStatus(abi: SimAbi, nodes: readonly { readonly portCount: number }[],
  { pairs, ...settings }: PortStatusPlan): void {
  const view = new DataView(abi.memory.buffer);
  pairs.forEach((pair, index) => {
    const planes = nodes[pair.adapter].portCount - 1;
    writeFields(view, recordAt(abi, SIM_PORT_STATUS, STATUS_PAIR, index), STATUS_PAIR, {
      ...pair,
      ...settings,
      ports: 2 ** planes - 1,
    });
  });
}
