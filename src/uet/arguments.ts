/**
 * The options of a run, and the arguments of `htsim_uec` that set them, in one table: name, values, effect. As in the
 * reference, their order can matter: `-sender_cc_algo` after `-receiver_cc_only` enables sender-based control again.
 */
import { BPS_PER_MBPS, PS_PER_US } from '../units.js';
import { STRATEGIES, type AdaptiveSettings, type Strategy } from './next-hop-choice.js';
import { HEADER_BYTES } from './packet.js';
import { PATH_SELECTORS, type PathSelectorName } from './path-selectors.js';
import { rejectUet } from './rejections.js';

export type SenderAlgorithm = 'nscc' | 'dctcp' | 'constant';

/** The options of a run. */
export interface UetOptions {
  /** Files of the connection matrix and the topology; without a topology file, `tiers` and `nodes` define it. */
  readonly matrixFile: string;
  readonly topologyFile: string | undefined;
  readonly tiers: 2 | 3;
  readonly nodes: number | undefined;
  readonly linkSpeedBps: number;
  readonly hopLatencyPs: number;
  readonly switchLatencyPs: number;
  readonly mtuBytes: number;
  readonly seed: number;
  readonly endPs: number;
  readonly paths: number;
  readonly pathSelector: PathSelectorName;
  readonly strategy: Strategy;
  readonly adaptive: AdaptiveSettings;
  readonly slowLinks: number;
  /** Queue limit, packets; undefined: derived from the bandwidth-delay product. */
  readonly queuePackets: number | undefined;
  readonly queueFactor: number | undefined;
  readonly ecnPackets: readonly [number, number] | undefined;
  readonly isTrimming: boolean;
  readonly trimBytes: number;
  readonly ackBytes: number;
  readonly windowPackets: number | undefined;
  readonly targetPs: number | undefined;
  readonly quickGate: number;
  readonly isBaseRttOfPair: boolean;
  readonly isBaseRttFromNacks: boolean;
  readonly isSleek: boolean;
  readonly sender: SenderAlgorithm | undefined;
  readonly isReceiverControlled: boolean;
  readonly oversubscribed: OversubscribedOptions;
  readonly isMessages: boolean;
}

/** Options of receiver-based control for oversubscribed networks. */
export interface OversubscribedOptions {
  /** Whether an option enabled it; `isByRatio`: whether the tree's oversubscription ratio, if above 1, enables it. */
  readonly isOn: boolean;
  readonly isByRatio: boolean;
  readonly increase: number;
  readonly decrease: number;
  readonly weight: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Options while the arguments are being read. */
interface Draft extends Omit<Mutable<UetOptions>, 'matrixFile' | 'adaptive' | 'oversubscribed'> {
  matrixFile: string | undefined;
  adaptive: Mutable<UetOptions['adaptive']>;
  oversubscribed: Mutable<UetOptions['oversubscribed']>;
  /** Whether an option, not the default, chose sender-based control. */
  isSenderChosen: boolean;
  isOversubscribedForcedOff: boolean;
}

/** Allowed values of an argument. */
type ArgumentValue = { readonly kind: 'file' } | {
  readonly kind: 'whole' | 'number';
  readonly min: number;
  readonly max: number;
} | { readonly kind: 'word'; readonly words: readonly string[] };

interface ArgumentRow {
  readonly values: readonly ArgumentValue[];
  readonly effect: string;
  readonly apply: (draft: Draft, ...values: readonly never[]) => void;
}

const PACKET_BYTES_MAX = 65_535;
const COUNT_MAX = 2 ** 31 - 1;
const US_MAX = 1e9;

const FILE: ArgumentValue = { kind: 'file' };
const PART: ArgumentValue = { kind: 'number', min: 0, max: 1 };
const MICROSECONDS: ArgumentValue = { kind: 'number', min: 0, max: US_MAX };
const whole = (min: number, max = COUNT_MAX): ArgumentValue => ({ kind: 'whole', min, max });
const word = (...words: readonly string[]): ArgumentValue => ({ kind: 'word', words });
const psOf = (us: number): number => Math.trunc(us * PS_PER_US);

const row = (values: readonly ArgumentValue[], effect: string, apply: ArgumentRow['apply']): ArgumentRow => ({
  values,
  effect,
  apply,
});
const flag = (effect: string, apply: (draft: Draft) => void): ArgumentRow => row([], effect, apply);
const number = (value: ArgumentValue, effect: string, apply: (draft: Draft, value: number) => void): ArgumentRow =>
  row([value], effect, apply);

const ROWS: Readonly<Record<string, ArgumentRow>> = {
  '-tm': row([FILE], 'connection matrix', (draft, file: string) => void (draft.matrixFile = file)),
  '-topo': row([FILE], 'topology; default: a tree of -tiers and -nodes',
    (draft, file: string) => void (draft.topologyFile = file)),
  '-tiers': number(whole(2, 3), 'tiers of a tree without a file; default 3',
    (draft, tiers) => void (draft.tiers = tiers === 2 ? 2 : 3)),
  '-nodes': number(whole(1, 2 ** 20), 'hosts of a tree without a file', (draft, nodes) => void (draft.nodes = nodes)),
  '-linkspeed': number(whole(1, 8_000_000), 'Mb/s of NICs; default 100000',
    (draft, speed) => void (draft.linkSpeedBps = speed * BPS_PER_MBPS)),
  '-hop_latency': number(MICROSECONDS, 'us of a link without a file; default 1',
    (draft, us) => void (draft.hopLatencyPs = psOf(us))),
  '-switch_latency': number(MICROSECONDS, 'us of a switch without a file; default 0',
    (draft, us) => void (draft.switchLatencyPs = psOf(us))),
  '-mtu': number(whole(HEADER_BYTES + 1, PACKET_BYTES_MAX), 'bytes of the largest packet; default 4150',
    (draft, mtu) => void (draft.mtuBytes = mtu)),
  '-seed': number(whole(0, 2 ** 32 - 1), 'random seed; default 13', (draft, seed) => void (draft.seed = seed)),
  '-end': number(whole(0, US_MAX), 'us; default 1000', (draft, us) => void (draft.endPs = us * PS_PER_US)),
  '-paths': number(whole(1, 2 ** 16), 'paths, a power of two; default 64',
    (draft, paths) => void (draft.paths = paths)),
  '-load_balancing_algo': row([word(...PATH_SELECTORS)], 'path selection; default mixed',
    (draft, name: UetOptions['pathSelector']) => void (draft.pathSelector = name)),
  '-strat': row([word(...STRATEGIES)], 'next hops of switches; default ecmp_host',
    (draft, name: UetOptions['strategy']) => void (draft.strategy = name)),
  '-ar_method': row([word('queue', 'qb', 'bandwidth')], 'what adaptive routing compares; default queue',
    (draft, name: string) => void (draft.adaptive.method = name === 'bandwidth' ? name : 'queue')),
  '-ar_granularity': row([word('packet', 'flow')], 'unit of adaptive routing; default packet',
    (draft, name: 'packet' | 'flow') => void (draft.adaptive.granularity = name)),
  '-ar_sticky_delta': number(MICROSECONDS, 'us of idleness before a flow may move; default 10',
    (draft, us) => void (draft.adaptive.stickyPs = psOf(us))),
  '-failed': number(whole(0), 'links at a quarter of their rate; default 0',
    (draft, count) => void (draft.slowLinks = count)),
  '-q': number(whole(1), 'packets of a queue', (draft, packets) => void (draft.queuePackets = packets)),
  '-queue_size_bdp_factor': number(whole(1), 'without -q: a queue in bandwidth-delay products; default 1, or 5',
    (draft, factor) => void (draft.queueFactor = factor)),
  '-ecn': row([whole(0), whole(0)], 'packets at which marks begin, and at which all are marked',
    (draft, low: number, high: number) => void (draft.ecnPackets = [low, high])),
  '-disable_trim': flag('drops instead of trimming', (draft) => void (draft.isTrimming = false)),
  '-trimsize': number(whole(HEADER_BYTES, PACKET_BYTES_MAX), 'bytes of a trimmed packet; default 64',
    (draft, bytes) => void (draft.trimBytes = bytes)),
  '-sack_threshold': number(whole(0), 'bytes per ACK; default 16384', (draft, bytes) => void (draft.ackBytes = bytes)),
  '-cwnd': number(whole(1), 'packets of the first window; default 1.5 bandwidth-delay products',
    (draft, packets) => void (draft.windowPackets = packets)),
  '-target_q_delay': number({ kind: 'number', min: 0.000001, max: US_MAX }, 'us, target delay of NSCC',
    (draft, us) => void (draft.targetPs = psOf(us))),
  '-qa_gate': number(whole(0, 63), 'quick adapt below the largest window / 2^gate; default 3',
    (draft, gate) => void (draft.quickGate = gate)),
  '-enable_accurate_base_rtt': flag('the base RTT of each pair of hosts',
    (draft) => void (draft.isBaseRttOfPair = true)),
  '-disable_base_rtt_update_on_nack': flag('NACKs do not lower the base RTT',
    (draft) => void (draft.isBaseRttFromNacks = false)),
  '-sleek': flag('recovery of losses without trimming', (draft) => void (draft.isSleek = true)),
  '-sender_cc_only': flag('sender-based control only', (draft) => {
    draft.isReceiverControlled = false;
    draft.isSenderChosen = true;
    draft.sender ??= 'nscc';
    draft.oversubscribed.isOn = false;
  }),
  '-sender_cc_algo': row([word('nscc', 'dctcp', 'constant')], 'sender-based control; default nscc',
    (draft, name: SenderAlgorithm) => {
      draft.sender = name;
      draft.isSenderChosen = true;
    }),
  '-receiver_cc_only': flag('receiver-based control only', (draft) => {
    draft.isReceiverControlled = true;
    draft.isSenderChosen = false;
    draft.sender = undefined;
    draft.oversubscribed.isOn = false;
  }),
  '-receiver_cc': flag('also receiver-based control', (draft) => void (draft.isReceiverControlled = true)),
  '-oversubscribed_cc': flag('receivers slow down in an oversubscribed tree',
    (draft) => void (draft.oversubscribed.isOn = true)),
  '-force_disable_oversubscribed_cc': flag('receivers never slow down',
    (draft) => void (draft.isOversubscribedForcedOff = true)),
  '-Ai': number(PART, 'increase of their rate; default 0.01',
    (draft, value) => void (draft.oversubscribed.increase = value)),
  '-Md': number(PART, 'decrease of their rate; default 0.5',
    (draft, value) => void (draft.oversubscribed.decrease = value)),
  '-alpha': number(PART, 'weight of a new marked fraction; default 0.5',
    (draft, value) => void (draft.oversubscribed.weight = value)),
  '-queue_type': row([word('composite')], 'queues of switches', () => undefined),
  '-host_queue_type': row([word('fair_prio')], 'queues of hosts', () => undefined),
  '-planes': number(whole(1, 1), 'planes of the network', () => undefined),
  '-conn_reuse': flag('lines of one id are messages of one connection', (draft) => void (draft.isMessages = true)),
};

/** The rows of the argument table in the documentation: name, form of the values, effect. */
export function uetArgumentRows(): { readonly name: string; readonly values: string; readonly effect: string }[] {
  return Object.entries(ROWS).map(([name, { values, effect }]) => ({
    name,
    values: values.map(allowedOf).join('; '),
    effect,
  }));
}

/**
 * Reads the arguments of a run.
 * @param argv arguments of the program, without its name.
 * @throws RoceError `invalid-scenario`, naming the argument: it is unknown, has no value, or has an invalid one.
 */
export function readUetArguments(argv: readonly string[]): UetOptions {
  const draft = defaults();
  for (let at = 0; at < argv.length;) {
    const name = argv[at];
    const found = Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
    if (found === undefined) return rejectUet({ what: 'the option', got: name, allowed: Object.keys(ROWS) });
    const values = found.values.map((value, place) => readValue(name, value, argv[at + 1 + place]));
    found.apply(draft, ...(values as never[]));
    at += 1 + values.length;
  }
  return finished(draft);
}

function defaults(): Draft {
  return {
    matrixFile: undefined,
    topologyFile: undefined,
    tiers: 3,
    nodes: undefined,
    linkSpeedBps: 100e9,
    hopLatencyPs: PS_PER_US,
    switchLatencyPs: 0,
    mtuBytes: 4150,
    seed: 13,
    endPs: 1000 * PS_PER_US,
    paths: 64,
    pathSelector: 'mixed',
    strategy: 'ecmp_host',
    adaptive: { method: 'queue', granularity: 'packet', stickyPs: 10 * PS_PER_US },
    slowLinks: 0,
    queuePackets: undefined,
    queueFactor: undefined,
    ecnPackets: undefined,
    isTrimming: true,
    trimBytes: HEADER_BYTES,
    ackBytes: 16_384,
    windowPackets: undefined,
    targetPs: undefined,
    quickGate: 3,
    isBaseRttOfPair: false,
    isBaseRttFromNacks: true,
    isSleek: false,
    sender: 'nscc',
    isReceiverControlled: false,
    oversubscribed: { isOn: false, isByRatio: true, increase: 0.01, decrease: 0.5, weight: 0.5 },
    isMessages: false,
    isSenderChosen: false,
    isOversubscribedForcedOff: false,
  };
}

function readValue(name: string, value: ArgumentValue, text: string | undefined): string | number {
  const reject = (): never => rejectUet({ what: name, got: text, allowed: allowedOf(value) });
  if (text === undefined) return reject();
  if (value.kind === 'file') return text;
  if (value.kind === 'word') return value.words.includes(text) ? text : reject();
  const pattern = value.kind === 'whole' ? /^\d{1,16}$/ : /^\d{1,16}(?:\.\d{1,22})?$/;
  const got = pattern.test(text) ? Number(text) : NaN;
  return got >= value.min && got <= value.max ? got : reject();
}

function allowedOf(value: ArgumentValue): string {
  switch (value.kind) {
    case 'file':
      return 'a file';
    case 'word':
      return value.words.join(', ');
    default:
      return `a ${value.kind === 'whole' ? 'whole ' : ''}number from ${value.min} to ${value.max}`;
  }
}

/** Checks constraints between options. */
function finished(draft: Draft): UetOptions {
  const { isSenderChosen, isOversubscribedForcedOff, matrixFile, topologyFile, ...options } = draft;
  if (matrixFile === undefined)
    return rejectUet({ what: '-tm', where: 'argv', problem: 'is required: the connection matrix' });
  if (topologyFile === undefined && options.nodes === undefined) {
    return rejectUet({ what: '-topo', where: 'argv', problem: 'or -nodes is required' });
  }
  if (!Number.isInteger(Math.log2(options.paths))) {
    return rejectUet({ what: '-paths', got: options.paths, allowed: 'a power of two' });
  }
  const [low, high] = options.ecnPackets ?? [0, 0];
  if (low > high)
    return rejectUet({ what: '-ecn', got: `${low} ${high}`, allowed: 'two numbers, the lower one first' });
  if (options.isSleek && options.sender === undefined) {
    return rejectUet({ what: '-sleek', problem: 'needs control by senders' });
  }
  // The switches choose the path, so -paths is ignored and there is one.
  const isOnePath = options.strategy === 'ecmp_rr' || options.strategy === 'ecmp_ar';
  return {
    ...options,
    matrixFile,
    topologyFile,
    paths: isOnePath ? 1 : options.paths,
    oversubscribed: {
      ...options.oversubscribed,
      isOn: options.oversubscribed.isOn && !isOversubscribedForcedOff,
      isByRatio: !isSenderChosen && !isOversubscribedForcedOff,
    },
  };
}
