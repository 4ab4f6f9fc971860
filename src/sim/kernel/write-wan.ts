/** Writes a WAN with tunnels into the kernel's memory. */
import * as layout from '../../abi/wan-layout.js';
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
  writeNetwork(view, at(layout.SIM_WAN_NETWORK), wan);
  writeNodes(view, at(layout.SIM_WAN_NODES), wan);
  wan.services.forEach((service, i) => {
    const own = at(layout.SIM_WAN_SERVICES) + i * layout.WAN_SERVICE_BYTES;
    const { edges, overheadBytes, segments } = service;
    writeWords(view, own + layout.WAN_SERVICE_EDGES, edges);
    writeWords(view, own + layout.WAN_SERVICE_OVERHEAD, [overheadBytes, segments.length, ...segments]);
  });
  writeWords(view, at(layout.SIM_WAN_FLOWS), wan.serviceOfFlow);
  wan.borders.forEach(({ permitIn, permitOut }, i) => {
    [permitIn, permitOut].forEach((permitted, direction) => {
      const list = at(layout.SIM_WAN_LISTS) + (2 * i + direction) * nodes.length;
      for (const node of permitted) view.setUint8(list + node, 1);
    });
  });
  writePorts(view, at(layout.SIM_WAN_PORTS), wan.flowControl);
}

function writeNetwork(view: DataView, at: number, wan: WanPlan): void {
  const { level, pauseTimePs, refreshPs, resumes, arnBytes } = wan.flowControl;
  writeWords(view, at, [
    wan.dataEcn,
    Number(wan.marksAll),
    wan.wrapperBytes,
    arnBytes,
    LEVELS[level],
    Number(resumes),
  ]);
  view.setFloat64(at + layout.WAN_PAUSE_TIME, pauseTimePs, true);
  view.setFloat64(at + layout.WAN_REFRESH, refreshPs, true);
}

function writeNodes(view: DataView, at: number, { domains, edges, compatibilityEdges, borders }: WanPlan): void {
  domains.forEach((domain, node) => {
    const own = at + node * layout.WAN_NODE_BYTES;
    const edgeOf = edges.findIndex((ofCenter) => ofCenter.includes(node)) + 1;
    const list = borders.findIndex((border) => border.node === node) + 1;
    writeWords(view, own, [domain, edgeOf, Number(compatibilityEdges.includes(node)), list]);
  });
}

function writePorts(view: DataView, at: number, { ports }: WanFlowControlPlan): void {
  let place = 0;
  for (const { port, control, xoffBytes, xonBytes } of ports) {
    const kind = control === 'arn' ? layout.WAN_CONTROL_ARN : layout.WAN_CONTROL_NONE;
    writeWords(view, at + port * layout.WAN_PORT_BYTES, [kind, place, xoffBytes, xonBytes]);
    place += Number(control === 'arn');
  }
}

function writeWords(view: DataView, at: number, words: readonly number[]): void {
  words.forEach((word, i) => {
    view.setUint32(at + 4 * i, word, true);
  });
}
