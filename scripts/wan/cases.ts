/** The runs of the WAN study: distance x notification x flow control x congestion control, over one congested link of the WAN. */
import type { AlgorithmSpec, OverrideSpec, ScenarioSpec, SwitchSpec, WanSpec } from '../../src/sim/scenario/spec.js';

/** Both data centres and all of the WAN between them, kilometres. */
export const DISTANCES_KM: readonly number[] = [10, 100, 1000, 2000];

/** Node that notifies senders of congestion: numbers as in docs/guides/wan.md. */
export interface Notification {
  readonly name: string;
  readonly switches: SwitchSpec;
  readonly overrides: readonly OverrideSpec[];
  readonly accessLists: NonNullable<WanSpec['accessLists']>;
}

export interface FlowControl {
  readonly name: string;
  readonly spec: NonNullable<WanSpec['flowControl']>;
  /** Memory of the nodes of the WAN; default: with the headroom that PFC needs over the distance. */
  readonly bufferBytes?: number;
}

export interface WanCase {
  readonly km: number;
  readonly notification: Notification;
  readonly flowControl: FlowControl;
  readonly algorithm: string;
}

const NS_PER_KM = 5000;
const WAN_LINKS = 3;
const RATE_GBPS = 25;
const UPLINK_GBPS = 100;
/** At 25 Gb/s one round trip of 1,000 km. */
const SIZE_BYTES = 32_000_000;
/** So long that pauses over 1,000 km reach it while it runs. */
const BYSTANDER_BYTES = 96_000_000;
/** Far less than what PFC needs over a long link. */
const SMALL_BUFFER_BYTES = 16_000_000;
const WAN_NODES = ['pe0', 'pe1', 'r0', 'r1'];
const DATA_CENTER_NODES = [0, 1].flatMap((center) =>
  ['leaf0', 'leaf1', 'spine0', 'gateway'].map((node) => `dc${center}.${node}`)
);
const FAST_CNP: SwitchSpec = { fastCnp: { enabled: true } };
const without = (nodes: readonly string[]): OverrideSpec => ({ nodes, switch: { fastCnp: { enabled: false } } });
const listsFor = (permit: readonly string[]): Notification['accessLists'] =>
  ['edges', 'gateways'].map((at) => ({ at, permit }));

export const NOTIFICATIONS: readonly Notification[] = [
  { name: '1 CNP', switches: {}, overrides: [], accessLists: [] },
  {
    name: '2 Fast CNP, data centres',
    switches: FAST_CNP,
    overrides: [without(WAN_NODES)],
    accessLists: listsFor(['dc0', 'dc1']),
  },
  {
    name: '3 Fast CNP, END.CON',
    switches: FAST_CNP,
    overrides: [without(DATA_CENTER_NODES)],
    accessLists: listsFor(['wan']),
  },
  { name: '4 all', switches: FAST_CNP, overrides: [], accessLists: listsFor(['dc0', 'dc1', 'wan']) },
];

export const FLOW_CONTROLS: readonly FlowControl[] = [
  { name: 'none', spec: { kind: 'none' } },
  { name: 'none, 16 MB', spec: { kind: 'none' }, bufferBytes: SMALL_BUFFER_BYTES },
  { name: 'PFC', spec: { kind: 'pfc' } },
  { name: 'ARN', spec: { kind: 'arn', level: 'service' } },
];

export const ALGORITHMS: Readonly<Record<string, AlgorithmSpec>> = {
  'DCQCN': { preset: 'dcqcn-sigcomm15' },
  'HPCC++': { preset: 'hpcc-pp-draft' },
};

/** All that the page has, in the order of its rows. */
export function casesOf(km: number, algorithm: string): WanCase[] {
  return NOTIFICATIONS.flatMap((notification) =>
    FLOW_CONTROLS.map((flowControl) => ({ km, notification, flowControl, algorithm }))
  );
}

/** @throws Error when the page has no such row. */
export function caseOf(km: number, algorithm: string, notification: string, flowControl: string): WanCase {
  const found = DISTANCES_KM.includes(km) && algorithm in ALGORITHMS ?
    casesOf(km, algorithm).find((one) =>
      one.notification.name === notification && one.flowControl.name === flowControl
    ) :
    undefined;
  if (found === undefined) throw new Error(`no row of ${km} km, ${algorithm}, ${notification}, ${flowControl}`);
  return found;
}

/** The scenario of a row, as `roce-cc run` takes it. */
export function scenarioOf({ km, notification, flowControl, algorithm }: WanCase): ScenarioSpec {
  const { switches, overrides, accessLists } = notification;
  return {
    name: `${km} km, ${algorithm}, ${notification.name}, ${flowControl.name}`,
    topology: {
      kind: 'two-data-centers',
      leaves: 2,
      spines: 1,
      hostsPerLeaf: 2,
      rateGbps: RATE_GBPS,
      uplink: { rateGbps: UPLINK_GBPS },
      wan: {
        edges: 1,
        routers: 2,
        rateGbps: UPLINK_GBPS,
        delayNs: (km * NS_PER_KM) / WAN_LINKS,
        links: [{}, { rateGbps: RATE_GBPS }, {}],
      },
    },
    workload: [
      {
        kind: 'flows',
        flows: [['h0', 'h4'], ['h1', 'h5'], ['h2', 'h6']].map(([from = '', to = '']) => ({
          from,
          to,
          sizeBytes: SIZE_BYTES,
        })),
      },
      // It never leaves its data centre; it shares the spine with those that do.
      { kind: 'flows', flows: [{ from: 'h3', to: 'h0', sizeBytes: BYSTANDER_BYTES }] },
    ],
    algorithms: { [algorithm]: ALGORITHMS[algorithm] },
    switches,
    overrides: [...overrides, ...memoryOf(flowControl)],
    wan: { ...(accessLists.length === 0 ? {} : { accessLists }), flowControl: flowControl.spec },
  };
}

function memoryOf({ bufferBytes }: FlowControl): OverrideSpec[] {
  return bufferBytes === undefined ? [] : [{ nodes: WAN_NODES, switch: { pfc: false, bufferBytes } }];
}
