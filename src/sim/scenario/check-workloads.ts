/** Conditions on workloads that a schema can't state: two keys at once, points in order. */
import { refuseScenario } from './scenario-error.js';
import type { PoissonSpec, SizeCdf, WorkloadSpec } from './spec.js';

/** @throws RoceError `invalid-scenario` */
export function checkWorkload(spec: WorkloadSpec, where: string): void {
  if (spec.kind === 'poisson') checkPoisson(spec, where);
}

function checkPoisson(spec: PoissonSpec, where: string): void {
  const { flows, arrivalsForUs, sizes } = spec;
  if ((flows === undefined) === (arrivalsForUs === undefined)) {
    const got = flows === undefined ? 'neither' : 'both';
    refuseScenario('a Poisson workload ends by its number of flows or by time', got,
      'flows or arrivalsForUs, one of them', `${where}.flows`);
  }
  if (typeof sizes !== 'string') checkCdf(sizes, `${where}.sizes`);
}

function checkCdf(cdf: SizeCdf, where: string): void {
  cdf.forEach(({ sizeBytes, share }, i) => {
    const before = cdf[i - 1];
    if (before === undefined) return;
    if (sizeBytes < before.sizeBytes) {
      refuseScenario('sizes of a distribution go down', sizeBytes, `at least ${before.sizeBytes}, as the point before`,
        `${where}[${i}].sizeBytes`);
    }
    if (share < before.share) {
      refuseScenario('shares of a distribution go down', share, `at least ${before.share}, as the point before`,
        `${where}[${i}].share`);
    }
  });
  const last = cdf[cdf.length - 1];
  if (last.share !== 1) {
    refuseScenario('a distribution does not end at 1', last.share, '1 as the last share',
      `${where}[${cdf.length - 1}].share`);
  }
  if (last.sizeBytes < 1) {
    refuseScenario('a distribution has no bytes', last.sizeBytes, 'at least 1 as the last size',
      `${where}[${cdf.length - 1}].sizeBytes`);
  }
}
