/**
 * Memory records and settings of load balancing under fidelity `standard`; allocated only if used. The host lays the region out and
 * writes header, nodes and hosts: src/abi/balancing-layout.ts.
 */
import { BALANCER_BYTES, BALANCER_LEAF, BALANCER_RANDOM, BALANCER_TABLE, BALANCING_AGEING, BALANCING_ANY,
  BALANCING_CLASSES_AT, BALANCING_DETOURS, BALANCING_FLOWLETS, BALANCING_FLOWLETS_AT, BALANCING_FLOWS_AT,
  BALANCING_FROM_LEAF_AT, BALANCING_GAP, BALANCING_GROUPS_AT, BALANCING_HOSTS_AT, BALANCING_LEAVES, BALANCING_MEMORY,
  BALANCING_NODES_AT, BALANCING_PART_BYTES, BALANCING_PORTS_AT, BALANCING_REFRESH, BALANCING_SAMPLES, BALANCING_SELECTS,
  BALANCING_THRESHOLD_COUNT, BALANCING_TAU, BALANCING_FEEDBACK_AT, BALANCING_TO_LEAF_AT,
  BALANCING_UPLINKS } from '../../../src/abi/balancing-layout';
import { SIM_BALANCING } from '../../../src/abi/sim-regions';
import { allocate } from '../../memory/map';
import { nextRandom, Random } from '../../cp/random';
import { indexOfNode, simCapacity } from '../network';
import { publish } from '../regions';
import { SIM_CAPACITY_BALANCING } from '../../records/sim-capacity';
import { SimNode } from '../../records/network';

/** A switch's balancing rule and its state. */
@unmanaged
export class Balancer {
  /** BALANCING_RULE_*. */
  rule: u32;
  /** Number of its table of flowlets. */
  table: u32;
  /** Number among the leaves; SIM_NONE: it is none. */
  leaf: u32;
  free12: u32;
  // The state of its generator follows, BALANCER_RANDOM.
}

export let balancing: usize = 0;
/** Whether any switch has another rule than the hash. */
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
/** Entries of a switch's table of flowlets. */
export let flowletCount: u32 = 0;
/** CONGA's leaves; 0: no switch runs it. */
export let leafCount: u32 = 0;
export let uplinksMost: u32 = 0;

/** Age beyond which a port's queue class is computed again, and the number of thresholds. */
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

@inline export function word(field: usize): u32 {
  return load<u32>(balancing + field);
}

/** Reads the header that the host has written. */
export function readBalancing(): void {
  balanced = false;
  detouring = false;
  selecting = false;
  portsVary = false;
  leafCount = 0;
  if (!simCapacity(SIM_CAPACITY_BALANCING)) return;
  balanced = word(BALANCING_ANY) != 0;
  detouring = word(BALANCING_DETOURS) != 0;
  selecting = word(BALANCING_SELECTS) != 0;
  portsVary = detouring || selecting;
  gapPs = <i64>load<f64>(balancing + BALANCING_GAP);
  tauPs = load<f64>(balancing + BALANCING_TAU);
  ageingPs = <i64>load<f64>(balancing + BALANCING_AGEING);
  samples = word(BALANCING_SAMPLES);
  remembered = word(BALANCING_MEMORY);
  flowletCount = word(BALANCING_FLOWLETS);
  leafCount = word(BALANCING_LEAVES);
  uplinksMost = word(BALANCING_UPLINKS);
  refreshPs = <i64>load<f64>(balancing + BALANCING_REFRESH);
  thresholdCount = word(BALANCING_THRESHOLD_COUNT);
  readPlaces();
}

function readPlaces(): void {
  nodesAt = balancing + word(BALANCING_NODES_AT);
  groupsAt = balancing + word(BALANCING_GROUPS_AT);
  flowletsAt = balancing + word(BALANCING_FLOWLETS_AT);
  portsAt = balancing + word(BALANCING_PORTS_AT);
  classesAt = balancing + word(BALANCING_CLASSES_AT);
  toLeafAt = balancing + word(BALANCING_TO_LEAF_AT);
  fromLeafAt = balancing + word(BALANCING_FROM_LEAF_AT);
  feedbackAt = balancing + word(BALANCING_FEEDBACK_AT);
  flowsAt = balancing + word(BALANCING_FLOWS_AT);
  hostsAt = balancing + word(BALANCING_HOSTS_AT);
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

/** A random number from 0 to `count` - 1, of the switch's own generator. */
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

/** Size of the part after a packet's telemetry. */
@inline export function balancingPartBytes(): u32 {
  return leafCount || selecting ? BALANCING_PART_BYTES : 0;
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkBalancingLayouts(): void {
  if (offsetof<Balancer>() != BALANCER_RANDOM) ERROR('Balancer');
  if (offsetof<Balancer>('table') != BALANCER_TABLE) ERROR('Balancer.table');
  if (offsetof<Balancer>('leaf') != BALANCER_LEAF) ERROR('Balancer.leaf');
  if (BALANCER_RANDOM + offsetof<Random>() != BALANCER_BYTES) ERROR('BALANCER_BYTES');
}
