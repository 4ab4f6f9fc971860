/**
 * Congestion point of a switch: decides on each packet at an egress queue.
 *
 * Role     decides between nothing, a CE mark, a Fast CNP to the sender, or both.
 * Inputs   time, egress port, flow index, queue length, ECN field, capability of the sender, whether it is IPv6.
 * State    random generator; one token bucket per port and per flow. A Fast CNP takes one token from both, or from neither.
 * Rules    not congested (red.ts)              nothing
 *          Fast CNP off, IPv4, sender unable   CE mark if ECT: plain ECN
 *          sender able                         Fast CNP, never a mark with it (draft, section 4: MUST NOT);
 *                                              limited: nothing, or a mark under markWhenLimited
 *          sender's ability unknown            Fast CNP, and a mark under markWhenUnknown (draft, section 4: MAY);
 *                                              limited: a mark under markWhenUnknown or markWhenLimited
 *          Not-ECT                             never marked (RFC 3168, section 5); a Fast CNP needs no ECT
 * Defaults in a zeroed record: Fast CNP off (draft, section 5: MUST), Kmin = Kmax = 0.
 *
 * Source   draft-xiao-rtgwg-rocev2-fast-cnp-01, sections 4 and 5.
 * Choice   IPv4 packets of an able sender are marked: the draft only forbids a mark together with a Fast CNP, and IPv4
 *          has no Fast CNP.
 */

import { CAPABILITY_ABLE, CAPABILITY_UNABLE, CP_BAD_ARGUMENT, CP_DISABLED, CP_FAST_CNP, CP_FLOW_LIMITED, CP_IPV4,
  CP_MARK_CE, CP_NOT_CONGESTED, CP_NOT_ECT, CP_PORT_LIMITED, CP_REASON_SHIFT, CP_SENDER_UNABLE, CP_SEND_FAST_CNP,
  CP_SWITCH_ENABLED, CP_SWITCH_MARK_WHEN_LIMITED, CP_SWITCH_MARK_WHEN_UNKNOWN, TIME_MAX_PS } from '../../src/abi/codes';
import { Random, CONGESTION_POINT_BYTES, CONGESTION_POINT_RANDOM, CongestionPoint, TOKEN_BUCKET_BYTES,
  TokenBucket } from '../records/congestion-point';
import { seedRandom } from './random';
import { isCongested } from './red';
import { fillBucket, hasToken, refillBucket, consumeToken } from './token-bucket';

/** The record that `cpDecide` works on. */
let current: usize = 0;

/**
 * Initialises the record at `base` (8-byte aligned, with its configuration written): seeds the generator, fills all
 * buckets at time 0, and makes `cpDecide` use this record. Returns the first address after the buckets; the caller
 * must have reserved that memory.
 */
export function cpInitialise(base: usize, ports: u32, flows: u32): usize {
  const cp = changetype<CongestionPoint>(base);
  cp.ports = ports;
  cp.flows = flows;
  seedRandom(changetype<Random>(base + CONGESTION_POINT_RANDOM), cp.seed);
  for (let port: u32 = 0; port < ports; port++) fillBucket(portBucket(base, port), cp.portBurst);
  for (let flow: u32 = 0; flow < flows; flow++) fillBucket(flowBucket(base, flow), cp.flowBurst);
  current = base;
  return base + CONGESTION_POINT_BYTES + (<usize>ports + <usize>flows) * TOKEN_BUCKET_BYTES;
}

/** Decides on a packet at the congestion point initialised last: flags CP_*, reason from bit CP_REASON_SHIFT on. */
export function cpDecide(timePs: f64, port: u32, flow: u32, queueBytes: f64, ecn: u32, capability: u32,
  isIpv6: u32): u32 {
  return cpDecideAt(current, timePs, port, flow, queueBytes, ecn, capability, isIpv6);
}

/** Like `cpDecide`, for the congestion point whose record is at `base`. */
export function cpDecideAt(base: usize, timePs: f64, port: u32, flow: u32, queueBytes: f64, ecn: u32, capability: u32,
  isIpv6: u32): u32 {
  const cp = changetype<CongestionPoint>(base);
  if (port >= cp.ports || flow >= cp.flows || capability > <u32>CAPABILITY_UNABLE) return because(CP_BAD_ARGUMENT);
  // Negated, so that NaN is rejected.
  if (!(timePs >= 0.0 && timePs <= TIME_MAX_PS && queueBytes >= 0.0)) return because(CP_BAD_ARGUMENT);

  const random = changetype<Random>(base + CONGESTION_POINT_RANDOM);
  if (!isCongested(random, queueBytes, cp.kminBytes, cp.kmaxBytes, cp.pmax)) return because(CP_NOT_CONGESTED);

  const canMark = (ecn & 3) != 0;
  if (!(cp.switches & CP_SWITCH_ENABLED)) return plainEcn(CP_DISABLED, canMark);
  if (!isIpv6) return plainEcn(CP_IPV4, canMark);
  if (capability == CAPABILITY_UNABLE) return plainEcn(CP_SENDER_UNABLE, canMark);

  const reason = consumeTokens(base, timePs, port, flow);
  const flags = reason == CP_FAST_CNP ? CP_SEND_FAST_CNP : 0;
  const marks = canMark && marksToo(cp.switches, reason, capability);
  return because(reason) | flags | (marks ? CP_MARK_CE : 0);
}

@inline
function because(reason: u32): u32 {
  return reason << CP_REASON_SHIFT;
}

/** The decision if no Fast CNP is possible: a mark is the only signal. */
@inline
function plainEcn(reason: u32, canMark: bool): u32 {
  return canMark ? because(reason) | CP_MARK_CE : because(CP_NOT_ECT);
}

/** Whether to mark the packet, together with the Fast CNP or instead of one that a rate limit suppressed. */
@inline
function marksToo(switches: u32, reason: u32, capability: u32): bool {
  const whenLimited = reason != CP_FAST_CNP && (switches & CP_SWITCH_MARK_WHEN_LIMITED) != 0;
  const whenUnknown = capability != CAPABILITY_ABLE && (switches & CP_SWITCH_MARK_WHEN_UNKNOWN) != 0;
  return whenLimited || whenUnknown;
}

/** Takes a token from both the flow and the port, or from neither. */
function consumeTokens(base: usize, timePs: f64, port: u32, flow: u32): u32 {
  const cp = changetype<CongestionPoint>(base);
  const ofFlow = flowBucket(base, flow);
  const ofPort = portBucket(base, port);
  refillBucket(ofFlow, timePs, cp.flowRatePerSecond, cp.flowBurst);
  refillBucket(ofPort, timePs, cp.portRatePerSecond, cp.portBurst);
  if (!hasToken(ofFlow)) return CP_FLOW_LIMITED;
  if (!hasToken(ofPort)) return CP_PORT_LIMITED;
  consumeToken(ofFlow);
  consumeToken(ofPort);
  return CP_FAST_CNP;
}

@inline
function portBucket(base: usize, port: u32): TokenBucket {
  return changetype<TokenBucket>(base + CONGESTION_POINT_BYTES + <usize>port * TOKEN_BUCKET_BYTES);
}

@inline
function flowBucket(base: usize, flow: u32): TokenBucket {
  const ports = changetype<CongestionPoint>(base).ports;
  return changetype<TokenBucket>(base + CONGESTION_POINT_BYTES + (<usize>ports + <usize>flow) * TOKEN_BUCKET_BYTES);
}
