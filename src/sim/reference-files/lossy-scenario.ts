/**
 * Settings that config files of ConWeave's simulator (conweave-project/conweave-ns3) have in addition to those of HPCC's, from
 * which it descends.
 *
 * Source: docs/specs/reference-lossy.md, section 10.
 */
import { BYTES_PER_MIB, PS_PER_US } from '../../units.js';
import type { FaultSpec, HostSpec, LoadBalancing, OverrideSpec, ScenarioSpec, SwitchSpec } from '../scenario/spec.js';
import type { ReferenceConfig } from './config-file.js';
import { rejectText, secondsToPs, wholeOf } from './reference-text.js';
import { nodeName, type ReferenceTopology } from './network-files.js';

const COUNTER_MAX = 2 ** 32 - 1;
const TIME_MAX_US = 1e6;
const FLOWS_MAX = 1_048_575;
/** How long a run continues after FLOWGEN_STOP_TIME (section 1). */
const AFTER_STOP_S = 10;
const LATEST_STOP_S = 990;
/** Buffer per port if BUFFER_SIZE is 0 (section 6). */
const PORT_BUFFER_BYTES = 375_000;

/** Load balancing by LB_MODE. */
const BALANCING: ReadonlyMap<number, LoadBalancing> = new Map([
  [0, 'ecmp'],
  [2, 'drill'],
  [3, 'conga'],
  [6, 'letflow'],
  [9, 'conweave'],
]);

/** Latest end of the run, microseconds. */
export function lossyStopUs(config: ReferenceConfig): number {
  const { place } = config.word('FLOWGEN_STOP_TIME');
  // The sum of doubles is intended: with 2.1 s the simulator stops at 12.099999999 s.
  const seconds = config.number('FLOWGEN_STOP_TIME', 0, LATEST_STOP_S) + AFTER_STOP_S;
  return secondsToPs({ text: String(seconds), place }, 'FLOWGEN_STOP_TIME') / PS_PER_US;
}

/** The scenario with the additional settings of these files. */
export function withLossySettings(spec: ScenarioSpec, config: ReferenceConfig,
  topology: ReferenceTopology): ScenarioSpec {
  const drops = dropsOf(config);
  const overrides = buffersByPorts(config, topology);
  return {
    ...spec,
    fidelity: 'reference-lossy',
    seed: config.whole('RANDOM_SEED', 1, COUNTER_MAX),
    endCheckFromUs: secondsToPs(config.word('FLOWGEN_START_TIME'), 'FLOWGEN_START_TIME') / PS_PER_US,
    switches: { ...spec.switches, ...switchesOf(config) },
    hosts: { ...spec.hosts, ...hostsOf(config) },
    ...(overrides.length > 0 ? { overrides } : {}),
    ...(drops.length > 0 ? { faults: [...(spec.faults ?? []), ...drops] } : {}),
  };
}

function switchesOf(config: ReferenceConfig): SwitchSpec {
  const mode = config.whole('LB_MODE', 0, 255);
  const loadBalancing = BALANCING.get(mode);
  if (loadBalancing === undefined) {
    const hint = `They are ${[...BALANCING].map(([code, name]) => `${code} (${name})`).join(', ')}`;
    rejectText({
      what: 'LB_MODE',
      got: mode,
      allowed: [...BALANCING.keys()],
      where: config.word('LB_MODE').place,
      hint,
    });
  }
  const us = (key: string): number => config.whole(key, 0, TIME_MAX_US);
  return {
    ...bufferOf(config),
    pfc: config.flag('ENABLE_PFC'),
    pauseTimeUs: config.whole('PAUSE_TIME', 1, TIME_MAX_US),
    loadBalancing,
    ...(loadBalancing === 'conweave' ?
      {
        conWeave: {
          expiryUs: us('CONWEAVE_TX_EXPIRY_TIME'),
          replyExtraUs: us('CONWEAVE_REPLY_TIMEOUT_EXTRA'),
          pathPauseUs: us('CONWEAVE_PATH_PAUSE_TIME'),
          flushExtraUs: us('CONWEAVE_EXTRA_VOQ_FLUSH_TIME'),
          defaultWaitUs: us('CONWEAVE_DEFAULT_VOQ_WAITING_TIME'),
        },
      } :
      {}),
  };
}

function bufferOf(config: ReferenceConfig): SwitchSpec {
  if (config.has('X_BUFFER_BYTES')) return { bufferBytes: config.whole('X_BUFFER_BYTES', 1, COUNTER_MAX) };
  const size = config.whole('BUFFER_SIZE', 0, 4095);
  return size === 0 ? {} : { bufferBytes: size * BYTES_PER_MIB };
}

/** Buffers for BUFFER_SIZE 0, which depend on the number of a switch's ports. */
function buffersByPorts(config: ReferenceConfig, topology: ReferenceTopology): OverrideSpec[] {
  if (config.has('X_BUFFER_BYTES') || config.whole('BUFFER_SIZE', 0, 4095) !== 0) return [];
  return topology.isSwitch.flatMap((isSwitch, node): OverrideSpec[] => {
    if (!isSwitch) return [];
    const ports = topology.links.filter(({ a, b }) => a === node || b === node).length;
    return [{ nodes: [nodeName(topology, node)], switch: { bufferBytes: PORT_BUFFER_BYTES * ports } }];
  });
}

function hostsOf(config: ReferenceConfig): HostSpec {
  const us = (key: string): number => config.whole(key, 1, TIME_MAX_US);
  return {
    transport: config.flag('ENABLE_IRN') ? 'irn' : 'go-back-n',
    irn: {
      ...(config.has('X_IRN_BDP') ? { windowBytes: config.whole('X_IRN_BDP', 1, COUNTER_MAX) } : {}),
      timeoutLowUs: us('X_IRN_RTO_LOW_US'),
      timeoutHighUs: us('X_IRN_RTO_HIGH_US'),
    },
    retransmitTimeoutUs: us('X_GBN_RTO_US'),
    nakIntervalUs: config.whole('X_NACK_INTERVAL_US', 0, TIME_MAX_US),
    backToZeroBytes: config.flag('L2_BACK_TO_ZERO') ? config.whole('L2_CHUNK_SIZE', 1, COUNTER_MAX) : 0,
  };
}

/** Drops from any number of lines `X_DROP flow sequence arrival`. */
function dropsOf(config: ReferenceConfig): FaultSpec[] {
  if (!config.has('X_DROP')) return [];
  const words = config.words('X_DROP');
  return Array.from({ length: words.length / 3 }, (_, i): FaultSpec => ({
    kind: 'drop',
    flow: wholeOf(words[3 * i], 'flow of X_DROP', 0, FLOWS_MAX),
    firstByte: wholeOf(words[3 * i + 1], 'first byte of X_DROP', 0, Number.MAX_SAFE_INTEGER),
    arrival: wholeOf(words[3 * i + 2], 'arrival of X_DROP', 1, 1e9),
  }));
}
