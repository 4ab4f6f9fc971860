/** Runs uet.wasm: writes a run into the memory of a fresh instance, runs it to its end, and reads its results. */
import { readField, readFields } from '../../abi/records/define-record.js';
import { UET_FLOW, UET_MESSAGE, UET_NONE } from '../../abi/records/uet-flows.js';
import { UET_FIRST_MESSAGE_BUSY, UET_MESSAGE_GAP, UET_ONESHOT_TWICE, UET_OUT_OF_MEMORY, UET_OUT_OF_NUMBERS,
  UET_REPS_TIMEOUT, UET_RUN } from '../../abi/records/uet-run.js';
import { instantiateSync } from '../../engine/instantiate.js';
import { RoceError } from '../../errors.js';
import type { UetOptions } from '../arguments.js';
import type { FatTree } from '../fat-tree.js';
import { rejectBusyStart, rejectMessageGap, rejectRepsTimeout, rejectSecondFiring } from '../rejections.js';
import { totalsOf, type UetFlowColumn, type UetFlowResult, type UetMessageResult, type UetPackets,
  type UetResult } from '../results.js';
import { inOrderOfDue, messagesOf, type UetTraffic } from '../traffic.js';
import { planRun, tablesOf, type UetPlan, type UetTables } from './run-plan.js';
import { UET_WASM_TEXT } from './wasm-bytes.js';
import { writeFlows, writeNetwork, writeRun } from './write-run.js';

/** The results of a run, and its cost. */
export interface KernelRun {
  readonly result: UetResult;
  /** Transmissions by all ports. */
  readonly packetHops: number;
  readonly events: number;
}

/**
 * @throws RoceError `invalid-scenario` if the reference aborts or ends early; `capacity` if the run needs more than the
 *   available memory or packet numbers.
 */
export function runKernel(options: UetOptions, tree: FatTree, traffic: UetTraffic): KernelRun {
  const plan = planRun(options, tree, traffic);
  const abi = instantiateUet();
  const at = abi.uetRunAt();
  writeRun(viewOf(abi), at, plan);
  calling(abi, at, () => {
    abi.initialise();
  });
  const tables = tablesOf(viewOf(abi), at);
  writeNetwork(viewOf(abi), tables, plan.network);
  writeFlows(viewOf(abi), tables, plan);
  calling(abi, at, () => {
    abi.uetRun();
  });
  const view = viewOf(abi);
  const { packetHops, events } = readFields(view, at, UET_RUN, ['packetHops', 'events']);
  return { result: readResults(view, at, tables, plan), packetHops, events };
}

/** Makes a new view each time: it is detached when the memory grows. */
function viewOf({ memory }: UetAbi): DataView {
  return new DataView(memory.buffer);
}

/** Calls the kernel. A rejected run traps after it has stored the reason in its record. */
function calling(abi: UetAbi, at: number, call: () => void): void {
  try {
    call();
  } catch (error) {
    reject(readField(viewOf(abi), at, UET_RUN, 'stopReason'), readField(viewOf(abi), at, UET_RUN, 'stopValue'));
    throw error;
  }
}

function reject(reason: number, value: number): void {
  switch (reason) {
    case UET_REPS_TIMEOUT:
      rejectRepsTimeout();
      break;
    case UET_ONESHOT_TWICE:
      rejectSecondFiring(value);
      break;
    case UET_MESSAGE_GAP:
      rejectMessageGap();
      break;
    case UET_FIRST_MESSAGE_BUSY:
      rejectBusyStart();
      break;
    case UET_OUT_OF_MEMORY:
      throw new RoceError('capacity', { what: 'the run', problem: 'needs more memory than there is, at most 4 GiB' });
    case UET_OUT_OF_NUMBERS:
      throw new RoceError('capacity', { what: 'a flow', problem: 'needs more than 2,147,483,647 packet numbers' });
    default:
  }
}

/** Creates an instance of the inlined uet.wasm synchronously; the compiled module is cached. In browsers, call it in a worker: the main thread may not allow it. */
function instantiateUet(): UetAbi {
  return instantiateSync(UET_WASM_TEXT) as unknown as UetAbi;
}

/**
 * The exports of uet.wasm (assembly/uet.ts). Numbers in, numbers out; records: src/abi/records/uet-*.ts.
 *
 * @internal
 */
export interface UetAbi {
  readonly memory: WebAssembly.Memory;
  /** Address of the record of the run. */
  uetRunAt(): number;
  /** Lays out the tables according to the counts in the record of the run. */
  initialise(): void;
  /** Runs until no event is left. */
  uetRun(): void;
}

/** Field of a flow's record for each column; the other columns come from the connection matrix. */
const FIELDS = {
  start_ps: 'startPs',
  finish_ps: 'finishPs',
  new_pkts: 'newPackets',
  rtx_pkts: 'retransmissions',
  rts_pkts: 'requestsToSend',
  acks: 'acks',
  nacks: 'nacks',
  pulls: 'pulls',
  timeouts: 'timeouts',
  ecn_echoes: 'echoes',
  sleek_pkts: 'sleekPackets',
  highest_sent: 'nextSeq',
  final_cwnd: 'windowBytes',
  final_maxwnd: 'maxWindowBytes',
  in_flight: 'inFlightBytes',
  base_rtt_ps: 'baseRttPs',
  avg_delay_ps: 'averageDelayPs',
  credit: 'creditBytes',
  fair_inc: 'fairChange',
  prop_inc: 'proportionalChange',
  fast_inc: 'fastChange',
  eta_inc: 'etaChange',
  multi_dec: 'multiplicativeChange',
  quick_dec: 'quickChange',
  nack_dec: 'nackChange',
  rx_pkts: 'rxPackets',
  rx_bytes: 'rxBytes',
  rx_ecn: 'rxMarked',
  rx_ooo: 'rxOutOfOrder',
  rx_dup: 'rxDuplicates',
  rx_trimmed: 'rxTrimmed',
  rx_trimmed_last_hop: 'rxTrimmedLastHop',
  expected_psn: 'expectedSeq',
} as const;
const NAMES = [...Object.values(FIELDS), 'totalBytes'] as const;

const PACKETS = [
  'packetsMade',
  'packetsDelivered',
  'acksMade',
  'nacksMade',
  'pullsMade',
  'trimmedDropped',
  'bytesMade',
  'bytesDelivered',
  'bytesDropped',
  'bytesTrimmed',
] as const;

type PlannedFlow = UetTraffic['flows'][number];

/** @param at address of the record of the run. */
function readResults(view: DataView, at: number, tables: UetTables, plan: UetPlan): UetResult {
  const { traffic: { flows: planned }, options: { isMessages } } = plan;
  const flows = planned.map((flow) => readFlow(view, tables, flow, isMessages));
  const messages = isMessages ? readMessages(view, tables, plan) : [];
  const counts = readFields(view, at, UET_RUN, [
    'ecnMarks',
    'trims',
    'drops',
    'headerDrops',
    'tailSwaps',
    'maxLowBytes',
    'maxHighBytes',
    'draws',
  ]);
  return { flows, messages, totals: totalsOf(flows, counts, counts.draws), packets: readPackets(view, at) };
}

function readPackets(view: DataView, at: number): UetPackets {
  const {
    packetsMade: made,
    packetsDelivered: delivered,
    acksMade: acks,
    nacksMade: nacks,
    pullsMade: pulls,
    ...others
  } = readFields(view, at, UET_RUN, PACKETS);
  return { made, delivered, acks, nacks, pulls, ...others };
}

function readFlow(view: DataView, tables: UetTables, { flow }: PlannedFlow, isMessages: boolean): UetFlowResult {
  const { index, source, destination, sizeBytes, senderId } = flow;
  const values = readFields(view, tables.flow(index), UET_FLOW, NAMES);
  const columns = Object.entries(FIELDS).map(([column, field]) => [column, values[field]]);
  return {
    flow: index,
    src: source,
    dst: destination,
    flow_id: senderId,
    size: isMessages ? values.totalBytes : sizeBytes,
    ...Object.fromEntries(columns) as Record<keyof typeof FIELDS, number>,
  } satisfies Record<UetFlowColumn, number>;
}

function readMessages(view: DataView, tables: UetTables, plan: UetPlan): UetMessageResult[] {
  const { traffic: { flows }, parameters: { mtuBytes } } = plan;
  let first = 0;
  return flows.flatMap(({ flow, connections }) => {
    const rows = inOrderOfDue(messagesOf(connections, mtuBytes)).map(({ number, sizeBytes }, place) => {
      const { startPs, finishPs, firstSeq, lastSeq } = readFields(view, tables.message(first + place), UET_MESSAGE, [
        'startPs',
        'finishPs',
        'firstSeq',
        'lastSeq',
      ]);
      return {
        flow: flow.index,
        msg: number,
        size: sizeBytes,
        start_ps: startPs,
        finish_ps: finishPs,
        first_psn: seqOf(firstSeq),
        last_psn: seqOf(lastSeq),
      };
    });
    first += rows.length;
    return rows.sort((a, b) => a.msg - b.msg);
  });
}

function seqOf(value: number): number {
  return value === UET_NONE ? -1 : value;
}
