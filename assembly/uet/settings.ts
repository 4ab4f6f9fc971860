/** Settings and counters of the hot path, as globals, so that no record is loaded. */
import { run } from './stop';

export let isTrimming: bool = false;
export let trimBytes: u32 = 0;
export let mtuBytes: f64 = 0;
export let payloadBytes: f64 = 0;
export let control: u32 = 0;
export let isReceiverControlled: bool = false;
export let isSleek: bool = false;
export let isMessages: bool = false;
export let isOversubscribed: bool = false;
export let isBaseRttFromNacks: bool = false;
export let linkSpeedBps: f64 = 0;
export let rttPs: f64 = 0;
export let targetPs: f64 = 0;
export let timeoutPs: f64 = 0;
export let ackBytes: f64 = 0;
/** Maximum window of all flows: that of the flow set up last. */
export let maxWindowBytes: f64 = 0;

const HEADER_BYTES: f64 = 64;

export function readSettings(): void {
  isTrimming = run.isTrimming != 0;
  trimBytes = run.trimBytes;
  mtuBytes = <f64>run.mtuBytes;
  payloadBytes = mtuBytes - HEADER_BYTES;
  control = run.control;
  isReceiverControlled = run.isReceiverControlled != 0;
  isSleek = run.isSleek != 0;
  isMessages = run.isMessages != 0;
  isOversubscribed = run.isOversubscribed != 0;
  isBaseRttFromNacks = run.isBaseRttFromNacks != 0;
  linkSpeedBps = run.linkSpeedBps;
  rttPs = run.rttPs;
  targetPs = run.targetPs;
  timeoutPs = run.timeoutPs;
  ackBytes = run.ackBytes;
  maxWindowBytes = run.maxWindowBytes;
}
