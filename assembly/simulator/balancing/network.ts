/**
 * Memory records and settings of load balancing under fidelity `standard`; allocated only if used. The host lays out the region
 * and writes header, nodes and hosts: src/abi/records/balancing.ts.
 */
import { SIM_BALANCING } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { nextRandom } from '../../cp/random';
import { indexOfNode, simCapacity } from '../network';
import { publish } from '../regions';
import { SIM_CAPACITY_BALANCING } from '../../records/sim-run';
import { SimNode } from '../../records/network';
import { BALANCER_BYTES, BALANCER_RANDOM, BALANCING_PART_BYTES, Balancer,
  BalancingHeader } from '../../records/balancing';
import { Random } from '../../records/congestion-point';

export let balancing: usize = 0;
/** Whether any switch has a rule other than the hash. */
export let balanced: bool = false;
/** Whether any host changes its UDP source port on a Fast CNP. */
export let detouring: bool = false;
/** Whether any host chooses the UDP source port of each data packet: ../path-selection. */
export let selecting: bool = false;
/** Whether packets of a flow may differ in their UDP source ports. */
export let portsVary: bool = false;
export let gapPs: i64 = 0;
export let tauPs: f64 = 0;
export let ageingPs: i64 = 0;
export let samples: u32 = 0;
export let remembered: u32 = 0;
/** Number of entries in a switch's flowlet table. */
export let flowletCount: u32 = 0;
/** Number of CONGA's leaves; 0 if no switch runs it. */
export let leafCount: u32 = 0;
export let uplinksMost: u32 = 0;

/** Age beyond which a port's queue class is recomputed, and number of thresholds. */
export let refreshPs: i64 = 0;
export let thresholdCount: u32 = 0;

let nodesAt: usize = 0;
export let groupsAt: usize = 0;
export let flowletsAt: usize = 0;
export let portsAt: usize = 0;
export let classesAt: usize = 0;
export let toLeafAt: usize = 0;
export let fromLeafAt: usize = 0;
export let feedbackAt: usize = 0;
let flowsAt: usize = 0;
let hostsAt: usize = 0;

export function allocateBalancing(): void {
  balancing = publish(SIM_BALANCING, allocate(simCapacity(SIM_CAPACITY_BALANCING)));
}

@inline export function header(): BalancingHeader {
  return changetype<BalancingHeader>(balancing);
}

/** Address of a table, by its index in the header. */
@inline export function tableAt(place: u32): usize {
  return balancing + place;
}

/** Reads the header that the host has written. */
export function readBalancing(): void {
  balanced = false;
  detouring = false;
  selecting = false;
  portsVary = false;
  leafCount = 0;
  if (!simCapacity(SIM_CAPACITY_BALANCING)) return;
  const own = header();
  balanced = own.any != 0;
  detouring = own.detours != 0;
  selecting = own.selects != 0;
  portsVary = detouring || selecting;
  gapPs = <i64>own.gapPs;
  tauPs = own.tauPs;
  ageingPs = <i64>own.ageingPs;
  samples = own.samples;
  remembered = own.memory;
  flowletCount = own.flowlets;
  leafCount = own.leaves;
  uplinksMost = own.uplinks;
  refreshPs = <i64>own.refreshPs;
  thresholdCount = own.thresholdCount;
  readPlaces(own);
}

function readPlaces(own: BalancingHeader): void {
  nodesAt = tableAt(own.nodesAt);
  groupsAt = tableAt(own.groupsAt);
  flowletsAt = tableAt(own.flowletsAt);
  portsAt = tableAt(own.portsAt);
  classesAt = tableAt(own.classesAt);
  toLeafAt = tableAt(own.toLeafAt);
  fromLeafAt = tableAt(own.fromLeafAt);
  feedbackAt = tableAt(own.feedbackAt);
  flowsAt = tableAt(own.flowsAt);
  hostsAt = tableAt(own.hostsAt);
}

@inline export function balancerAt(index: u32): Balancer {
  return changetype<Balancer>(nodesAt + <usize>index * BALANCER_BYTES);
}

@inline export function balancerOf(node: SimNode): Balancer {
  return balancerAt(indexOfNode(node));
}

@inline export function randomOf(own: Balancer): Random {
  return changetype<Random>(changetype<usize>(own) + BALANCER_RANDOM);
}

/** A random number from 0 to `count` - 1, from the switch's own generator. */
@inline export function below(own: Balancer, count: u32): u32 {
  return <u32>(nextRandom(randomOf(own)) * <f64>count);
}

/** Address of the number of times a flow has changed its UDP source port, u32. */
@inline export function detoursOf(flow: u32): usize {
  return flowsAt + (<usize>flow << 2);
}

/** Whether a host changes its UDP source port on a Fast CNP. */
@inline export function takesDetours(host: u32): bool {
  return load<u32>(hostsAt + (<usize>host << 2)) != 0;
}

/** Size of load balancing's part of a packet, which follows its telemetry. */
@inline export function balancingPartBytes(): u32 {
  return leafCount || selecting ? BALANCING_PART_BYTES : 0;
}
