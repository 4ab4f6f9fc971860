/** The records of a WAN with tunnels. A plan without a WAN allocates none, and checks one global. */
import { SIM_NONE, SIM_WAN_ENTRIES, SIM_WAN_FLOWS, SIM_WAN_LISTS, SIM_WAN_NETWORK, SIM_WAN_NODES, SIM_WAN_PORTS,
  SIM_WAN_SERVICES } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { flowCount, indexOfNode, indexOfPort, nodeCount, portCount, simCapacity } from '../network';
import { packetPart } from '../packets';
import { publish } from '../regions';
import { SIM_CAPACITY_ARN_KEYS, SIM_CAPACITY_ARN_PORTS, SIM_CAPACITY_SERVICES } from '../../records/sim-run';
import { ARN_ENTRY_BYTES, ArnEntry, WAN_NETWORK_BYTES, WAN_NODE_BYTES, WAN_PART_BYTES, WAN_PORT_BYTES,
  WAN_SERVICE_BYTES, WanNetwork, WanNode, WanPart, WanPort, WanService } from '../../records/wan';
import { SimFlow, SimNode, SimPacket, SimPort } from '../../records/network';

export let tunnelled: bool = false;
/** Whether ports use ARNs, and the number of keys per port: services, flows or classes. */
export let arns: bool = false;
export let keyCount: u32 = 0;

let network: usize = 0;
let nodes: usize = 0;
let services: usize = 0;
let flows: usize = 0;
let lists: usize = 0;
let ports: usize = 0;
let entries: usize = 0;

export function allocateWan(): void {
  const stated = simCapacity(SIM_CAPACITY_SERVICES);
  const arnPorts = simCapacity(SIM_CAPACITY_ARN_PORTS);
  tunnelled = stated != 0;
  arns = arnPorts != 0;
  keyCount = simCapacity(SIM_CAPACITY_ARN_KEYS);
  if (!tunnelled) return;
  network = publish(SIM_WAN_NETWORK, allocate(WAN_NETWORK_BYTES));
  nodes = publish(SIM_WAN_NODES, allocate(<usize>nodeCount * WAN_NODE_BYTES));
  services = publish(SIM_WAN_SERVICES, allocate(<usize>(stated - 1) * WAN_SERVICE_BYTES));
  flows = publish(SIM_WAN_FLOWS, allocate(<usize>flowCount << 2));
  // A byte per node and direction; at most all nodes are borders.
  lists = publish(SIM_WAN_LISTS, allocate(<usize>nodeCount * nodeCount << 1));
  ports = publish(SIM_WAN_PORTS, allocate(<usize>portCount * WAN_PORT_BYTES));
  entries = publish(SIM_WAN_ENTRIES, allocate(<usize>arnPorts * keyCount * ARN_ENTRY_BYTES));
}

/** Size of the additional part of packets. */
export function wanPartBytes(): u32 {
  return tunnelled ? WAN_PART_BYTES : 0;
}

@inline export function wanNetwork(): WanNetwork {
  return changetype<WanNetwork>(network);
}

@inline export function wanNode(index: u32): WanNode {
  return changetype<WanNode>(nodes + <usize>index * WAN_NODE_BYTES);
}

@inline export function wanNodeOf(node: SimNode): WanNode {
  return wanNode(indexOfNode(node));
}

@inline export function serviceOf(flow: u32): WanService {
  return changetype<WanService>(services + <usize>serviceNumberOf(flow) * WAN_SERVICE_BYTES);
}

@inline export function serviceNumberOf(flow: u32): u32 {
  return load<u32>(flows + (<usize>flow << 2));
}

/** Whether a border lets Fast CNPs of this switch pass. `direction`: 0 in, 1 out. */
@inline export function isPermitted(list: u32, direction: u32, origin: u32): bool {
  return load<u8>(lists + <usize>((list << 1) + direction) * nodeCount + origin) != 0;
}

@inline export function wanPort(port: SimPort): WanPort {
  return changetype<WanPort>(ports + <usize>indexOfPort(port) * WAN_PORT_BYTES);
}

@inline export function arnEntry(own: WanPort, key: u32): ArnEntry {
  return changetype<ArnEntry>(entries + <usize>(own.place * keyCount + key) * ARN_ENTRY_BYTES);
}

@inline export function tunnelOf(packet: SimPacket): WanPart {
  return changetype<WanPart>(packetPart(packet));
}

@inline export function isInTunnel(packet: SimPacket): bool {
  return tunnelOf(packet).end != SIM_NONE;
}

/** Number of the data centre, or of the WAN, that a host, switch or router belongs to. */
@inline export function domainOf(node: u32): u32 {
  return wanNode(node).domain;
}

/** The destination host of a packet. */
@inline export function hostOf(packet: SimPacket, flow: SimFlow, isData: bool): u32 {
  return isData ? flow.destination : flow.source;
}
