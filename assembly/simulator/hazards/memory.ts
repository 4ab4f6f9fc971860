/** The records of PFC's hazards. A plan without hazards allocates none, and checks one global. */
import { SIM_HAZARD_DEADLOCKS, SIM_HAZARD_FLOWS, SIM_HAZARD_NETWORK, SIM_HAZARD_NODES, SIM_HAZARD_PORTS,
  SIM_HAZARD_STORMS, SIM_NONE } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { flowCount, indexOfPort, nodeCount, portCount, simCapacity } from '../network';
import { publish } from '../regions';
import { SIM_CAPACITY_HAZARDS } from '../../records/sim-run';
import { DEADLOCKS_KEPT, DEADLOCK_BYTES, Deadlock, HAZARD_CLASS_BYTES, HAZARD_FLOW_BYTES, HAZARD_NETWORK_BYTES,
  HAZARD_NODE_BYTES, HAZARD_PORT_BYTES, HazardClass, HazardFlow, HazardNetwork, HazardNode, HazardPort, STORM_BYTES,
  Storm } from '../../records/hazards';
import { SimPort } from '../../records/network';
import { CLASSES } from '../classes';

export let hazardous: bool = false;
export let stormCount: u32 = 0;

let network: usize = 0;
let ports: usize = 0;
let classes: usize = 0;
let flows: usize = 0;
let nodes: usize = 0;
let storms: usize = 0;
let deadlocks: usize = 0;

export function allocateHazards(): void {
  const stated = simCapacity(SIM_CAPACITY_HAZARDS);
  hazardous = stated != 0;
  if (!hazardous) return;
  stormCount = stated - 1;
  network = publish(SIM_HAZARD_NETWORK, allocate(HAZARD_NETWORK_BYTES));
  ports = publish(SIM_HAZARD_PORTS, allocate(<usize>portCount * HAZARD_PORT_BYTES));
  classes = allocate(<usize>portCount * CLASSES * HAZARD_CLASS_BYTES);
  flows = publish(SIM_HAZARD_FLOWS, allocate(<usize>flowCount * HAZARD_FLOW_BYTES));
  nodes = publish(SIM_HAZARD_NODES, allocate(<usize>nodeCount * HAZARD_NODE_BYTES));
  storms = publish(SIM_HAZARD_STORMS, allocate(<usize>stormCount * STORM_BYTES));
  deadlocks = publish(SIM_HAZARD_DEADLOCKS, allocate(DEADLOCKS_KEPT * DEADLOCK_BYTES));
}

/** Initialises the ports, with empty receive buffers. */
export function beginHazardPorts(): void {
  for (let index: u32 = 0; index < portCount; index++) {
    const own = changetype<HazardPort>(ports + <usize>index * HAZARD_PORT_BYTES);
    own.head = own.tail = SIM_NONE;
  }
}

@inline export function hazardNetwork(): HazardNetwork {
  return changetype<HazardNetwork>(network);
}

@inline export function hazardPort(port: SimPort): HazardPort {
  return changetype<HazardPort>(ports + <usize>indexOfPort(port) * HAZARD_PORT_BYTES);
}

@inline export function hazardClass(port: u32, cls: u32): HazardClass {
  return changetype<HazardClass>(classes + <usize>(port * CLASSES + cls) * HAZARD_CLASS_BYTES);
}

@inline export function hazardFlow(index: u32): HazardFlow {
  return changetype<HazardFlow>(flows + <usize>index * HAZARD_FLOW_BYTES);
}

@inline export function hazardNode(index: u32): HazardNode {
  return changetype<HazardNode>(nodes + <usize>index * HAZARD_NODE_BYTES);
}

@inline export function stormAt(index: u32): Storm {
  return changetype<Storm>(storms + <usize>index * STORM_BYTES);
}

@inline export function deadlockAt(index: u32): Deadlock {
  return changetype<Deadlock>(deadlocks + <usize>index * DEADLOCK_BYTES);
}
