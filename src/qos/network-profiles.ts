/**
 * The four ways to run RoCE that the RoCE network proposal describes, one slide each ("Lossless Configuration",
 * "Semi-Lossless Configuration", "Lossy-1 Configuration", "Lossy-2 Configuration").
 *
 *   name           PFC                          ECN         drops       retransmission
 *   lossless       all links, both directions   yes         rare        go-back-N suffices
 *   semi-lossless  NIC -> switch only           yes         occasional  either; the slide names none
 *   lossy-1        none                         end to end  expected    selective repeat
 *   lossy-2        none                         none        expected    selective repeat; a drop is the signal
 *
 * "Fast congestion notification" on the lossy-1 slide means marking at dequeue, not the Fast CNP of the IETF draft.
 */
import { checkRecord } from '../config/field-rules.js';

/** Name of a configuration of the network. */
export type NetworkProfileName = 'lossless' | 'semi-lossless' | 'lossy-1' | 'lossy-2';

/** A NIC's method of retransmission. */
export type LossRecovery = 'go-back-n' | 'selective-repeat';

/** Where pause frames are sent. */
export type PfcScope = 'both-directions' | 'nic-to-switch' | 'none';

/** The signal that makes a sender slow down. */
export type CongestionSignal = 'ecn' | 'loss';

/** One way to run RoCE. */
export interface NetworkProfile {
  /** Name of the profile. */
  readonly name: NetworkProfileName;
  /** Links on which PFC is used. */
  readonly pfc: PfcScope;
  /** Whether switches mark and NICs react to marks. */
  readonly ecn: boolean;
  /** Where in the queue switches mark packets; null without ECN. The slides state it for lossy-1 only. */
  readonly markAt: 'enqueue-or-dequeue' | 'dequeue' | null;
  /** How often packets may be dropped. */
  readonly drops: 'rare' | 'occasional' | 'expected';
  /** Sufficient methods of retransmission, the best one last. */
  readonly recovery: readonly LossRecovery[];
  /** Congestion signal that the senders react to. */
  readonly signal: CongestionSignal;
  /** Purpose of the profile, as a sentence. */
  readonly purpose: string;
  /** Points to watch, as a sentence. */
  readonly caution: string;
}

const LOSSLESS: NetworkProfile = {
  name: 'lossless',
  pfc: 'both-directions',
  ecn: true,
  markAt: 'enqueue-or-dequeue',
  drops: 'rare',
  recovery: ['go-back-n', 'selective-repeat'],
  signal: 'ecn',
  purpose: 'PFC and ECN on every switch and NIC: pause packets rather than drop them.',
  caution: 'PFC may spread congestion to other switches and to senders; ECN has to act first, so that PFC is rare.',
};

const SEMI_LOSSLESS: NetworkProfile = {
  name: 'semi-lossless',
  pfc: 'nic-to-switch',
  ecn: true,
  markAt: 'enqueue-or-dequeue',
  drops: 'occasional',
  recovery: ['go-back-n', 'selective-repeat'],
  signal: 'ecn',
  purpose: 'A congested NIC pauses its switch, whose buffer absorbs and marks; no other node sends pauses.',
  caution: 'Switches drop when the absorbed backpressure fills their buffers.',
};

const LOSSY_1: NetworkProfile = {
  name: 'lossy-1',
  pfc: 'none',
  ecn: true,
  markAt: 'dequeue',
  drops: 'expected',
  recovery: ['selective-repeat'],
  signal: 'ecn',
  purpose: 'End-to-end ECN without PFC: congestion cannot spread.',
  caution: 'Drops happen: selective repeat, marks at dequeue, and CNPs at the highest priority keep them few.',
};

const LOSSY_2: NetworkProfile = {
  name: 'lossy-2',
  pfc: 'none',
  ecn: false,
  markAt: null,
  drops: 'expected',
  recovery: ['selective-repeat'],
  signal: 'loss',
  purpose: 'Neither PFC nor ECN: nothing to configure on switches.',
  caution: 'A drop is the only sign of congestion; the NIC has to slow down on it and retransmit selectively.',
};

/** The four profiles by name. */
export const NETWORK_PROFILES: Readonly<Record<NetworkProfileName, NetworkProfile>> = Object.freeze({
  lossless: Object.freeze(LOSSLESS),
  'semi-lossless': Object.freeze(SEMI_LOSSLESS),
  'lossy-1': Object.freeze(LOSSY_1),
  'lossy-2': Object.freeze(LOSSY_2),
});

/** The kind of node at either end of a link. */
export type NodeKind = 'host' | 'switch';

/**
 * Whether the profile requires the receiver of a link to send pauses to its transmitter.
 *
 * @param receiver whose buffer is to be protected.
 * @param transmitter the node to pause.
 */
export function wantsPause(profile: NetworkProfile, receiver: NodeKind, transmitter: NodeKind): boolean {
  checkRecord(profile, 'profile');
  if (profile.pfc === 'both-directions') return true;
  return profile.pfc === 'nic-to-switch' && receiver === 'host' && transmitter === 'switch';
}
