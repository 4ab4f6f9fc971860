/** Memory records and rules of fidelity `reference-lossy`; allocated only if used. */
import { SIM_FORCED_DROPS, SIM_GENERATORS, SIM_LOSSY_FLOWS, SIM_LOSSY_NODES, SIM_LOSSY_PORTS,
  SIM_PATH_WORDS } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { flowCount, indexOfPort, nodeCount, portCount, rule, simCapacity } from '../network';
import { packetPart } from '../packets';
import { publish } from '../regions';
import { SIM_CAPACITY_DRILL, SIM_CAPACITY_FLOWLETS, SIM_CAPACITY_FORCED_DROPS, SIM_CAPACITY_GENERATORS,
  SIM_CAPACITY_LOSSY, SIM_CAPACITY_PATHS, SIM_CAPACITY_PATH_WORDS, RULE_ANY_PFC, RULE_BACK_TO_ZERO_BYTES,
  RULE_BALANCING, RULE_CHECK_EVERY_PS, RULE_CHECK_FROM_PS, RULE_DEFAULT_WAIT_PS, RULE_EXPIRY_PS, RULE_FLUSH_EXTRA_PS,
  RULE_IRN, RULE_IRN_TIMEOUT_HIGH_PS, RULE_IRN_TIMEOUT_LOW_PS, RULE_IRN_WINDOW_BYTES, RULE_PATH_PAUSE_PS,
  RULE_PAUSE_TIME_PS, RULE_REPLY_EXTRA_PS, RULE_SEED } from '../../records/sim-run';
import { SimPacket, SimPort } from '../../records/network';
import { BALANCING_CONGA, BALANCING_CONWEAVE, BALANCING_DRILL, BALANCING_ECMP, FORCED_DROP_BYTES, GENERATOR_BYTES,
  LOSSY_FLOW_BYTES, LOSSY_NODE_BYTES, LOSSY_PORT_BYTES, LOSSY_PORT_PAUSED_UNTIL, LOSSY_PORT_PAUSE_SET, LossyFlow,
  LossyNode, LossyPart, LossyPort } from '../../records/lossy';

export let lossy: bool = false;
export let irn: bool = false;
export let irnWindowBytes: i64 = 0;
export let irnTimeoutLowPs: i64 = 0;
export let irnTimeoutHighPs: i64 = 0;
export let backToZeroBytes: i64 = 0;
export let pauseTimePs: i64 = 0;
export let anyPfc: bool = false;
export let balancing: u32 = 0;
export let expiryPs: i64 = 0;
export let replyExtraPs: i64 = 0;
export let pathPausePs: i64 = 0;
export let flushExtraPs: i64 = 0;
export let defaultWaitPs: i64 = 0;
export let checkFromPs: i64 = 0;
export let checkEveryPs: i64 = 0;
export let seed: u32 = 0;
export let forcedDropCount: u32 = 0;

export let lossyFlows: usize = 0;
let lossyPorts: usize = 0;
let lossyNodes: usize = 0;
export let pathWords: usize = 0;
export let pathCount: u32 = 0;
export let forcedDrops: usize = 0;
export let generators: usize = 0;
export let flowlets: usize = 0;
/** For each path: state at CONGA's source leaf and destination leaf; end of the path's pause in ConWeave. */
export let knownThere: usize = 0;
export let knownHere: usize = 0;
export let pausedPaths: usize = 0;
/** DRILL: the port taken last, by switch and destination; and memory for shuffling the ports of a group. */
export let drillPorts: usize = 0;
export let drillShuffled: usize = 0;

export const PATH_RECORD_BYTES: usize = 16;
export const FLOWLET_BYTES: usize = 16;
export const DRILL_PORTS_MAX: u32 = 1024;

export function allocateLossy(): void {
  lossy = simCapacity(SIM_CAPACITY_LOSSY) != 0;
  forcedDropCount = simCapacity(SIM_CAPACITY_FORCED_DROPS);
  forcedDrops = publish(SIM_FORCED_DROPS, allocate(<usize>forcedDropCount * FORCED_DROP_BYTES));
  if (!lossy) return;
  pathCount = simCapacity(SIM_CAPACITY_PATHS);
  lossyFlows = publish(SIM_LOSSY_FLOWS, allocate(<usize>flowCount * LOSSY_FLOW_BYTES));
  lossyPorts = publish(SIM_LOSSY_PORTS, allocate(<usize>portCount * LOSSY_PORT_BYTES));
  lossyNodes = publish(SIM_LOSSY_NODES, allocate(<usize>nodeCount * LOSSY_NODE_BYTES));
  pathWords = publish(SIM_PATH_WORDS, allocate(<usize>simCapacity(SIM_CAPACITY_PATH_WORDS) << 2));
  generators = publish(SIM_GENERATORS, allocate(<usize>simCapacity(SIM_CAPACITY_GENERATORS) * GENERATOR_BYTES));
  flowlets = allocate(<usize>simCapacity(SIM_CAPACITY_FLOWLETS) * FLOWLET_BYTES);
  knownThere = allocate(<usize>pathCount * PATH_RECORD_BYTES);
  knownHere = allocate(<usize>pathCount * PATH_RECORD_BYTES);
  pausedPaths = allocate(<usize>pathCount * PATH_RECORD_BYTES);
  if (!simCapacity(SIM_CAPACITY_DRILL)) return;
  drillPorts = allocate((<usize>nodeCount * <usize>nodeCount) << 2);
  drillShuffled = allocate(<usize>DRILL_PORTS_MAX << 2);
}

export function readLossyRules(): void {
  if (!lossy) return;
  irn = rule(RULE_IRN) != 0;
  irnWindowBytes = <i64>rule(RULE_IRN_WINDOW_BYTES);
  irnTimeoutLowPs = <i64>rule(RULE_IRN_TIMEOUT_LOW_PS);
  irnTimeoutHighPs = <i64>rule(RULE_IRN_TIMEOUT_HIGH_PS);
  backToZeroBytes = <i64>rule(RULE_BACK_TO_ZERO_BYTES);
  pauseTimePs = <i64>rule(RULE_PAUSE_TIME_PS);
  anyPfc = rule(RULE_ANY_PFC) != 0;
  balancing = <u32>rule(RULE_BALANCING);
  expiryPs = <i64>rule(RULE_EXPIRY_PS);
  replyExtraPs = <i64>rule(RULE_REPLY_EXTRA_PS);
  pathPausePs = <i64>rule(RULE_PATH_PAUSE_PS);
  flushExtraPs = <i64>rule(RULE_FLUSH_EXTRA_PS);
  defaultWaitPs = <i64>rule(RULE_DEFAULT_WAIT_PS);
  checkFromPs = <i64>rule(RULE_CHECK_FROM_PS);
  checkEveryPs = <i64>rule(RULE_CHECK_EVERY_PS);
  seed = <u32>rule(RULE_SEED);
}

@inline export function isDrill(): bool {
  return balancing == BALANCING_DRILL;
}

@inline export function isConWeave(): bool {
  return balancing == BALANCING_CONWEAVE;
}

@inline export function isConga(): bool {
  return balancing == BALANCING_CONGA;
}

@inline export function isEcmp(): bool {
  return balancing == BALANCING_ECMP;
}

@inline export function lossyFlow(index: u32): LossyFlow {
  return changetype<LossyFlow>(lossyFlows + <usize>index * LOSSY_FLOW_BYTES);
}

@inline export function lossyPort(port: SimPort): LossyPort {
  return changetype<LossyPort>(lossyPorts + <usize>indexOfPort(port) * LOSSY_PORT_BYTES);
}

@inline export function lossyNode(index: u32): LossyNode {
  return changetype<LossyNode>(lossyNodes + <usize>index * LOSSY_NODE_BYTES);
}

@inline export function partOf(packet: SimPacket): LossyPart {
  return changetype<LossyPart>(packetPart(packet));
}

/** Address of the end of the peer's pause in a class, i64. */
@inline export function pausedUntil(port: SimPort, cls: u32): usize {
  return changetype<usize>(lossyPort(port)) + LOSSY_PORT_PAUSED_UNTIL + (<usize>cls << 3);
}

/** Address of the time at which a port was last paused in a class, i64. */
@inline export function pauseSet(port: SimPort, cls: u32): usize {
  return changetype<usize>(lossyPort(port)) + LOSSY_PORT_PAUSE_SET + (<usize>cls << 3);
}
