/**
 * The recommended settings, for each of the four network profiles.
 *
 *   RoCE   DSCP 26, PCP 3 -> priority 3, group 3, class 3; lossless if the profile has PFC, otherwise lossy
 *   CNP    DSCP 48, PCP 6 -> priority 6, group 6, class 6; lossy, strict, served first
 *   other  priority group 0, class = priority, ETS, also with ECN
 *
 * Source: RoCE network proposal, slide "Recommended Classification"; trust DSCP is "the recommended method" (slide
 * "Traffic Classification"). CNP values are also NVIDIA's defaults (cnp_dscp 48, cnp_802p_prio 6). The default maps
 * already give these priorities (26 >> 3 = 3, 48 >> 3 = 6). Only the map to priority groups must change: by default all
 * priorities are in group 0, which isolates nothing.
 */
import { ecnThresholds } from '../analysis/ecn-thresholds.js';
import { controlLoopBytes, portHeadroom, type HeadroomAllowances } from '../analysis/headroom.js';
import { checkFields, oneOf, wholeIn, type FieldRules, checkRecord } from '../config/field-rules.js';
import { us } from '../units.js';
import type { PacketMarking } from './classify.js';
import { NETWORK_PROFILES, wantsPause, type NetworkProfile, type NetworkProfileName,
  type NodeKind } from './network-profiles.js';
import type { HostQos, SwitchQos } from './path.js';
import { LOSSY_GROUP, PRIORITY_COUNT, QOS_DEFAULTS, fillMap, type BufferGroup, type EcnMarking, type PortQos,
  type TrafficClassQos } from './qos-map.js';
import { ANYTHING } from './validate-qos.js';

/** DSCP of RoCEv2 data. */
export const ROCE_DSCP = 26;
/** PCP of RoCEv2 data. */
export const ROCE_PCP = 3;
/** Priority of RoCEv2 data. */
export const ROCE_PRIORITY = 3;
/** DSCP of CNPs. */
export const CNP_DSCP = 48;
/** PCP of CNPs. */
export const CNP_PCP = 6;
/** Priority of CNPs. */
export const CNP_PRIORITY = 6;
/** ETS share of RoCE, percent. The shares are our choice, as the slide names none; they sum to 100. */
export const ROCE_WEIGHT_PERCENT = 40;
/** ETS share of each other class, percent. */
export const OTHER_WEIGHT_PERCENT = 10;
/** Xon is this far below xoff: slightly above two frames of 1500 bytes, as in the HPCC simulator's switches. */
export const XON_GAP_BYTES = 3072;

/** Values that the sources leave open. */
export interface RecommendedOptions {
  /** The network profile. */
  readonly profile: NetworkProfileName;
  /** Rate of the port, bits per second, a whole number. */
  readonly linkRateBps: number;
  /** One-way delay, picoseconds; for the headroom. */
  readonly linkDelayPs: number;
  /** Loop time of congestion control, picoseconds: xoff is one loop's worth of data above Kmax. */
  readonly controlLoopPs: number;
  /** Allowances of the headroom in addition to rate and delay; missing fields have the defaults of `portHeadroom`. */
  readonly headroom: Partial<HeadroomAllowances>;
}

/** 100 Gb/s; 1 us per link (HPCC simulator); a control loop of 22 us, the RTT of the proposal's convergence example. */
export const RECOMMENDED_OPTIONS: RecommendedOptions = Object.freeze({
  profile: 'lossless',
  linkRateBps: 100e9,
  linkDelayPs: us(1),
  controlLoopPs: us(22),
  headroom: Object.freeze({}),
});

/** The nodes at the two ends of a port's link. */
export interface PortPlace {
  /** The node that the port belongs to. */
  readonly node: NodeKind;
  /** Kind of node at the other end. */
  readonly peer: NodeKind;
}

/** Maximum number of switches in a recommended path. */
const MAX_SWITCHES = 64;
type QosHops = [HostQos, ...SwitchQos[], HostQos];

/** A tuple of N switches if N is a literal in range; otherwise at least one switch. */
type SwitchesOf<N extends number, Found extends SwitchQos[] = []> = number extends N ? [SwitchQos, ...SwitchQos[]] :
  Found['length'] extends N ? Found :
  Found['length'] extends typeof MAX_SWITCHES ? never :
  SwitchesOf<N, [...Found, SwitchQos]>;

/** A path of a host, N switches and a host. */
export type RecommendedPath<N extends number = number> = N extends unknown ? [HostQos, ...SwitchesOf<N>, HostQos] :
  never;

const OPTION_RULES: FieldRules<RecommendedOptions> = {
  profile: oneOf('lossless', 'semi-lossless', 'lossy-1', 'lossy-2'),
  linkRateBps: wholeIn(1, 1e13, 'bits per second'),
  linkDelayPs: wholeIn(0, 1e12, 'picoseconds'),
  controlLoopPs: wholeIn(0, 1e12, 'picoseconds'),
  headroom: ANYTHING,
};

/** RoCE and CNPs in separate groups, all others in group 0. */
const PRIORITY_TO_GROUP = fillMap(PRIORITY_COUNT,
  (priority) => priority === ROCE_PRIORITY || priority === CNP_PRIORITY ? priority : 0);

/**
 * The recommended settings of a port.
 *
 * @param place matters only for the profile 'semi-lossless', in which only hosts send pauses; default: a switch facing
 * a host.
 * @throws RoceError `invalid-config` naming the option.
 */
export function recommendedQos(overrides: Partial<RecommendedOptions> = {},
  place: PortPlace = { node: 'switch', peer: 'host' }): PortQos {
  checkRecord(overrides, 'overrides');
  checkRecord(place, 'place');
  const options = checkFields({ ...RECOMMENDED_OPTIONS, ...overrides }, OPTION_RULES, 'recommendedQos');
  const profile = NETWORK_PROFILES[options.profile];
  const sends = wantsPause(profile, place.node, place.peer);
  const honours = wantsPause(profile, place.peer, place.node);
  const ecn = chooseEcn(profile, options);
  return {
    ...QOS_DEFAULTS,
    trust: 'dscp',
    priorityToGroup: PRIORITY_TO_GROUP,
    pfc: { sendPriorities: sends ? [ROCE_PRIORITY] : [], honourPriorities: honours ? [ROCE_PRIORITY] : [] },
    groups: fillMap(PRIORITY_COUNT,
      (group) => (sends && group === ROCE_PRIORITY ? chooseLossless(options) : LOSSY_GROUP)),
    trafficClasses: fillMap(PRIORITY_COUNT, (index) => chooseClass(index, ecn)),
  };
}

/**
 * Makes a recommended host: sends and receives RoCE, marks by DSCP, untagged.
 * @throws RoceError `invalid-config` naming the option.
 */
export function recommendedHost(name: string, overrides: Partial<RecommendedOptions> = {}): HostQos {
  checkRecord(overrides, 'overrides');
  const port = recommendedQos(overrides, { node: 'host', peer: 'switch' });
  const profile = NETWORK_PROFILES[overrides.profile ?? RECOMMENDED_OPTIONS.profile];
  const data: PacketMarking = { dscp: ROCE_DSCP };
  return {
    kind: 'host',
    name,
    port,
    data,
    cnp: { dscp: CNP_DSCP },
    reactionPriorities: profile.ecn ? [ROCE_PRIORITY] : [],
    notificationPriorities: profile.ecn ? [ROCE_PRIORITY] : [],
    recovery: profile.recovery[profile.recovery.length - 1],
  };
}

/**
 * Makes a path with recommended settings throughout: hostA, switch1, switch2, ..., hostB.
 *
 * @param switchCount 1..64; a literal gives the exact tuple type, `const [hostA, leaf, hostB] = recommendedPath(1)`.
 * @throws RoceError `invalid-config` naming the option.
 */
export function recommendedPath<const N extends number>(switchCount: N,
  overrides: Partial<RecommendedOptions> = {}): RecommendedPath<N> {
  checkFields({ switchCount }, { switchCount: wholeIn(1, MAX_SWITCHES, 'switches') }, 'recommendedPath');
  const switches = Array.from({ length: switchCount }, (_, index): SwitchQos => ({
    kind: 'switch',
    name: `switch${index + 1}`,
    upstream: recommendedQos(overrides, { node: 'switch', peer: index === 0 ? 'host' : 'switch' }),
    downstream: recommendedQos(overrides, { node: 'switch', peer: index === switchCount - 1 ? 'host' : 'switch' }),
  }));
  const path: QosHops = [recommendedHost('hostA', overrides), ...switches, recommendedHost('hostB', overrides)];
  return path as RecommendedPath<N>;
}

function chooseEcn(profile: NetworkProfile, { linkRateBps }: RecommendedOptions): EcnMarking | null {
  if (!profile.ecn) return null;
  const { kminBytes, kmaxBytes, pmax } = ecnThresholds(linkRateBps);
  return { minBytes: Math.ceil(kminBytes), maxBytes: Math.ceil(kmaxBytes), probability: pmax };
}

function chooseLossless({ linkRateBps, linkDelayPs, controlLoopPs, headroom }: RecommendedOptions): BufferGroup {
  const kmaxBytes = Math.ceil(ecnThresholds(linkRateBps).kmaxBytes);
  const xoffBytes = kmaxBytes + controlLoopBytes(linkRateBps, controlLoopPs);
  return {
    kind: 'lossless',
    reservedBytes: LOSSY_GROUP.reservedBytes,
    alpha: LOSSY_GROUP.alpha,
    xoffBytes,
    xonBytes: Math.max(0, xoffBytes - XON_GAP_BYTES),
    headroomBytes: portHeadroom({ ...headroom, rateBps: linkRateBps, linkDelayPs }).totalBytes,
  };
}

// CNPs are not ECN-capable, so their class does not mark.
function chooseClass(index: number, ecn: EcnMarking | null): TrafficClassQos {
  if (index === CNP_PRIORITY) return { scheduler: { kind: 'strict' }, ecn: null };
  const weightPercent = index === ROCE_PRIORITY ? ROCE_WEIGHT_PERCENT : OTHER_WEIGHT_PERCENT;
  return { scheduler: { kind: 'ets', weightPercent }, ecn };
}
