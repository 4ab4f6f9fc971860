/**
 * The rules of each fidelity, field by field, with their sources. docs/reference/fidelity.md explains the effect of each
 * difference.
 *
 * Settings of a scenario (MTU, times, markAt, telemetry, sizes that depend on the longest path) replace the values
 * here.
 */
import { PS_PER_US, us } from '../../units.js';
import type { Rules } from '../plan.js';
import { DEFAULT_HOSTS } from '../scenario/defaults.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import type { ValidHost, KernelScenario } from '../scenario/valid-scenario.js';
import { REFERENCE_LEAST_BYTES, STANDARD_CNP_BYTES } from './packet-sizes.js';

/**
 * No standard specifies these, so all fidelities use the reference's values: docs/specs/reference.md, section 9; RATE_BOUND 1
 * (section 10).
 */
const SHARED_RULES = {
  cnpDelayPs: 0,
  cnpClass: 6,
  markAt: 'dequeue',
  intMultiplier: 1,
  pacing: true,
  resumeOffsetBytes: 3072,
  reservedBytes: 4096,
} as const;

/**
 * Rules from standards and papers. Class 6 is the vendors' default for CNPs: DSCP 48, strict priority. SIGCOMM 2015's hardware
 * marks at enqueue or dequeue; at dequeue the mark reports the present queue.
 */
const STANDARD_RULES: Rules = {
  ...SHARED_RULES,
  txTime: 'exact',
  mtuBytes: DEFAULT_HOSTS.standard.mtuBytes,
  /** Preamble and start delimiter 8, gap 12 (IEEE 802.3, clause 4). */
  wireOverheadBytes: 20,
  /** The minimum Ethernet frame, FCS included (IEEE 802.3, annex 31B; 802.1Qbb). */
  pauseFrameBytes: 64,
  cnpBytes: STANDARD_CNP_BYTES,
  /** A Fast CNP with option 1, measured (packet-sizes.ts). */
  fastCnpBytes: 122,
  /** CNP packets, coalesced (A17, section 17.9; SIGCOMM 2015, section 3.1). */
  notification: 'cnp',
  cnpIntervalPs: DEFAULT_HOSTS.standard.cnpIntervalUs * PS_PER_US,
  strictClasses: 1 << 6,
  /** Only ECN-capable packets are marked (RFC 3168, section 5): data; ACKs and CNPs are not. */
  markable: 'ect',
  telemetry: 'exact',
  /**
   * 0: only one NAK per sequence error until the expected packet arrives (IBTA 1.4, section 9.7.5.2.8). If it is lost, a
   * timeout recovers.
   */
  nakIntervalPs: 0,
  retransmitTimeoutPs: DEFAULT_HOSTS.standard.retransmitTimeoutUs * PS_PER_US,
};

/** Rules of the HPCC authors' ns-3 simulator; sections are those of docs/specs/reference.md. */
const REFERENCE_RULES: Rules = {
  ...SHARED_RULES,
  /** Whole nanoseconds (reference, section 1). */
  txTime: 'ns3',
  /** The reference's payload per packet (section 1). */
  mtuBytes: DEFAULT_HOSTS.reference.mtuBytes,
  /** Reference, section 1: no preamble, gap or FCS. */
  wireOverheadBytes: 0,
  /** The reference's pause frames (section 1). */
  pauseFrameBytes: 43,
  /** CNPs are never sent (reference, section 3). */
  cnpBytes: REFERENCE_LEAST_BYTES,
  fastCnpBytes: REFERENCE_LEAST_BYTES,
  /** Reference, section 3: an ACK echoes its packet's mark. */
  notification: 'ack-flag',
  cnpIntervalPs: 0,
  /** Reference, section 9: queue 0 first, 1 to 7 round-robin. */
  strictClasses: 0,
  /** Reference, section 9: any packet, including ACKs. */
  markable: 'all',
  /** Records whose values wrap around (reference, section 5). */
  telemetry: 'int64',
  /** Interval between NAKs (reference, section 3). */
  nakIntervalPs: 500 * PS_PER_US,
  /** Reference, section 2: no timeout. */
  retransmitTimeoutPs: 0,
};

/** Rules of ConWeave's ns-3 simulator, a descendant of HPCC's; sections are those of docs/specs/reference-lossy.md. */
const LOSSY_RULES: Rules = {
  ...REFERENCE_RULES,
  /** Interval between NAKs (ConWeave, section 4). */
  nakIntervalPs: 4 * PS_PER_US,
  /** ConWeave, section 4: the timeout of go-back-N; IRN has two others. */
  retransmitTimeoutPs: DEFAULT_HOSTS['reference-lossy'].retransmitTimeoutUs * PS_PER_US,
  /** ConWeave, section 8: class 0 is never marked, and ACKs are in no other class (section 2). */
  markable: 'ect',
  /** ConWeave, section 2: nothing pauses class 0. */
  ackPauseClass: 0,
};

export const RULES: Readonly<Record<KernelFidelity, Rules>> = {
  standard: STANDARD_RULES,
  reference: REFERENCE_RULES,
  'reference-lossy': LOSSY_RULES,
};

/** The host times that the scenario sets and the fidelity does not fix. */
export function hostTimes(fidelity: KernelFidelity,
  hosts: ValidHost): Pick<Rules, 'cnpIntervalPs' | 'cnpDelayPs' | 'retransmitTimeoutPs' | 'nakIntervalPs'> {
  const { cnpIntervalPs, cnpDelayPs, nakIntervalPs } = RULES[fidelity];
  const isStandard = fidelity === 'standard';
  return {
    cnpIntervalPs: isStandard ? us(hosts.cnpIntervalUs) : cnpIntervalPs,
    cnpDelayPs: isStandard ? us(hosts.cnpDelayUs) : cnpDelayPs,
    retransmitTimeoutPs: us(hosts.retransmitTimeoutUs),
    nakIntervalPs: fidelity === 'reference-lossy' ? us(hosts.nakIntervalUs) : nakIntervalPs,
  };
}

/**
 * The reference stops all ACKs while class 3 is paused (docs/specs/reference.md, section 2). If ACKs are exempt, class 0's
 * pause applies, which never occurs.
 */
export function ackPause(fidelity: KernelFidelity, pausable: boolean): Pick<Rules, 'ackPauseClass'> {
  if (!pausable || fidelity === 'reference-lossy') return { ackPauseClass: 0 };
  return fidelity === 'reference' ? { ackPauseClass: 3 } : {};
}

/** Delayed ACKs (docs/specs/reference.md, section 3). An interval of at most 1 byte delays nothing. */
export function delayedAck(fidelity: KernelFidelity,
  { ackIntervalBytes, ackChunkBytes }: ValidHost): Pick<Rules, 'delayedAck'> {
  if (fidelity === 'standard' || ackIntervalBytes <= 1) return {};
  return { delayedAck: { upToBytes: ackIntervalBytes, chunkBytes: ackChunkBytes } };
}

/**
 * The class of ACKs. ConWeave's simulator sends all in class 0 (docs/specs/reference-lossy.md, section 2); MRC has a class for
 * them.
 */
export function ackClass({ fidelity, hosts }: KernelScenario, isMrc: boolean, dataClass: number): number {
  if (fidelity === 'reference-lossy') return 0;
  return isMrc ? hosts.mrc.controlClass : dataClass;
}

/** Traffic classes as a bit mask. */
export function classMask(classes: Iterable<number>): number {
  let mask = 0;
  for (const one of classes) mask |= 1 << one;
  return mask;
}
