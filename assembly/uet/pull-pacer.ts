/**
 * RCCC: the pull pacer of a host, shared by its receivers (docs/specs/uet-reference.md, 9).
 *
 *   quantum = trunc((2048e12 / link speed) / 0.99), time of 256 bytes;  a pull grants up to 64 quanta
 *   active   receivers with unmet requests: serve the first, up to its target; then move it to the end, or to idle
 *   idle     if none is active: serve the first, 64 quanta beyond its target, while that is below the maximum window
 *
 * The next pull follows after the time of the quanta granted, or of four if none was. As in the reference, a receiver can be in
 * both lists, or twice in the idle one.
 */
import { UetFlow } from '../records/uet-flows';
import { UET_HOST_ACTIVE, UET_HOST_IDLE, UET_HOST_PULL, UetHost, UetRing } from '../records/uet-network';
import { QUANTUM_BYTES } from './credit';
import { nowPs, schedule } from './events';
import { sendPull } from './pulls';
import { pushRing, shiftRing } from './ring';
import { isReceiverControlled, maxWindowBytes } from './settings';
import { run } from './stop';

const QUANTA: f64 = 64;
const QUANTA_IF_NONE: f64 = 4;

@inline function activeOf(host: UetHost): UetRing {
  return changetype<UetRing>(changetype<usize>(host) + UET_HOST_ACTIVE);
}

@inline function idleOf(host: UetHost): UetRing {
  return changetype<UetRing>(changetype<usize>(host) + UET_HOST_IDLE);
}

/** @param rate fraction of the link speed, above 0; more than 1 counts as 1. */
export function setPullRate(host: UetHost, rate: f64): void {
  host.quantumPs = trunc(run.quantumPs / min(1, rate));
}

/** Called when the sender of a flow requests more credit. */
export function activate(flow: UetFlow): void {
  if (!isReceiverControlled || flow.isActive) return;
  const host = changetype<UetHost>(<usize>flow.destinationAt);
  flow.isActive = 1;
  pushRing(activeOf(host), <u32>changetype<usize>(flow));
  if (host.isPulling) return;
  host.isPulling = 1;
  schedule(changetype<usize>(host) + UET_HOST_PULL, nowPs);
}

/** The pacer's event: the next pull is due. */
export function pace(host: UetHost): void {
  let quanta: f64;
  if (activeOf(host).length) {
    quanta = pullActive(host);
  } else if (idleOf(host).length) {
    quanta = pullIdle(host);
  } else {
    host.isPulling = 0;
    return;
  }
  schedule(changetype<usize>(host) + UET_HOST_PULL, nowPs + host.quantumPs * (quanta == 0 ? QUANTA_IF_NONE : quanta));
}

/** Pulls for the first active receiver; returns the quanta granted. */
function pullActive(host: UetHost): f64 {
  const address = shiftRing(activeOf(host));
  const flow = changetype<UetFlow>(<usize>address);
  const before = flow.pullNumber;
  flow.pullNumber = max(min(before + QUANTA, flow.askedPull), before);
  if (flow.askedPull > flow.pullNumber) {
    pushRing(activeOf(host), address);
  } else {
    flow.isActive = 0;
    pushRing(idleOf(host), address);
  }
  sendPull(flow);
  return flow.pullNumber - before;
}

function pullIdle(host: UetHost): f64 {
  const address = shiftRing(idleOf(host));
  const flow = changetype<UetFlow>(<usize>address);
  flow.pullNumber += QUANTA;
  const beyond = flow.pullNumber - flow.askedPull;
  if (beyond >= 0 && beyond < floor(maxWindowBytes / QUANTUM_BYTES)) pushRing(idleOf(host), address);
  sendPull(flow);
  return QUANTA;
}
