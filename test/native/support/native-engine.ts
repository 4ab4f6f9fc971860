/** The library, called through koffi, with the methods of the npm package's engine that the random streams call. */
import koffi from 'koffi';
import { ACK_PENALTY_GIVEN, ACK_RESTORES_WINDOW } from '../../../src/abi/ack-layout.js';
import type { AckFields, EngineOptions, NackFields, QpOptions } from '../../../src/index.js';
import type { AlgorithmParameters } from '../../../src/config/algorithms/registry.js';
import { engineConfig } from '../../../src/config/engine-config.js';
import { addressBytes } from '../../../src/engine/qps.js';
import type { FastCnpFields, LossFound } from '../../../src/engine/event-batch.js';
import { RoceError, type RoceErrorCode } from '../../../src/errors.js';
import { LIBRARY_FILE } from './library.js';

const NONE = 0xffffffff;
/** ROCE_CC_ABI. */
export const ABI = 2;
const ACTION_BYTES = 24;
const REPORT_BYTES = 32;
const HASH_CHARS = 17;
/** Error codes by status; a status without its own code in the npm package is `invalid-argument`. */
const CODES: Readonly<Record<number, RoceErrorCode>> = {
  [-1]: 'invalid-argument',
  [-2]: 'invalid-config',
  [-3]: 'capacity',
  [-4]: 'duplicate-qp',
  [-5]: 'unknown-qp',
  [-6]: 'invalid-argument',
  [-7]: 'unsupported',
  [-8]: 'snapshot-mismatch',
  [-9]: 'disposed',
};

/** A preset of each algorithm; overrides then set all of its parameters. */
const PRESETS: Readonly<Record<string, string>> = {
  dcqcn: 'dcqcn-sigcomm15',
  hpcc: 'hpcc-sigcomm19',
  'hpcc-pint': 'hpcc-pint-ns3',
  'hpcc-pp': 'hpcc-pp-draft',
  timely: 'timely-sigcomm15',
  dctcp: 'dctcp-ns3',
  swift: 'swift-sigcomm20',
  nscc: 'nscc-uet',
  rccc: 'rccc-uet',
};

const library = koffi.load(LIBRARY_FILE);
const Hop = koffi.struct('roce_hop', {
  time_ps: 'double',
  tx_bytes: 'double',
  queue_bytes: 'double',
  line_rate_bps: 'double',
  hop_id: 'uint32_t',
  port: 'uint32_t',
});
const RawHop = koffi.struct('roce_raw_hop', {
  line_rate_code: 'uint32_t',
  time: 'uint32_t',
  bytes: 'uint32_t',
  queue: 'uint32_t',
});
koffi.struct('roce_parameter_set', { name: 'str', preset: 'str', overrides: 'str' });
koffi.struct('roce_options', {
  struct_bytes: 'uint32_t',
  abi: 'uint32_t',
  qps: 'uint32_t',
  endpoints: 'uint32_t',
  addresses: 'uint32_t',
  events: 'uint32_t',
  packets: 'uint32_t',
  frame_bytes: 'uint32_t',
  parameter_sets: 'roce_parameter_set *',
  parameter_set_count: 'uint32_t',
  settings: 'str',
});
koffi.struct('roce_qp_options', {
  endpoint: 'uint32_t',
  local_qpn: 'uint32_t',
  peer_qpn: 'uint32_t',
  peer_address: 'uint8_t *',
  parameter_set: 'str',
});
koffi.struct('roce_ack_info', {
  ack_seq: 'uint32_t',
  snd_nxt: 'uint32_t',
  sent_ps: 'double',
  host_delay_ps: 'double',
  acked_packets: 'double',
  acked_bytes: 'double',
  path_hops: 'uint32_t',
  pint_power: 'uint32_t',
  ecn_echo: 'uint8_t',
  telemetry: 'uint8_t',
  partial: 'uint8_t',
  reserved: 'uint8_t',
  hop_count: 'uint32_t',
  hops: koffi.pointer(Hop),
  raw_hops: koffi.pointer(RawHop),
  path_id: 'uint32_t',
  reserved2: 'uint32_t',
});
koffi.struct('roce_nack_info', {
  sent_ps: 'double',
  trimmed_bytes: 'double',
  last_hop: 'uint32_t',
  reserved: 'uint32_t',
});
koffi.struct('roce_fast_cnp_info', {
  endpoint: 'uint32_t',
  dest_qpn: 'uint32_t',
  source: koffi.array('uint8_t', 16),
  original_destination: koffi.array('uint8_t', 16),
  hop_count: 'uint32_t',
  path_id: 'uint32_t',
  hops: koffi.pointer(Hop),
});
koffi.union('roce_event_of', { record: 'void *', pull_number: 'double' });
koffi.struct('roce_event', {
  time_ps: 'double',
  qp: 'uint32_t',
  kind: 'uint32_t',
  value: 'uint32_t',
  reserved: 'uint32_t',
  of: 'roce_event_of',
});
koffi.struct('roce_frame', {
  time_ps: 'double',
  bytes: 'uint8_t *',
  captured_bytes: 'uint32_t',
  original_bytes: 'uint32_t',
  link: 'uint32_t',
  reserved: 'uint32_t',
});
koffi.struct('roce_qp_state', {
  rate_bps: 'double',
  window_bytes: 'double',
  credit_bytes: 'double',
  next_send_ps: 'double',
  last_event_ps: 'double',
  is_limited: 'uint32_t',
  parameter_set: 'uint32_t',
  endpoint: 'uint32_t',
  local_qpn: 'uint32_t',
  peer_qpn: 'uint32_t',
  peer_address: koffi.array('uint8_t', 16),
  reserved: 'uint32_t',
});
koffi.struct('roce_stats', {
  events_in: 'double',
  packets_in: 'double',
  packet_bytes_in: 'double',
  handled: 'double',
  ignored: 'double',
  rejected: 'double',
  ecn_marked_packets: 'double',
  cnps_sent: 'double',
  cnps_suppressed: 'double',
  cnps_handled: 'double',
  data_sent: 'double',
  timer_steps: 'double',
  late_clamped: 'double',
  outcomes: koffi.array('double', 48),
  classes: koffi.array('double', 16),
});

type Native = (...values: unknown[]) => number;
const bind = (declaration: string): Native => library.func(declaration) as unknown as Native;

const f = {
  create: bind('int roce_engine_create(const roce_options *options, _Out_ void **engine)'),
  destroy: bind('int roce_engine_destroy(void *engine)'),
  lastError: bind('const char *roce_last_error(void *engine)') as unknown as (engine: unknown) => string,
  addEndpoint: bind(
    'int roce_add_endpoint(void *engine, const uint8_t *addresses, uint32_t count, _Out_ uint32_t *endpoint)',
  ),
  openQp: bind('int roce_open_qp(void *engine, const roce_qp_options *options, _Out_ uint32_t *qp)'),
  closeQp: bind('int roce_close_qp(void *engine, uint32_t qp)'),
  sent: bind('int roce_sent(void *engine, double time_ps, uint32_t qp, uint32_t len_bytes, _Out_ double *next)'),
  cnp: bind('int roce_cnp(void *engine, double time_ps, uint32_t qp, _Out_ double *rate)'),
  touch: bind('int roce_touch(void *engine, double time_ps, uint32_t qp, _Out_ double *rate)'),
  loss: bind('int roce_loss(void *engine, double time_ps, uint32_t qp, int timeout, _Out_ double *rate)'),
  ack: bind('int roce_ack(void *engine, double time_ps, uint32_t qp, const roce_ack_info *ack, _Out_ double *rate)'),
  nack: bind(
    'int roce_nack(void *engine, double time_ps, uint32_t qp, const roce_nack_info *nack, _Out_ double *rate)',
  ),
  credit: bind('int roce_credit(void *engine, double time_ps, uint32_t qp, double pull_number, _Out_ int *applied)'),
  marked: bind('int roce_marked(void *engine, double time_ps, uint32_t qp, uint32_t p_key, _Out_ int *due)'),
  applyEvents: bind(
    'int roce_apply_events(void *engine, const roce_event *events, uint32_t count, _Out_ uint32_t *actions)',
  ),
  applyFrames: bind(
    'int roce_apply_frames(void *engine, const roce_frame *frames, uint32_t count, void *reports, _Out_ uint32_t *actions)',
  ),
  advance: bind('int roce_advance(void *engine, double time_ps, uint32_t from, _Out_ uint32_t *next)'),
  actions: bind('uint32_t roce_actions(void *engine, _Out_ void **actions)'),
  isOpen: bind('int roce_is_open(void *engine, uint32_t qp)'),
  deadline: bind('double roce_next_deadline_ps(void *engine, uint32_t qp)'),
  creditBytes: bind('double roce_credit_bytes(void *engine, uint32_t qp)'),
  maySend: bind('int roce_may_send(void *engine, uint32_t qp, double in_flight)'),
  pullTarget: bind(
    'int roce_pull_target(void *engine, uint32_t qp, double backlog, uint32_t senders, _Out_ double *target)',
  ),
  get: bind('int roce_qp_get(void *engine, uint32_t qp, _Out_ roce_qp_state *state)'),
  findFlow: bind(
    'int roce_find_flow(void *engine, uint32_t endpoint, const uint8_t *address, uint32_t qpn, _Out_ uint32_t *qp)',
  ),
  findLocal: bind('int roce_find_local(void *engine, uint32_t endpoint, uint32_t qpn, _Out_ uint32_t *qp)'),
  stats: bind('int roce_stats_get(void *engine, _Out_ roce_stats *stats)'),
  hash: bind('int roce_state_hash(void *engine, void *hash)'),
  snapshot: bind('int roce_snapshot(void *engine, void *bytes, size_t capacity, _Out_ size_t *written)'),
  restore: bind('int roce_restore(void *engine, const void *bytes, size_t length)'),
};

interface Pending {
  readonly time_ps: number;
  readonly qp: number;
  readonly kind: number;
  readonly value: number;
  readonly reserved: number;
  readonly of: { readonly record: unknown } | { readonly pull_number: number };
}

/** Overrides that state every parameter of a set. */
export function overridesOf(parameters: AlgorithmParameters): string {
  const { algorithm, ...fields } = parameters as unknown as Record<string, unknown>;
  const inputs = ['lineRateBps=100e9'];
  if (String(algorithm).startsWith('hpcc') && !('baseRttPs' in fields)) inputs.push('baseRttPs=13000000');
  const pairs = Object.entries(fields).map(([key, value]) =>
    `${key}=${Array.isArray(value) ? value.join('+') : String(value)}`
  );
  return [...inputs, ...pairs].join(' ');
}

/** Leaves of settings as "key=value". */
function settingsOf(record: object, prefix = ''): string[] {
  return Object.entries(record).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'accessList')
      return (value as { prefix: string; action: string }[]).map(({ prefix: range, action }) =>
        `fastCnp.${action}=${range}`
      );
    return typeof value === 'object' && value !== null ?
      settingsOf(value, `${prefix}${key}.`) :
      [`${prefix}${key}=${String(value)}`];
  });
}

/** One engine of the library. */
export class NativeEngine {
  readonly #handle: unknown;
  readonly #capacity: number;
  #events: Pending[] = [];
  #frames: object[] = [];
  /** Encoded structures, which are freed after the batch that refers to them. */
  #kept: unknown[] = [];
  lastReports: readonly object[] = [];

  constructor(options: EngineOptions) {
    const {
      parameterSets,
      parameterSetNames,
      capacity,
      notificationPoint,
      fastCnp,
      parser,
      lateEvents,
      rateActions,
      hashSeed,
    } = engineConfig(options);
    this.#capacity = capacity.events;
    const sets = parameterSets.map((set, index) => ({
      name: parameterSetNames[index],
      preset: PRESETS[set.algorithm],
      overrides: overridesOf(set),
    }));
    const settings = settingsOf({ notificationPoint, fastCnp, parser, lateEvents, rateActions });
    if (hashSeed !== undefined) settings.push(`hashSeed=${hashSeed}`);
    const given = {
      struct_bytes: koffi.sizeof('roce_options'),
      abi: ABI,
      ...capacity,
      frame_bytes: capacity.frameBytes,
      parameter_sets: sets,
      parameter_set_count: sets.length,
      settings: settings.join(' '),
    };
    const out = [null];
    this.#check(f.create(given, out));
    this.#handle = out[0];
  }

  readonly events = {
    isFull: false,
    sent: (timePs: number, qp: number, lenBytes: number): void => this.#add(timePs, qp, 0, lenBytes),
    cnp: (timePs: number, qp: number): void => this.#add(timePs, qp, 1, 0),
    marked: (timePs: number, qp: number, pKey: number): void => this.#add(timePs, qp, 3, pKey),
    touch: (timePs: number, qp: number): void => this.#add(timePs, qp, 4, 0),
    loss: (timePs: number, qp: number, found = 'fast'): void => this.#add(timePs, qp, 6, Number(found === 'timeout')),
    ack: (timePs: number, qp: number, fields: AckFields): void => {
      this.#add(timePs, qp, 5, 0, { record: this.#encoded('roce_ack_info', ackOf(fields)) });
    },
    nack: (timePs: number, qp: number, fields: NackFields): void => {
      this.#add(timePs, qp, 7, 0, { record: this.#encoded('roce_nack_info', nackOf(fields)) });
    },
    credit: (timePs: number, qp: number, pullNumber: number): void => {
      this.#add(timePs, qp, 8, 0, { pull_number: pullNumber });
    },
    fastCnp: (timePs: number, fields: FastCnpFields): void => {
      const record = this.#encoded('roce_fast_cnp_info', {
        endpoint: fields.endpoint,
        dest_qpn: fields.destQpn,
        source: addressBytes(fields.source, 'source'),
        original_destination: addressBytes(fields.originalDestination, 'originalDestination'),
        hop_count: 0,
        path_id: 0,
        hops: null,
      });
      this.#add(timePs, fields.endpoint, 2, 0, { record });
    },
  };

  readonly packets = {
    add: (timePs: number, bytes: Uint8Array, original?: number, link = 'ethernet'): void => {
      this.#frames.push({
        time_ps: timePs,
        bytes: bytes.length === 0 ? null : bytes,
        captured_bytes: bytes.length,
        original_bytes: original ?? 0,
        link: link === 'ethernet' ? 0 : 1,
        reserved: 0,
      });
    },
  };

  #encoded(type: string, value: object): unknown {
    const memory: unknown = koffi.alloc(type, 1);
    koffi.encode(memory, type, value);
    this.#kept.push(memory);
    return memory;
  }

  #add(timePs: number, qp: number, kind: number, value: number, of: Pending['of'] = { record: null }): void {
    this.#events.push({ time_ps: timePs, qp, kind, value, reserved: 0, of });
    this.events.isFull = this.#events.length === this.#capacity;
  }

  #check(status: number): void {
    if (status >= 0) return;
    throw new RoceError(CODES[status] ?? 'invalid-argument', {
      where: 'native',
      problem: f.lastError(this.#handle ?? null),
    });
  }

  #out(call: (out: unknown[]) => number): number {
    const out: unknown[] = [null];
    this.#check(call(out));
    return Number(out[0]);
  }

  addEndpoint(addresses: readonly (string | Uint8Array)[] = []): number {
    const bytes = new Uint8Array(16 * addresses.length);
    addresses.forEach((address, index) => {
      bytes.set(addressBytes(address, 'address'), 16 * index);
    });
    return this.#out((out) =>
      f.addEndpoint(this.#handle, addresses.length === 0 ? null : bytes, addresses.length, out)
    );
  }

  openQp({ endpoint = 0, localQpn, peerAddress = '::', peerQpn = NONE, parameterSet }: QpOptions): number {
    const options = {
      endpoint,
      local_qpn: localQpn,
      peer_qpn: peerQpn,
      peer_address: addressBytes(peerAddress, 'peer'),
      parameter_set: parameterSet ?? null,
    };
    return this.#out((out) => f.openQp(this.#handle, options, out));
  }

  closeQp(qp: number): void {
    this.#check(f.closeQp(this.#handle, qp));
  }

  applyEvents(): number {
    const events = this.#events;
    this.#events = [];
    this.events.isFull = false;
    const actions = this.#out((out) => f.applyEvents(this.#handle, events, events.length, out));
    for (const memory of this.#kept) koffi.free(memory);
    this.#kept = [];
    return actions;
  }

  applyPackets(): number {
    const frames = this.#frames;
    this.#frames = [];
    const reports = new Uint8Array(REPORT_BYTES * frames.length);
    const actions = this.#out((out) => f.applyFrames(this.#handle, frames, frames.length, reports, out));
    const view = new DataView(reports.buffer);
    this.lastReports = frames.map((_, index) => ({
      class: reports[index * REPORT_BYTES],
      why: reports[index * REPORT_BYTES + 1],
      qp: view.getUint32(index * REPORT_BYTES + 20, true),
      outcome: reports[index * REPORT_BYTES + 24],
    }));
    return actions;
  }

  sent(timePs: number, qp: number, lenBytes: number): number {
    return this.#out((out) => f.sent(this.#handle, timePs, qp, lenBytes, out));
  }
  cnp(timePs: number, qp: number): number {
    return this.#out((out) => f.cnp(this.#handle, timePs, qp, out));
  }
  touch(timePs: number, qp: number): number {
    return this.#out((out) => f.touch(this.#handle, timePs, qp, out));
  }
  ack(timePs: number, qp: number, fields: AckFields): number {
    return this.#out((out) => f.ack(this.#handle, timePs, qp, ackOf(fields), out));
  }
  loss(timePs: number, qp: number, found: LossFound = 'fast'): number {
    return this.#out((out) => f.loss(this.#handle, timePs, qp, Number(found === 'timeout'), out));
  }
  nack(timePs: number, qp: number, fields: NackFields): number {
    return this.#out((out) => f.nack(this.#handle, timePs, qp, nackOf(fields), out));
  }
  credit(timePs: number, qp: number, pullNumber: number): boolean {
    return this.#out((out) => f.credit(this.#handle, timePs, qp, pullNumber, out)) !== 0;
  }
  marked(timePs: number, qp: number, pKey: number): boolean {
    return this.#out((out) => f.marked(this.#handle, timePs, qp, pKey, out)) !== 0;
  }

  advance(timePs: number, from = 0): number | undefined {
    const next = this.#out((out) => f.advance(this.#handle, timePs, from, out));
    return next === NONE ? undefined : next;
  }

  isOpen(qp: number): boolean {
    return f.isOpen(this.#handle, qp) !== 0;
  }

  maySend(qp: number, inFlightBytes: number): boolean {
    const may = f.maySend(this.#handle, qp, inFlightBytes);
    this.#check(may);
    return may !== 0;
  }

  pullTarget(qp: number, backlogBytes: number, senders = 1): number {
    return this.#out((out) => f.pullTarget(this.#handle, qp, backlogBytes, senders, out));
  }

  nextDeadlinePs(qp: number): number {
    return f.deadline(this.#handle, qp);
  }

  findFlow(endpoint: number, peerAddress: string | Uint8Array, peerQpn: number): number | undefined {
    const qp = this.#out((out) => f.findFlow(this.#handle, endpoint, addressBytes(peerAddress, 'peer'), peerQpn, out));
    return qp === NONE ? undefined : qp;
  }

  findLocal(endpoint: number, localQpn: number): number | undefined {
    const qp = this.#out((out) => f.findLocal(this.#handle, endpoint, localQpn, out));
    return qp === NONE ? undefined : qp;
  }

  stateHash(): string {
    const hash = Buffer.alloc(HASH_CHARS);
    this.#check(f.hash(this.#handle, hash));
    return hash.toString('latin1', 0, HASH_CHARS - 1);
  }

  snapshot(): Uint8Array {
    const size: unknown[] = [null];
    f.snapshot(this.#handle, null, 0, size);
    const bytes = new Uint8Array(Number(size[0]));
    this.#check(f.snapshot(this.#handle, bytes, bytes.length, size));
    return bytes;
  }

  restore(snapshot: Uint8Array): void {
    this.#check(f.restore(this.#handle, snapshot, snapshot.length));
  }

  dispose(): void {
    f.destroy(this.#handle);
  }

  /** The state that a test compares, with the names of the npm package. */
  describe(qps: readonly number[]): object {
    const stats: Record<string, unknown>[] = [{}];
    this.#check(f.stats(this.#handle, stats));
    return {
      actions: this.#describeActions(),
      qps: qps.map((qp) => this.#describeQp(qp)),
      stats: stats[0],
      stateHash: this.stateHash(),
    };
  }

  #describeActions(): object[] {
    const pointer = [null];
    const count = f.actions(this.#handle, pointer);
    if (count === 0) return [];
    const bytes = Buffer.from(koffi.decode(pointer[0], koffi.array('uint8_t', count * ACTION_BYTES)) as Uint8Array);
    return Array.from({ length: count }, (_, index) => ({
      kind: bytes[index * ACTION_BYTES + 12],
      reason: bytes[index * ACTION_BYTES + 13],
      qp: bytes.readUInt32LE(index * ACTION_BYTES + 8),
      timePs: bytes.readDoubleLE(index * ACTION_BYTES),
      value: bytes.readDoubleLE(index * ACTION_BYTES + 16),
    }));
  }

  #describeQp(qp: number): object {
    const states: Record<string, unknown>[] = [{}];
    this.#check(f.get(this.#handle, qp, states));
    const {
      rate_bps,
      window_bytes,
      credit_bytes,
      next_send_ps,
      last_event_ps,
      is_limited,
      parameter_set,
      endpoint,
      local_qpn,
      peer_qpn,
    } = states[0]!;
    return {
      qp,
      rateBps: rate_bps,
      windowBytes: window_bytes,
      creditBytes: [credit_bytes, f.creditBytes(this.#handle, qp)],
      nextSendPs: next_send_ps,
      lastEventPs: last_event_ps,
      isLimited: is_limited !== 0,
      parameterSet: parameter_set,
      endpoint,
      localQpn: local_qpn,
      peerQpn: peer_qpn,
      nextDeadlinePs: this.nextDeadlinePs(qp),
    };
  }
}

function nackOf({ trimmedBytes, sentTimePs = NaN, lastHop = false }: NackFields): object {
  return { sent_ps: sentTimePs, trimmed_bytes: trimmedBytes, last_hop: Number(lastHop), reserved: 0 };
}

/** The encoded penalty of a receiver, which NSCC reads; undefined if there is none. */
function penaltyOf({ windowPenalty, restoreWindow }: AckFields): number | undefined {
  if (windowPenalty === undefined && restoreWindow === undefined) return undefined;
  return ACK_PENALTY_GIVEN | (windowPenalty ?? 0) | (restoreWindow === true ? ACK_RESTORES_WINDOW : 0);
}

function ackOf(fields: AckFields): object {
  const {
    ackSeq,
    sndNxt,
    ecnEcho = false,
    sentTimePs = NaN,
    hostDelayPs = 0,
    pathHops = 0,
    ackedPackets = 1,
    ackedBytes = NaN,
    pintPower = NONE,
    telemetry,
  } = fields;
  const common = {
    ack_seq: ackSeq,
    snd_nxt: sndNxt,
    sent_ps: sentTimePs,
    host_delay_ps: hostDelayPs,
    acked_packets: ackedPackets,
    acked_bytes: ackedBytes,
    path_hops: pathHops,
    pint_power: penaltyOf(fields) ?? pintPower,
    ecn_echo: Number(ecnEcho),
    partial: 0,
    reserved: 0,
    path_id: 0,
    reserved2: 0,
  };
  if (telemetry === undefined) return { ...common, telemetry: 0, hop_count: 0, hops: null, raw_hops: null };
  if (telemetry.kind === 'int64') {
    const raw = telemetry.hops.map(({ lineRateCode, time, bytes, qlen }) => ({
      line_rate_code: lineRateCode,
      time,
      bytes,
      queue: qlen,
    }));
    return { ...common, telemetry: 2, hop_count: telemetry.hopCount, hops: null, raw_hops: raw };
  }
  const hops = telemetry.hops.map(({ timePs, txBytes, qlenBytes, lineRateBps, hopId = 0, portId = 0 }) => ({
    time_ps: timePs,
    tx_bytes: txBytes,
    queue_bytes: qlenBytes,
    line_rate_bps: lineRateBps,
    hop_id: hopId,
    port: portId,
  }));
  return {
    ...common,
    telemetry: 1,
    hop_count: hops.length,
    hops,
    raw_hops: null,
    partial: Number(telemetry.partial ?? false),
    path_id: telemetry.pathId ?? 0,
  };
}
