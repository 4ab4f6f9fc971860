/**
 * Poisson arrivals: flows of random size between random pairs of hosts, at a load.
 *
 *   flows per second = load * sum of the hosts' rates / (8 * mean size)
 *
 * The load counts payload, not headers. A flow's source is drawn with a probability in proportion to the host's rate, its
 * destination uniformly from the other hosts.
 */
import { PS_PER_SECOND, PS_PER_US } from '../../unit-sizes.js';
import type { PoissonSpec, SizeCdf, SizeDistribution, SizeFile } from '../scenario/spec.js';
import { Draws } from './random.js';
import { sizePointsOf, meanBytes, sizeAt } from './sizes/size-distributions.js';
import { checkFlowCount, flowOf, type WorkloadContext, type WorkloadFlow } from './workload-flow.js';

/** Expected number of flows of a workload with Poisson arrivals. @param totalBps sum of the hosts' rates. */
export function expectedFlows(spec: PoissonSpec, totalBps: number): number {
  const { flows = Infinity, arrivalsForUs = Infinity } = spec;
  return Math.min(flows, Math.round((arrivalsForUs * PS_PER_US) / meanGapPs(spec, pointsOf(spec), totalBps)));
}

function meanGapPs({ load }: PoissonSpec, cdf: SizeCdf, totalBps: number): number {
  return (8 * meanBytes(cdf) * PS_PER_SECOND) / (load * totalBps);
}

/** The distribution of sizes. A file has already been replaced by its points. */
function pointsOf({ sizes }: PoissonSpec): SizeCdf {
  return sizePointsOf(sizes as Exclude<SizeDistribution, SizeFile>);
}

export function* poisson(spec: PoissonSpec, context: WorkloadContext): Generator<WorkloadFlow> {
  const { hosts, hostRatesBps, where } = context;
  const cdf = pointsOf(spec);
  const sums = sumsOf(hostRatesBps);
  const totalBps = sums[sums.length - 1];
  const gapPs = meanGapPs(spec, cdf, totalBps);
  const endPs = spec.arrivalsForUs === undefined ? Infinity : spec.arrivalsForUs * PS_PER_US;
  const draws = new Draws(context.seed);
  let flows = 0;
  let timePs = draws.exponential(gapPs);
  while (timePs < endPs && flows < (spec.flows ?? Infinity)) {
    const source = sourceAt(sums, draws.uniform() * totalBps);
    const other = draws.below(hosts.length - 1);
    const destination = hosts[other < source ? other : other + 1];
    yield flowOf(context, hosts[source], destination, sizeAt(cdf, draws.uniform()), Math.round(timePs));
    checkFlowCount(++flows, 'these arrivals', `${where}.arrivalsForUs`);
    timePs += draws.exponential(gapPs);
  }
  return flows;
}

/** Cumulative sums of the rates. */
function sumsOf(ratesBps: readonly number[]): number[] {
  let sum = 0;
  return ratesBps.map((rate) => (sum += rate));
}

/** The host for a number from 0 to the sum of all rates. */
function sourceAt(sums: readonly number[], at: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle] > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
