/**
 * Receiver-based control for oversubscribed networks (docs/specs/uet-reference.md, 9): a host that sees congestion inside the
 * network, not on its own link, slows down its pulls.
 *
 * Every trunc((0.75 + drand / 2) * 1.5 rtt0) ps, with the packets of the interval: P all, E marked, X trimmed at the last hop,
 * Y trimmed elsewhere:
 *
 *   f = E / (P - X - Y);   Y > 0: rate -= Y / P, down;   g := (1 - w) g + w f;   g > 0.3: rate *= 1 - (g - 0.3) * Md, down
 *   not down: rate += E = 0 ? Ai * 2^k : Ai, k += 1;   down: k := 0;   rate into [min, 1]
 */
import { UET_HOST_INTERVAL, UetHost } from '../records/uet-network';
import { nowPs, schedule } from './events';
import { setPullRate } from './pull-pacer';
import { fraction } from './random';
import { rttPs } from './settings';
import { run } from './stop';

const RTTS: f64 = 1.5;
const JITTER_MIN: f64 = 0.75;
const MARKS_MAX: f64 = 0.3;
/** Limit of 2^k, 2^1000, which keeps it finite; larger values would make no difference. */
const POWER_MAX: f64 = 1.0715086071862673e301;

export function beginIntervals(host: UetHost): void {
  host.rate = 1;
  host.power = 1;
  listInterval(host);
}

/** A packet arrived at the host. */
export function countArrival(host: UetHost, isMarked: bool, isTrimmed: bool, isLastHop: bool): void {
  host.packets += 1;
  if (isMarked) host.marked += 1;
  if (isTrimmed && isLastHop) host.trimmedLastHop += 1;
  else if (isTrimmed) host.trimmedElsewhere += 1;
}

function listInterval(host: UetHost): void {
  const delayPs = trunc((JITTER_MIN + fraction() / 2) * RTTS * rttPs);
  schedule(changetype<usize>(host) + UET_HOST_INTERVAL, nowPs + delayPs);
}

/** The event at the end of an interval. */
export function endInterval(host: UetHost): void {
  if (lowerRate(host)) {
    host.power = 1;
  } else {
    host.rate += host.marked == 0 ? run.increase * host.power : run.increase;
    host.power = min(2 * host.power, POWER_MAX);
  }
  host.rate = min(max(host.rate, run.rateMin), 1);
  setPullRate(host, host.rate);
  host.packets = 0;
  host.marked = 0;
  host.trimmedLastHop = 0;
  host.trimmedElsewhere = 0;
  listInterval(host);
}

/** Lowers the rate if required; returns whether it did. */
function lowerRate(host: UetHost): bool {
  const whole = host.packets - host.trimmedLastHop - host.trimmedElsewhere;
  const share = whole > 0 ? host.marked / whole : 0;
  let isDown = false;
  if (host.trimmedElsewhere > 0) {
    host.rate -= host.trimmedElsewhere / host.packets;
    isDown = true;
  }
  host.marks = (1 - run.weight) * host.marks + run.weight * share;
  if (host.marks > MARKS_MAX) {
    host.rate *= 1 - (host.marks - MARKS_MAX) * run.decrease;
    isDown = true;
  }
  return isDown;
}
