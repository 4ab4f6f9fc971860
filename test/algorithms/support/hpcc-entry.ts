/** A wasm module that holds HPCC and HPCC-PINT only, for their tests. */
import { HpccPintParameterSet, HpccParameterSet, StepParameterSet } from '../../../assembly/algorithms/hpcc/record';
import { decodePint } from '../../../assembly/algorithms/hpcc-pint/codec';

export { ack as hpccAck, open as hpccOpen, sent as hpccSent } from '../../../assembly/algorithms/hpcc/transitions';
export { ack as hpccPintAck, open as hpccPintOpen, prepare as hpccPintPrepare, sent as hpccPintSent,
  tableBytes as hpccPintTableBytes } from '../../../assembly/algorithms/hpcc-pint/transitions';
export { fillPintTable } from '../../../assembly/algorithms/hpcc-pint/codec';

export function decodePintAt(table: usize, bits: u32, power: u32): f64 {
  return decodePint(table, bits, power);
}

// ---- Fields of the parameter sets, in the order of the corresponding tests.

function stepFields(p: StepParameterSet, out: usize): void {
  store<f64>(out, p.maxRateBps, 0);
  store<f64>(out, p.minRateBps, 8);
  store<f64>(out, p.stepMinimum, 16);
  store<f64>(out, p.stepMaximum, 24);
  store<f64>(out, p.stepIncrement, 32);
  store<f64>(out, p.targetUtilization, 40);
  store<f64>(out, p.maxStage, 48);
  store<f64>(out, p.numbers, 56);
  store<f64>(out, p.windowBytes, 64);
  store<f64>(out, p.windowMode, 72);
  store<f64>(out, p.fastReact, 80);
  store<f64>(out, p.sequence, 88);
  store<f64>(out, p.sendGap, 96);
}

export function hpccFields(at: usize, out: usize): void {
  const p = changetype<HpccParameterSet>(at);
  stepFields(p, out);
  store<f64>(out, p.baseRttPs, 104);
  store<f64>(out, p.baseRttNs, 112);
  store<f64>(out, p.primary, 120);
  store<f64>(out, p.multiRate, 128);
  store<f64>(out, p.sampleFeedback, 136);
  store<f64>(out, p.ewma, 144);
  store<f64>(out, p.ewmaBeta, 152);
  store<f64>(out, p.ewmaRetention, 160);
  store<f64>(out, p.records, 168);
  store<f64>(out, p.intMultiplier, 176);
  store<f64>(out, p.pathChange, 184);
  store<f64>(out, p.repeatedTimestamp, 192);
}

export function hpccPintFields(at: usize, out: usize): void {
  const p = changetype<HpccPintParameterSet>(at);
  stepFields(p, out);
  store<f64>(out, p.pintBase, 104);
  store<f64>(out, p.pintBits, 112);
}
