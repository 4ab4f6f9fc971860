/** Hosts around one switch, in numbers of the reference: all links equal, DCQCN, marking by a step. */
import { dcqcnNs3 } from '../../../../src/config/algorithms/dcqcn/preset-ns3.js';
import { FlowPlans } from '../../../../src/sim/flow-plans.js';
import { RouteTable } from '../../../../src/sim/route-table.js';
import type { FlowPlan, NetworkPlan, NodePlan, PortPlan } from '../../../../src/sim/plan.js';
import { gbps, ms, ns, seconds, us } from '../../../../src/units.js';

export interface StarOptions {
  readonly senders: number;
  readonly sizeBytes: number;
  readonly bufferBytes?: number;
  readonly pfc?: boolean;
  readonly kminBytes?: number;
  readonly endPs?: number;
}

const RATE_BPS = gbps(100);
const DELAY_PS = us(1);

/** `senders` hosts send one flow each to a last host, all at 1 ms. The switch is the last node. */
export function starPlan(options: StarOptions): NetworkPlan {
  const hosts = options.senders + 1;
  return {
    fidelity: 'reference',
    seed: 1,
    endPs: options.endPs ?? seconds(1),
    rules: {
      txTime: 'ns3',
      mtuBytes: 1000,
      wireOverheadBytes: 0,
      pauseFrameBytes: 43,
      cnpBytes: 60,
      fastCnpBytes: 60,
      notification: 'ack-flag',
      cnpIntervalPs: 0,
      cnpDelayPs: 0,
      cnpClass: 6,
      strictClasses: 0,
      markAt: 'dequeue',
      markable: 'all',
      telemetry: 'none',
      intMultiplier: 1,
      nakIntervalPs: us(500),
      retransmitTimeoutPs: 0,
      pacing: true,
      resumeOffsetBytes: 3072,
      reservedBytes: 4096,
      ackPauseClass: 0,
    },
    nodes: [...Array.from({ length: hosts }, (_, node) => hostNode(node)), switchNode(hosts, options)],
    ports: [
      ...Array.from({ length: hosts }, (_, node) => portPlan(node, hosts + node, options)),
      ...Array.from({ length: hosts }, (_, node) => portPlan(hosts, node, options)),
    ],
    routes: RouteTable.of([
      ...Array.from({ length: hosts }, () => []),
      [...Array.from({ length: hosts }, (_, node) => node), -1],
    ]),
    groups: Array.from({ length: hosts }, (_, node) => [hosts + node]),
    parameterSets: [dcqcnNs3('dcqcn', { lineRateBps: RATE_BPS })],
    flows: FlowPlans.of(Array.from({ length: options.senders }, (_, index) => flowPlan(index, options))),
    linkEvents: [],
    fastCnp: {
      accepted: false,
      option: 1,
      flowRatePerSecond: 0,
      flowBurst: 1,
      portRatePerSecond: 0,
      portBurst: 1,
      markWhenLimited: false,
      duplicateWindowPs: 0,
    },
  };
}

function hostNode(node: number): NodePlan {
  return {
    name: `h${node}`,
    kind: 'host',
    firstPort: node,
    portCount: 1,
    bufferBytes: 0,
    pfc: true,
    fastCnp: false,
    hashSeed: 0,
    address: node + 1,
  };
}

function switchNode(hosts: number, { bufferBytes = 2 ** 25, pfc = true }: StarOptions): NodePlan {
  return {
    name: 's',
    kind: 'switch',
    firstPort: hosts,
    portCount: hosts,
    bufferBytes,
    pfc,
    fastCnp: false,
    hashSeed: hosts,
    address: 1000,
  };
}

function portPlan(node: number, peerPort: number, { senders, kminBytes = 400_000 }: StarOptions): PortPlan {
  const ofSwitch = node > senders;
  return {
    node,
    peerPort,
    rateBps: RATE_BPS,
    delayPs: DELAY_PS,
    headroomBytes: ofSwitch ? 37_500 : 0,
    thresholdShift: 3,
    ecn: ofSwitch,
    kminBytes,
    kmaxBytes: kminBytes,
    pmax: 1,
    dataLoss: 0,
    ackLoss: 0,
    cnpLoss: 0,
    corruption: 0,
  };
}

function flowPlan(source: number, { senders, sizeBytes }: StarOptions): FlowPlan {
  return {
    source,
    destination: senders,
    sourcePort: source,
    responsePort: senders,
    sizeBytes,
    startPs: ms(1),
    after: -1,
    dataClass: 3,
    ackClass: 3,
    udpSourcePort: 10_000,
    udpDestinationPort: 100 + source,
    parameterSet: 0,
    windowBytes: 0,
    windowMode: 'none',
    headerBytes: 48,
    ackBytes: 60,
    idealPs: ns(4176),
  };
}
