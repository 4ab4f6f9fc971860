/**
 * Converts a scenario of fidelity `reference-uet` to the inputs of the program `htsim_uec`: arguments, connection matrix,
 * topology file. With them the program itself gives the same results.
 */
import { PS_PER_US } from '../../../units.js';
import type { ValidScenario, ValidUet, UetTier } from '../../scenario/valid-scenario.js';

/** Bytes of a packet beyond its payload. */
export const UET_HEADER_BYTES = 64;
const MATRIX_FILE = 'conn.cm';
const TOPOLOGY_FILE = 'topo.topo';
/** Decimals that are enough for any double from one millionth on. */
const DECIMALS = 22;

/** The program's arguments and input files. */
export interface UetInputs {
  readonly argv: readonly string[];
  /** Text of each file that the arguments name. */
  readonly files: Readonly<Record<string, string>>;
}

/** A validated scenario of fidelity `reference-uet`. */
export type UetScenario = ValidScenario & { readonly uet: ValidUet };

export function uetInputs(valid: UetScenario): UetInputs {
  return {
    argv: argumentsOf(valid),
    files: { [MATRIX_FILE]: matrixOf(valid), [TOPOLOGY_FILE]: topologyOf(valid.uet, valid.network.hosts.length) },
  };
}

function argumentsOf({ uet, hosts, seed, endPs }: UetScenario): string[] {
  const { ecn, adaptive } = uet;
  return [
    ...['-tm', MATRIX_FILE, '-topo', TOPOLOGY_FILE, '-linkspeed', numberText(uet.nicMbps)],
    ...['-mtu', numberText(hosts.mtuBytes + UET_HEADER_BYTES), '-seed', numberText(seed)],
    ...['-end', numberText(endPs / PS_PER_US)],
    ...controlOf(uet),
    ...['-load_balancing_algo', wordOf(uet.pathSelection), '-paths', numberText(uet.paths)],
    ...['-strat', wordOf(uet.nextHops), '-ar_method', adaptive.compare, '-ar_granularity', adaptive.per],
    ...['-ar_sticky_delta', numberText(adaptive.stickyUs), '-failed', numberText(uet.slowLinks)],
    ...optionOf('-q', uet.queuePackets),
    ...optionOf('-queue_size_bdp_factor', uet.queueBdps),
    ...(ecn === null ? [] : ['-ecn', numberText(ecn.lowPackets), numberText(ecn.highPackets)]),
    ...flagOf('-disable_trim', !uet.trimming),
    ...['-trimsize', numberText(uet.trimmedBytes), '-sack_threshold', numberText(uet.ackBytes)],
  ];
}

/** Arguments for congestion control, in the order that the program needs: turning control on or off resets other options. */
function controlOf({ control, oversubscribed, ...uet }: ValidUet): string[] {
  const [first, second] = control.split('+');
  const sender = first === 'rccc' ?
    ['-receiver_cc_only'] :
    second === undefined ?
    ['-sender_cc_only', '-sender_cc_algo', first] :
    ['-sender_cc_algo', first, '-receiver_cc'];
  const { enabled, increase, decrease, weight } = oversubscribed;
  return [
    ...sender,
    ...flagOf('-oversubscribed_cc', enabled === true),
    ...flagOf('-force_disable_oversubscribed_cc', enabled === false),
    ...['-Ai', numberText(increase), '-Md', numberText(decrease), '-alpha', numberText(weight)],
    ...optionOf('-cwnd', uet.windowPackets),
    ...optionOf('-target_q_delay', uet.targetDelayUs),
    ...['-qa_gate', numberText(uet.quickAdaptGate)],
    ...flagOf('-enable_accurate_base_rtt', uet.pairBaseRtt),
    ...flagOf('-disable_base_rtt_update_on_nack', !uet.nackBaseRtt),
    ...flagOf('-sleek', uet.sleek),
  ];
}

function flagOf(name: string, isGiven: boolean): string[] {
  return isGiven ? [name] : [];
}

function optionOf(name: string, value: number | null): string[] {
  return value === null ? [] : [name, numberText(value)];
}

/** A setting's value in the program's spelling, with underscores. */
function wordOf(word: string): string {
  return word.replaceAll('-', '_');
}

/** A number without an exponent, which the program does not parse. */
function numberText(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(DECIMALS) : text;
}

/** Hosts come first among the nodes, so their indices are the program's numbers. */
function matrixOf({ flows, network }: UetScenario): string {
  const lines = [`Nodes ${network.hosts.length}`, `Connections ${flows.length}`];
  for (const { source, destination, startPs, sizeBytes } of flows) {
    lines.push(`${source}->${destination} start ${startPs / PS_PER_US} size ${sizeBytes}`);
  }
  return `${lines.join('\n')}\n`;
}

function topologyOf({ tiers, podHosts, switchDelayNs }: ValidUet, hosts: number): string {
  const tierText = ({ rateGbps, delayNs, radixDown, radixUp, oversubscribed }: UetTier, at: number): string =>
    [
      `Tier ${at}`,
      `Downlink_speed_Gbps ${rateGbps}`,
      `Radix_Down ${radixDown}`,
      ...(radixUp === 0 ? [] : [`Radix_Up ${radixUp}`]),
      `Downlink_Latency_ns ${delayNs}`,
      `Switch_Latency_ns ${switchDelayNs}`,
      ...(oversubscribed === 1 ? [] : [`Oversubscribed ${oversubscribed}`]),
      '',
    ].join('\n');
  return [`Nodes ${hosts}\nTiers ${tiers.length}\nPodsize ${podHosts}\n`, ...tiers.map(tierText)].join('\n');
}
