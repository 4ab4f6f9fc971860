/** The options of `roce-cc headroom` and `roce-cc plan`, as commander passes them, and their results as data. */
import { analyseConvergence, type Convergence } from '../../analysis/convergence.js';
import { ecnThresholds, type EcnThresholds } from '../../analysis/ecn-thresholds.js';
import { controlLoopBytes, ecnRoomBelowXoff, simulatorHeadroomBytes, type EcnRoom, CABLE_DELAY_PS_PER_M, portHeadroom,
  type HeadroomAllowances, type PortHeadroom } from '../../analysis/headroom.js';
import type { NetworkProfileName, BufferGroup, PortQos } from '../../qos/index.js';
import { recommendedQos, type RecommendedOptions } from '../../qos/recommended.js';
import { us } from '../../units.js';

/** Inputs of a port's headroom, for both commands. */
export interface PortFlags {
  readonly mtu: number;
  readonly interfaceDelay?: number;
  readonly responseDelay?: number;
  readonly cell?: number;
}

export interface HeadroomFlags extends PortFlags {
  readonly rate: number;
  readonly delay?: number;
  readonly cable?: number;
  readonly kmax?: number;
  readonly xoff?: number;
  readonly controlLoop: number;
  readonly json?: boolean;
}

export interface PlanFlags extends PortFlags {
  readonly rate: number;
  readonly delay?: number;
  readonly cable?: number;
  readonly controlLoop: number;
  readonly profile: NetworkProfileName;
  readonly flows: number;
  readonly ports: number;
  readonly path?: number;
  readonly json?: string | true;
}

const DEFAULT_DELAY_PS = us(1);
/**
 * What our simulator reserves in addition to the HPCC rule: a packet in transmission at each end, and one as a reserve.
 */
const SIMULATOR_PACKETS = 3;
const SIMULATOR_PAUSE_FRAMES = 8;
const PAUSE_FRAME_BYTES = 64;
const ROCE_GROUP = 3;

/** Headroom that simulators reserve by default. */
interface SimulatorHeadroom {
  /** HPCC simulator: 3 times the bytes in flight one way. */
  readonly hpccRuleBytes: number;
  /** This library's simulator: the same plus 3 packets and 8 pause frames. */
  readonly standardBytes: number;
}

/** The headroom of one priority group. */
export interface Headroom extends PortHeadroom {
  readonly rateBps: number;
  readonly linkDelayPs: number;
  readonly mtuBytes: number;
  readonly simulator: SimulatorHeadroom;
  /** The space between Kmax and xoff; null if these were not given. */
  readonly room: EcnRoom | null;
}

/** @throws RoceError `invalid-config` naming the option. */
export function computeHeadroom(flags: HeadroomFlags): Headroom {
  const { rate, mtu, kmax, xoff, controlLoop } = flags;
  const linkDelayPs = linkDelayOf(flags);
  const room = kmax === undefined || xoff === undefined ?
    null :
    ecnRoomBelowXoff({ rateBps: rate, controlLoopPs: controlLoop, kmaxBytes: kmax, xoffBytes: xoff });
  return {
    rateBps: rate,
    linkDelayPs,
    mtuBytes: mtu,
    ...portHeadroom({ ...allowancesOf(flags), rateBps: rate, linkDelayPs }),
    simulator: simulatorHeadroom(rate, linkDelayPs, mtu),
    room,
  };
}

function simulatorHeadroom(rateBps: number, linkDelayPs: number, mtuBytes: number): SimulatorHeadroom {
  const hpccRuleBytes = simulatorHeadroomBytes({ rateBps, linkDelayPs });
  const inFlightBytes = SIMULATOR_PACKETS * mtuBytes + SIMULATOR_PAUSE_FRAMES * PAUSE_FRAME_BYTES;
  return { hpccRuleBytes, standardBytes: hpccRuleBytes + inFlightBytes };
}

/** One-way delay of the link, picoseconds. */
function linkDelayOf({ delay, cable }: Pick<HeadroomFlags, 'delay' | 'cable'>): number {
  return delay ?? (cable === undefined ? DEFAULT_DELAY_PS : cable * CABLE_DELAY_PS_PER_M);
}

/** The allowances that the options set; `portHeadroom` has defaults for the others. */
function allowancesOf({ mtu, interfaceDelay, responseDelay, cell }: PortFlags): Partial<HeadroomAllowances> {
  return {
    mtuBytes: mtu,
    ...(interfaceDelay === undefined ? {} : { interfaceDelayPs: interfaceDelay }),
    ...(responseDelay === undefined ? {} : { responseDelayPs: responseDelay }),
    ...(cell === undefined ? {} : { cellBytes: cell }),
  };
}

/** One setting of a port, with its name here and at vendors. */
interface PlannedSetting {
  readonly what: string;
  readonly value: string;
  /** Table and field in SONiC; empty if there is none. */
  readonly sonic: string;
  /** Setting of NVIDIA's adapters (mlnx_qos or sysfs); empty if there is none. */
  readonly nvidia: string;
}

/** The recommended network. */
export interface Plan {
  readonly profile: NetworkProfileName;
  readonly rateBps: number;
  readonly thresholds: EcnThresholds;
  readonly controlLoopBytes: number;
  readonly settings: readonly PlannedSetting[];
  readonly convergence: Convergence;
}

/** Options of the recommended settings, from the command's flags. */
export function recommendedOptionsOf(flags: PlanFlags): RecommendedOptions {
  const { profile, rate, controlLoop } = flags;
  const linkDelayPs = linkDelayOf(flags);
  return { profile, linkRateBps: rate, linkDelayPs, controlLoopPs: controlLoop, headroom: allowancesOf(flags) };
}

/** @throws RoceError `invalid-config` naming the option. */
export function computePlan(flags: PlanFlags): Plan {
  const { rate, controlLoop, profile, flows, ports } = flags;
  const qos = recommendedQos(recommendedOptionsOf(flags), { node: 'switch', peer: 'host' });
  return {
    profile,
    rateBps: rate,
    thresholds: ecnThresholds(rate),
    controlLoopBytes: controlLoopBytes(rate, controlLoop),
    settings: plannedSettings(qos),
    convergence: analyseConvergence({ rateBps: rate, flows, ports }),
  };
}

function plannedSettings(qos: PortQos): PlannedSetting[] {
  const { ecn } = qos.trafficClasses[ROCE_GROUP];
  const pauses = qos.pfc.sendPriorities.join(',') || 'none';
  return [
    {
      what: 'Field that ports trust',
      value: 'DSCP',
      sonic: 'PORT_QOS_MAP dscp_to_tc_map',
      nvidia: 'mlnx_qos --trust dscp',
    },
    { what: 'RoCE data', value: 'DSCP 26 to priority 3', sonic: 'DSCP_TO_TC_MAP 26: 3', nvidia: 'TCLASS 104' },
    { what: 'CNPs', value: 'DSCP 48 to priority 6', sonic: 'DSCP_TO_TC_MAP 48: 6', nvidia: 'cnp_dscp 48' },
    {
      what: 'Priority groups',
      value: '3 to 3, 6 to 6, others to 0',
      sonic: 'TC_TO_PRIORITY_GROUP_MAP',
      nvidia: 'mlnx_qos --prio2buffer',
    },
    { what: 'Queues', value: 'as priorities', sonic: 'TC_TO_QUEUE_MAP', nvidia: 'mlnx_qos --prio_tc' },
    { what: 'Queue of CNPs', value: 'strict', sonic: 'SCHEDULER type STRICT', nvidia: 'mlnx_qos --tsa' },
    { what: 'PFC sent for', value: pauses, sonic: 'PORT_QOS_MAP pfc_enable', nvidia: 'mlnx_qos --pfc' },
    ...(ecn === null ? [] : [
      { what: 'Kmin', value: bytes(ecn.minBytes), sonic: 'WRED_PROFILE green_min_threshold', nvidia: '' },
      { what: 'Kmax', value: bytes(ecn.maxBytes), sonic: 'WRED_PROFILE green_max_threshold', nvidia: '' },
      {
        what: 'Pmax',
        value: `${ecn.probability * 100} %`,
        sonic: 'WRED_PROFILE green_drop_probability',
        nvidia: '',
      },
    ]),
    ...bufferSettings(qos.groups[ROCE_GROUP]),
  ];
}

function bufferSettings(group: BufferGroup): PlannedSetting[] {
  if (group.kind === 'lossy') return [];
  return [
    {
      what: 'Xoff, pause is sent',
      value: bytes(group.xoffBytes),
      sonic: 'BUFFER_PROFILE static_th or dynamic_th',
      nvidia: 'mlnx_qos --buffer_size',
    },
    { what: 'Xon', value: bytes(group.xonBytes), sonic: 'BUFFER_PROFILE xon', nvidia: '' },
    {
      what: 'Headroom, as roce-cc headroom',
      value: bytes(group.headroomBytes),
      sonic: 'BUFFER_PROFILE xoff',
      nvidia: 'mlnx_qos --cable_len',
    },
  ];
}

function bytes(count: number): string {
  return `${count.toLocaleString('en-US')} bytes`;
}
