/** Writes a WAN with tunnels into the kernel's memory. */
import * as layout from '../../abi/wan-layout.js';
import { SIM_WAN_FLOWS, SIM_WAN_LISTS, SIM_WAN_NETWORK, SIM_WAN_NODES, SIM_WAN_PORTS,
  SIM_WAN_SERVICES } from '../../abi/sim-regions.js';
import type { NetworkPlan } from '../plan.js';
import type { WanFlowControlPlan, WanPlan } from '../wan-plan.js';
import type { SimAbi } from './sim-abi.js';

const CLASSES = 8;
const LEVELS = {
  service: layout.WAN_LEVEL_SERVICE,
  flow: layout.WAN_LEVEL_FLOW,
  priority: layout.WAN_LEVEL_PRIORITY,
} as const;

/** Its sizes in the capacity. */
export function wanCapacity({ wan, flows }: NetworkPlan): Record<'services' | 'arnPorts' | 'arnKeys', number> {
  if (wan === undefined) return { services: 0, arnPorts: 0, arnKeys: 0 };
  const arnPorts = wan.flowControl.ports.filter(({ control }) => control === 'arn').length;
  return { services: wan.services.length + 1, arnPorts, arnKeys: arnPorts > 0 ? keysOf(wan, flows.length) : 0 };
}

/** Number of services, flows or classes that ARNs distinguish. */
export function keysOf({ flowControl: { level }, services }: WanPlan, flows: number): number {
  return level === 'priority' ? CLASSES : level === 'flow' ? flows : services.length;
}

export function writeWan(abi: SimAbi, { wan, nodes }: NetworkPlan): void {
  if (wan === undefined) return;
  const view = new DataView(abi.memory.buffer);
  const at = (region: number): number => abi.simRegion(region) >>> 0;
  writeNetwork(view, at(SIM_WAN_NETWORK), wan);
  writeNodes(view, at(SIM_WAN_NODES), wan);
  wan.services.forEach((service, i) => {
    const own = at(SIM_WAN_SERVICES) + i * layout.WAN_SERVICE_BYTES;
    const { edges, overheadBytes, segments } = service;
    writeWords(view, own + layout.WAN_SERVICE_EDGES, edges);
    view.setUint32(own + layout.WAN_SERVICE_OVERHEAD, overheadBytes, true);
    view.setUint32(own + layout.WAN_SERVICE_SEGMENT_COUNT, segments.length, true);
    writeWords(view, own + layout.WAN_SERVICE_SEGMENTS, segments);
  });
  writeWords(view, at(SIM_WAN_FLOWS), wan.serviceOfFlow);
  wan.borders.forEach(({ permitIn, permitOut }, i) => {
    [permitIn, permitOut].forEach((permitted, direction) => {
      const list = at(SIM_WAN_LISTS) + (2 * i + direction) * nodes.length;
      for (const node of permitted) view.setUint8(list + node, 1);
    });
  });
  writePorts(view, at(SIM_WAN_PORTS), wan.flowControl);
}

function writeNetwork(view: DataView, at: number, wan: WanPlan): void {
  const { level, pauseTimePs, refreshPs, resumes, arnBytes } = wan.flowControl;
  view.setUint32(at + layout.WAN_DATA_ECN, wan.dataEcn, true);
  view.setUint32(at + layout.WAN_MARKS_ALL, Number(wan.marksAll), true);
  view.setUint32(at + layout.WAN_WRAPPER_BYTES, wan.wrapperBytes, true);
  view.setUint32(at + layout.WAN_ARN_BYTES, arnBytes, true);
  view.setUint32(at + layout.WAN_LEVEL, LEVELS[level], true);
  view.setUint32(at + layout.WAN_RESUMES, Number(resumes), true);
  view.setFloat64(at + layout.WAN_PAUSE_TIME, pauseTimePs, true);
  view.setFloat64(at + layout.WAN_REFRESH, refreshPs, true);
}

function writeNodes(view: DataView, at: number, { domains, edges, compatibilityEdges, borders }: WanPlan): void {
  domains.forEach((domain, node) => {
    const own = at + node * layout.WAN_NODE_BYTES;
    const edgeOf = edges.findIndex((ofCenter) => ofCenter.includes(node)) + 1;
    const list = borders.findIndex((border) => border.node === node) + 1;
    view.setUint32(own + layout.WAN_NODE_DOMAIN, domain, true);
    view.setUint32(own + layout.WAN_NODE_EDGE_OF, edgeOf, true);
    view.setUint32(own + layout.WAN_NODE_COMPATIBILITY, Number(compatibilityEdges.includes(node)), true);
    view.setUint32(own + layout.WAN_NODE_LISTS, list, true);
  });
}

function writePorts(view: DataView, at: number, { ports }: WanFlowControlPlan): void {
  let place = 0;
  for (const { port, control, xoffBytes, xonBytes } of ports) {
    const kind = control === 'arn' ? layout.WAN_CONTROL_ARN : layout.WAN_CONTROL_NONE;
    const own = at + port * layout.WAN_PORT_BYTES;
    view.setUint32(own + layout.WAN_PORT_CONTROL, kind, true);
    view.setUint32(own + layout.WAN_PORT_PLACE, place, true);
    view.setUint32(own + layout.WAN_PORT_XOFF, xoffBytes, true);
    view.setUint32(own + layout.WAN_PORT_XON, xonBytes, true);
    place += Number(control === 'arn');
  }
}

function writeWords(view: DataView, at: number, words: readonly number[]): void {
  words.forEach((word, i) => {
    view.setUint32(at + 4 * i, word, true);
  });
}
