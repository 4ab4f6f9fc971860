// Per-ACK traces of HPCC's ns-3 simulator, row by row through the engine's event door: every column of state that the simulator has.
// Files are found by their names: hpcc__CONFIG__SCENARIO with hpcc_configs, hpcc_scenarios and hpcc_input__SCENARIO, timely__*,
// dctcp__* and hpcc_pint__*; CSV, gz or not.
//
//   npm run test-data -- unpack golden/unit traces && node examples/reference-traces.mjs traces
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createEngineSync, dctcpNs3, hpccNs3, hpccPintNs3, ns, timelyNs3 } from 'roce-cc';
import { referenceBackend } from 'roce-cc/reference';
import { HpccIntUnits } from 'roce-cc/wire';

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('usage: node examples/reference-traces.mjs FOLDER');
const LAST_PACKET_BYTES = 1090;
/** Rates of names such as rai100M and min1G. */
const bps = (text) => Math.round(Number.parseFloat(text) * { k: 1e3, M: 1e6, G: 1e9 }[text.at(-1)]);

function rowsOf(stem) {
  const path = [`${folder}/${stem}.csv`, `${folder}/${stem}.csv.gz`].find(existsSync);
  const bytes = readFileSync(path);
  const [head, ...lines] = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trim().split(/\r?\n/);
  const columns = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [columns[i], value])));
}

/** The records that switches wrote into the packet: hop n into slot n mod 5. */
function telemetryOf(row, multi) {
  const hopCount = Number(row.nhop);
  const hops = Array.from({ length: Math.min(hopCount, 5) });
  for (let i = 0; i < hopCount; i++) {
    // Some times lie before 0, as 64-bit numbers that wrapped; the record keeps 24 bits.
    const timeNs = Number(BigInt.asUintN(24, BigInt(row[`h${i}_ts_ns`])));
    const [txBytes, queueBytes, lineRateBps] = ['tx_bytes', 'qlen_bytes', 'line_bps'].map((name) =>
      Number(row[`h${i}_${name}`])
    );
    const { lineRateCode, txUnits, queueUnits } = HpccIntUnits.encode({ lineRateBps, timeNs, txBytes, queueBytes },
      multi);
    hops[i % 5] = { lineRateCode, time: timeNs, bytes: txUnits, qlen: queueUnits };
  }
  return { kind: 'int64', hopCount, hops };
}

function hpcc([, config, scenario]) {
  const set = rowsOf('hpcc_configs').find((row) => row.config === config);
  const path = rowsOf('hpcc_scenarios').find((row) => row.scenario === scenario);
  const inputs = rowsOf(`hpcc_input__${scenario}`);
  const [multi, multiRate, lenBytes] = [
    Number(set.int_multi),
    set.multi_rate === '1',
    Number(path.last_pkt_size ?? LAST_PACKET_BYTES),
  ];
  return {
    parameters: hpccNs3('run.py', {
      lineRateBps: Number(path.nic_line_rate_bps),
      baseRttPs: ns(Number(path.base_rtt_ns)),
      windowBytes: Number(path.win_bytes),
      windowMode: path.var_win === '1' ? 'variable' : 'fixed',
      maxStage: Number(set.mi_thresh),
      multiRate,
      fastReact: set.fast_react === '1',
      sampleFeedback: set.sample_feedback === '1',
      aiRateBps: Number(set.rai_bps),
      targetUtilization: Number(set.target_util),
      intMultiplier: multi,
      minRateBps: Number(set.min_rate_bps),
    }),
    ack: (_, index) => ({ telemetry: telemetryOf(inputs[index], multi) }),
    lenBytes,
    // With a rate per hop the simulator prints a stage that it never set.
    columns: (state, row) => ({
      last_update_seq_after: state.lastUpdateSeq,
      u: state.utilization,
      cur_rate_bps: state.committed,
      rate_bps: state.rateBps,
      win_from_rate: state.windowBytes,
      ...(multiRate ? hopColumns(state, row) : { inc_stage: state.incStage }),
    }),
  };
}

function hopColumns({ hops }, row) {
  const named = hops.flatMap(({ utilization, committed, incStage },
    i) => [[`h${i}_u`, utilization], [`h${i}_rc_bps`, committed], [`h${i}_stage`, incStage]]
  );
  return Object.fromEntries(named.filter(([name]) => name in row));
}

const timely = ([, rai, rhai, min]) => ({
  parameters: timelyNs3({ lineRateBps: 100e9, aiRateBps: bps(rai), haiRateBps: bps(rhai), minRateBps: bps(min) }),
  ack: (row) => ({ sentTimePs: ns(Number(row.time_ns) - Number(row.rtt_ns)) }),
  columns: (state) => ({
    last_update_seq: state.lastUpdateSeq,
    last_rtt_ns: state.lastRttNs,
    rtt_diff: state.rttDiffNs,
    rate_bps: state.rateBps,
    inc_stage: state.incStage,
  }),
});

const dctcp = ([, gain, ai, min]) => ({
  parameters: dctcpNs3({ lineRateBps: 100e9, alphaGain: Number(gain), aiRateBps: bps(ai), minRateBps: bps(min) }),
  ack: (row) => ({ ecnEcho: row.ecn_echo === '1' }),
  columns: (state) => ({
    last_update_seq: state.lastUpdateSeq,
    alpha: state.alpha,
    ecn_cnt: state.markedAcks,
    batch_size: state.batchPackets,
    cwr_state: Number(state.reduced),
    cwr_high_seq: state.reducedUntilSeq,
    rate_bps: state.rateBps,
  }),
});

const pint = ([, base, maxStage]) => ({
  parameters: hpccPintNs3({
    lineRateBps: 100e9,
    baseRttPs: ns(4160),
    pintBase: Number(base),
    pintBits: Number(base) < 1.05 ? 11 : 8,
    maxStage: Number(maxStage),
  }),
  ack: (row) => ({ pintPower: Number(row.power) }),
  columns: (state) => ({
    last_update_seq_after: state.lastUpdateSeq,
    inc_stage: state.incStage,
    cur_rate_bps: state.committed,
    rate_bps: state.rateBps,
    win_from_rate: state.windowBytes,
  }),
});

const BACKENDS = [['wasm', 'wasm'], ['js', referenceBackend]];
const FAMILIES = [
  [/^hpcc__(.+)__(.+)$/, hpcc],
  [/^timely__rai(.+)_rhai(.+)_min(.+)$/, timely],
  [/^dctcp__g(.+)_ai(.+)_min(.+)$/, dctcp],
  [/^hpcc_pint__base(.+)_mi(\d+)$/, pint],
];

/** Returns how many rows differ. */
function replay(stem, match, family, [name, backend]) {
  const { parameters, ack, columns, lenBytes } = family(match);
  const engine = createEngineSync({ backend, parameterSets: { default: parameters } });
  const qp = engine.openQp({ localQpn: 1 });
  let differing = 0;
  rowsOf(stem).forEach((row, index) => {
    const timePs = ns(Number(row.time_ns));
    // The simulator's harness sets "next send" to now before each ACK; a packet that leaves now sets it a gap later.
    const gapPs = lenBytes === undefined ? 0 : engine.sent(timePs, qp, lenBytes) - timePs;
    engine.events.ack(timePs, qp, { ackSeq: Number(row.ack_seq), sndNxt: Number(row.snd_nxt), ...ack(row, index) });
    engine.applyEvents();
    const got = columns(engine.qp(qp).algorithmState(), row);
    if (lenBytes !== undefined) got.next_avail_ns = (engine.nextSendPs(qp) - gapPs) / 1000;
    const wrong = Object.keys(got).filter((name) => got[name] !== Number(row[name]));
    if (wrong.length > 0 && (differing += 1) === 1) {
      console.log(
        `${stem} (${name}), row ${index}: ${
          wrong.map((name) => `${name} is ${got[name]}, not ${row[name]}`).join('; ')
        }`,
      );
    }
  });
  return differing;
}

let [rows, differing] = [0, 0];
for (const stem of readdirSync(folder).map((name) => name.replace(/\.csv(\.gz)?$/, '')).sort()) {
  const [pattern, family] = FAMILIES.find(([expression]) => expression.test(stem)) ?? [];
  if (family === undefined) continue;
  rows += rowsOf(stem).length;
  for (const backend of BACKENDS) differing += replay(stem, pattern.exec(stem), family, backend);
  console.log(`${stem}: ${rowsOf(stem).length} rows`);
}
console.log(`${rows} rows in wasm and js, ${differing} differ`);
process.exitCode = differing === 0 ? 0 : 1;
