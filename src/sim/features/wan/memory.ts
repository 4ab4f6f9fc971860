/** Writes a WAN with tunnels into the kernel's memory, and reads its counters. */
import { writeArray, writeFields, readArray, readField, readFields } from '../../../abi/records/define-record.js';
import { WAN_CONTROL_ARN, WAN_CONTROL_NONE, WAN_LEVEL_FLOW, WAN_LEVEL_PRIORITY, WAN_LEVEL_SERVICE, WAN_NETWORK,
  WAN_NODE, WAN_PORT, WAN_SERVICE, ARN_ENTRY } from '../../../abi/records/wan.js';
import { SIM_WAN_ENTRIES, SIM_WAN_FLOWS, SIM_WAN_LISTS, SIM_WAN_NETWORK, SIM_WAN_NODES, SIM_WAN_PORTS,
  SIM_WAN_SERVICES } from '../../../abi/sim-codes.js';
import type { CapacityValues, KernelPart } from '../../kernel/kernel-part.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { NetworkPlan } from '../../plan.js';
import type { WanPlan } from './plan.js';

const CLASSES = 8;
const NODE_COUNTERS = ['encapsulated', 'decapsulated', 'wrapped', 'unwrapped', 'deniedIn', 'deniedOut'] as const;
const LEVELS = {
  service: WAN_LEVEL_SERVICE,
  flow: WAN_LEVEL_FLOW,
  priority: WAN_LEVEL_PRIORITY,
} as const;

export const WAN_MEMORY: KernelPart = { capacity, write: writeWan };

function capacity({ wan, flows }: NetworkPlan): CapacityValues {
  if (wan === undefined) return {};
  const arnPorts = wan.flowControl.ports.filter(({ control }) => control === 'arn').length;
  return { services: wan.services.length + 1, arnPorts, arnKeys: arnPorts > 0 ? keysOf(wan, flows.length) : 0 };
}

/** Number of services, flows or classes that ARNs distinguish. */
export function keysOf({ flowControl: { level }, services }: WanPlan, flows: number): number {
  return level === 'priority' ? CLASSES : level === 'flow' ? flows : services.length;
}

function writeWan(abi: SimAbi, { wan, nodes }: NetworkPlan): void {
  if (wan === undefined) return;
  const view = new DataView(abi.memory.buffer);
  const at = (region: number): number => abi.simRegion(region) >>> 0;
  writeNetwork(view, at(SIM_WAN_NETWORK), wan);
  writeNodes(abi, view, wan);
  wan.services.forEach(({ edges, overheadBytes, segments }, i) => {
    const own = recordAt(abi, SIM_WAN_SERVICES, WAN_SERVICE, i);
    writeArray(view, own, WAN_SERVICE, 'edges', edges);
    writeFields(view, own, WAN_SERVICE, { overheadBytes, segmentCount: segments.length });
    writeArray(view, own, WAN_SERVICE, 'segments', segments);
  });
  new Uint32Array(abi.memory.buffer, at(SIM_WAN_FLOWS)).set(wan.serviceOfFlow);
  wan.borders.forEach(({ permitIn, permitOut }, i) => {
    [permitIn, permitOut].forEach((permitted, direction) => {
      const list = at(SIM_WAN_LISTS) + (2 * i + direction) * nodes.length;
      for (const node of permitted) view.setUint8(list + node, 1);
    });
  });
  writePorts(abi, view, wan);
}

function writeNetwork(view: DataView, at: number, { flowControl, dataEcn, marksAll, wrapperBytes }: WanPlan): void {
  const { level, pauseTimePs, refreshPs, resumes, arnBytes } = flowControl;
  writeFields(view, at, WAN_NETWORK, {
    dataEcn,
    marksAll,
    wrapperBytes,
    arnBytes,
    level: LEVELS[level],
    resumes,
    pauseTimePs,
    refreshPs,
  });
}

function writeNodes(abi: SimAbi, view: DataView, { domains, edges, compatibilityEdges, borders }: WanPlan): void {
  domains.forEach((domain, node) => {
    writeFields(view, recordAt(abi, SIM_WAN_NODES, WAN_NODE, node), WAN_NODE, {
      domain,
      edgeOf: edges.findIndex((ofCenter) => ofCenter.includes(node)) + 1,
      compatibility: compatibilityEdges.includes(node),
      lists: borders.findIndex((border) => border.node === node) + 1,
    });
  });
}

function writePorts(abi: SimAbi, view: DataView, { flowControl: { ports } }: WanPlan): void {
  let place = 0;
  for (const { port, control: kind, xoffBytes, xonBytes } of ports) {
    const control = kind === 'arn' ? WAN_CONTROL_ARN : WAN_CONTROL_NONE;
    const at = recordAt(abi, SIM_WAN_PORTS, WAN_PORT, port);
    writeFields(view, at, WAN_PORT, { control, place, xoffBytes, xonBytes });
    place += Number(kind === 'arn');
  }
}

/** Counters of a node for tunnels and Fast CNPs. */
export interface RawWanNode {
  /** Packets that entered a tunnel here. */
  readonly encapsulated: number;
  /** Packets that left a tunnel here, including dropped ones. */
  readonly decapsulated: number;
  /** Fast CNPs that were sent from here to an END.CON SID. */
  readonly wrapped: number;
  /** Fast CNPs that arrived at an END.CON SID here. */
  readonly unwrapped: number;
  /** Fast CNPs that the access list denied on their way into the domain. */
  readonly deniedIn: number;
  /** Fast CNPs that the access list denied on their way out of the domain. */
  readonly deniedOut: number;
  /** Decapsulated packets, indexed by inner ECN code * 4 + outer ECN code. */
  readonly cells: readonly number[];
}

/** Counters of ARNs at a port. */
export interface RawWanPort {
  /** ARNs that it sent to begin a pause. */
  readonly arnsSent: number;
  /** ARNs that it repeated. */
  readonly arnsRefreshed: number;
  /** ARNs that it sent to end a pause. */
  readonly arnResumes: number;
  /** ARNs that it received. */
  readonly arnsReceived: number;
  /** Pauses of its egress queues that expired. */
  readonly arnsExpired: number;
  /** How long its egress queues were held, picoseconds, summed over services, flows or classes. */
  readonly arnHeldPs: number;
}

/** Reads the counters of tunnels and ARNs from the kernel's memory as it is now. */
export class WanReader {
  readonly #abi: SimAbi;
  readonly #wan: WanPlan;
  readonly #keys: number;
  readonly #view: DataView;

  constructor(abi: SimAbi, { flows }: NetworkPlan, wan: WanPlan) {
    this.#abi = abi;
    this.#wan = wan;
    this.#keys = keysOf(wan, flows.length);
    this.#view = new DataView(abi.memory.buffer);
  }

  /** Counters of a node. @param index of the node, below the plan's number of nodes. */
  node(index: number): RawWanNode {
    const at = recordAt(this.#abi, SIM_WAN_NODES, WAN_NODE, index);
    return {
      ...readFields(this.#view, at, WAN_NODE, NODE_COUNTERS),
      cells: readArray(this.#view, at, WAN_NODE, 'cells'),
    };
  }

  /** ARN counters of a port. @param index of the port, below the plan's number of ports. */
  port(index: number): RawWanPort {
    const at = recordAt(this.#abi, SIM_WAN_PORTS, WAN_PORT, index);
    const { sent, refreshed, resumes, received, expired, heldPs } = readFields(this.#view, at, WAN_PORT, [
      'sent',
      'refreshed',
      'resumes',
      'received',
      'expired',
      'heldPs',
    ]);
    return {
      arnsSent: sent,
      arnsRefreshed: refreshed,
      arnResumes: resumes,
      arnsReceived: received,
      arnsExpired: expired,
      arnHeldPs: heldPs,
    };
  }

  /** How long each service, flow or class was held, picoseconds, summed over ports. */
  heldPs(): readonly number[] {
    const arnPorts = this.#wan.flowControl.ports.filter(({ control }) => control === 'arn').length;
    return Array.from({ length: arnPorts > 0 ? this.#keys : 0 }, (_, key) => {
      let sum = 0;
      for (let port = 0; port < arnPorts; port++) {
        const at = recordAt(this.#abi, SIM_WAN_ENTRIES, ARN_ENTRY, port * this.#keys + key);
        sum += readField(this.#view, at, ARN_ENTRY, 'heldPs');
      }
      return sum;
    });
  }
}
