/** Checks of workloads that a schema can't express: exclusive keys, points in order. */
import type { Allowed } from '../../errors.js';
import { rejectScenario } from './scenario-error.js';
import type { PoissonSpec, SizeCdf, WorkloadSpec } from './spec.js';

/** @throws RoceError `invalid-scenario` */
export function checkWorkload(spec: WorkloadSpec, where: string): void {
  if (spec.kind === 'poisson') checkPoisson(spec, where);
}

function checkPoisson(spec: PoissonSpec, where: string): void {
  const { flows, arrivalsForUs, sizes } = spec;
  if ((flows === undefined) === (arrivalsForUs === undefined)) {
    const problem = 'needs either flows or arrivalsForUs';
    rejectScenario({ what: 'the Poisson workload', problem, got: { flows, arrivalsForUs }, where: `${where}.flows` });
  }
  if (typeof sizes === 'string') return;
  if ('file' in sizes) rejectUnread(sizes.file, `${where}.sizes.file`);
  checkCdf(sizes, `${where}.sizes`);
}

function rejectUnread(got: string, where: string): never {
  const hint = 'Read it with readSizePoints, and give the points as sizes; roce-cc run does so';
  return rejectScenario({ what: 'the file of sizes', problem: 'has not been read', got, where, hint });
}

function checkCdf(cdf: SizeCdf, where: string): void {
  cdf.forEach(({ sizeBytes, share }, i) => {
    const before = cdf[i - 1];
    if (before === undefined) return;
    requirePoint(sizeBytes >= before.sizeBytes, 'the size', sizeBytes, { min: before.sizeBytes },
      `${where}[${i}].sizeBytes`);
    requirePoint(share >= before.share, 'the share', share, { min: before.share }, `${where}[${i}].share`);
  });
  const last = cdf[cdf.length - 1];
  const lastPlace = `${where}[${cdf.length - 1}]`;
  requirePoint(last.share === 1, 'the last share', last.share, 1, `${lastPlace}.share`);
  requirePoint(last.sizeBytes >= 1, 'the last size', last.sizeBytes, { min: 1 }, `${lastPlace}.sizeBytes`);
}

function requirePoint(holds: boolean, what: string, got: number, allowed: Allowed, where: string): void {
  if (!holds) rejectScenario({ what, got, allowed, where, hint: 'Points of a distribution ascend, to a share of 1' });
}
