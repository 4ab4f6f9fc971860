/**
 * Parameters derived from the options and the tree of a run, with the reference's order of operations.
 *
 *   rtt0 = trunc(2 D + mtu * 8 / G * n * 1000 + 64 * 8 / G * n * 1000)   D: one-way latency of the longest path,
 *                                                                       n: 2 * tiers, G: link speed in Gb/s
 *   bdp(rtt) = trunc(rtt / 1e12 * (link speed / 8)), bytes;   bdp in packets = ceil(rtt0 / 1e12 * (link speed / 8) / mtu)
 *   queue limit = bdp in packets * factor * mtu, factor 1 with trimming, 5 without;   ECN at 0.2 and 0.8 of the bdp
 *   RTO = trunc((15 + limit * 6 * 8 * 1e6 / link speed) * 1e6)
 */
import { BPS_PER_GBPS, PS_PER_SECOND, PS_PER_US } from '../units.js';
import { HEADER_BYTES } from './packet.js';
import { latencyPs, type FatTree } from './fat-tree.js';
import type { NetworkSettings } from './network-plan.js';
import type { UetOptions } from './arguments.js';

const ECN_LOW = 0.2;
const ECN_HIGH = 0.8;
const FACTOR_WITHOUT_TRIMMING = 5;
const WINDOW_BDPS = 1.5;
const RTO_BASE_US = 15;
const TARGET_RTTS = 0.75;
const TARGET_WITHOUT_SENDER_PS = 6e6;
/** Bandwidth-delay product at which NSCC's scaling factor A is 1: 100 Gb/s times 12 us, bytes. */
const REFERENCE_BDP = 150_000;
const REFERENCE_RTT_PS = 12e6;

export interface UetParameters {
  readonly mtuBytes: number;
  /** Largest payload of a packet, bytes. */
  readonly payloadBytes: number;
  readonly linkSpeedBps: number;
  /** Round trip of the longest path without queues. */
  readonly rttPs: number;
  readonly limitBytes: number;
  readonly markLowBytes: number;
  readonly markHighBytes: number;
  readonly timeoutPs: number;
  /** Target queuing delay of NSCC. */
  readonly targetPs: number;
}

/** Bandwidth-delay product, bytes. */
export function bdpBytes(rttPs: number, linkSpeedBps: number): number {
  return Math.trunc((rttPs / PS_PER_SECOND) * Math.trunc(linkSpeedBps / 8));
}

/** Maximum window for a bandwidth-delay product, bytes. */
export function maxWindowBytes(bdp: number): number {
  return Math.trunc(WINDOW_BDPS * bdp);
}

/** Base round trip of a pair of hosts, with the transmission times of the longest path. */
function pairRttPs(tree: FatTree, options: UetOptions, source: number, destination: number): number {
  return rttOf(latencyPs(tree, source, destination), tree, options);
}

function rttOf(oneWayPs: number, tree: FatTree, { mtuBytes, linkSpeedBps }: UetOptions): number {
  const hops = 2 * tree.tiers.length;
  const gbps = linkSpeedBps / BPS_PER_GBPS;
  return Math.trunc(2 * oneWayPs + ((mtuBytes * 8) / gbps) * hops * 1000 + ((HEADER_BYTES * 8) / gbps) * hops * 1000);
}

/** Target delay. Without NSCC it is never initialised, and averages of the delay use the reference's constant. */
function targetOf({ sender, targetPs, isTrimming }: UetOptions, rttPs: number): number {
  if (sender === undefined) return TARGET_WITHOUT_SENDER_PS;
  return targetPs ?? Math.trunc(isTrimming ? TARGET_RTTS * rttPs : rttPs);
}

export function uetParameters(options: UetOptions, tree: FatTree): UetParameters {
  const { mtuBytes, linkSpeedBps, isTrimming, queuePackets, queueFactor, ecnPackets } = options;
  const rttPs = rttOf(latencyPs(tree), tree, options);
  const bdpPackets = Math.ceil(((rttPs / PS_PER_SECOND) * Math.trunc(linkSpeedBps / 8)) / mtuBytes);
  const factor = queueFactor ?? (isTrimming ? 1 : FACTOR_WITHOUT_TRIMMING);
  const limitBytes = (queuePackets ?? bdpPackets * factor) * mtuBytes;
  const [markLow, markHigh] = ecnPackets ?? [Math.ceil(bdpPackets * ECN_LOW), Math.ceil(bdpPackets * ECN_HIGH)];
  const isHalf = ['rr_ecmp', 'ecmp_host_ecn', 'reactive_ecn'].includes(options.strategy);
  const half = Math.trunc(limitBytes / 2);
  return {
    mtuBytes,
    payloadBytes: mtuBytes - HEADER_BYTES,
    linkSpeedBps,
    rttPs,
    limitBytes,
    markLowBytes: isHalf ? half : markLow * mtuBytes,
    markHighBytes: isHalf ? half : markHigh * mtuBytes,
    timeoutPs: Math.trunc((RTO_BASE_US + (limitBytes * 6 * 8 * 1e6) / linkSpeedBps) * PS_PER_US),
    targetPs: targetOf(options, rttPs),
  };
}

/** Settings that all switch queues share. Under receiver-based control, queues to hosts do not mark. */
export function networkSettings({ isReceiverControlled, slowLinks }: UetOptions, tree: FatTree,
  { limitBytes, markLowBytes, markHighBytes }: UetParameters): NetworkSettings {
  return { tree, limitBytes, markLowBytes, markHighBytes, isMarkingLastHop: !isReceiverControlled, slowLinks };
}

/** Initial values of a flow. */
export interface FirstWindow {
  readonly baseRttPs: number;
  readonly maxWindowBytes: number;
  readonly windowBytes: number;
}

export function firstWindow(options: UetOptions, tree: FatTree, { rttPs, mtuBytes }: UetParameters,
  pair: { readonly source: number; readonly destination: number }): FirstWindow {
  const { isBaseRttOfPair, windowPackets, linkSpeedBps } = options;
  const baseRttPs = isBaseRttOfPair ? pairRttPs(tree, options, pair.source, pair.destination) : rttPs;
  const maxBytes = maxWindowBytes(bdpBytes(baseRttPs, linkSpeedBps));
  const windowBytes = windowPackets === undefined ? maxBytes : windowPackets * mtuBytes;
  return { baseRttPs, maxWindowBytes: maxBytes, windowBytes };
}

/** NSCC's gains, in order: bytes per ps and byte; bytes per byte; bytes; a factor. */
export interface NsccGains {
  readonly alpha: number;
  readonly fair: number;
  readonly eta: number;
  readonly fastScale: number;
}

export function nsccGains({ payloadBytes, rttPs, linkSpeedBps, targetPs }: Pick<
  UetParameters,
  'payloadBytes' | 'rttPs' | 'linkSpeedBps' | 'targetPs'
>): NsccGains {
  const scale = bdpBytes(rttPs, linkSpeedBps) / REFERENCE_BDP;
  return {
    alpha: (4 * payloadBytes * scale * (targetPs / REFERENCE_RTT_PS)) / targetPs,
    fair: 5 * payloadBytes * scale,
    eta: 0.15 * payloadBytes * scale,
    fastScale: 0.25 * scale,
  };
}
