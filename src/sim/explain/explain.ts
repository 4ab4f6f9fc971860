/** Explains a result in plain English, from its own numbers only. It runs no simulation and marks every guess. */
import { checkRecord } from '../../config/field-rules.js';
import type { SimResult } from '../result.js';
import type { Explanation } from './explanation.js';
import { explainDiscovery } from '../features/discovery/explain.js';
import { explainWan } from '../features/wan/explain.js';
import { explainPaths } from '../features/balancing/path-fairness.js';
import { explainJobs } from '../features/jobs/explain.js';
import { explainLoss } from './why-lost.js';
import { explainFastCnps, explainNotifications } from './why-notified.js';
import { explainHazards } from '../features/hazards/explain.js';
import { explainPauses } from './why-pause.js';
import { explainConnections } from '../features/connections/explain.js';
import { explainReceivers, explainSlowest } from './why-slow.js';
import { explainUnfinished } from './why-unfinished.js';
import { explainWork } from './bottleneck.js';
import { explainUet } from '../features/reference-uet/explain.js';
import { explainSettings } from './without-effect.js';

export type { Explanation, ExplanationTopic } from './explanation.js';

/**
 * Explains a result. It always covers pauses, notifications, the bottleneck, losses and settings; where they apply, also Fast
 * CNPs, unfinished flows, receivers that were not ready, the slowest flow, QPs with several messages, equal paths, jobs and a
 * WAN. Under `reference-uet` it covers only what uet-htsim counts.
 *
 * @example
 * for (const { question, answer } of explainResult(result)) console.log(`${question}\n  ${answer}`);
 */
export function explainResult(result: SimResult): readonly Explanation[] {
  checkRecord(result, 'result');
  const counts = explainUet(result);
  if (counts !== undefined) return [counts];
  const all = [
    explainDiscovery(result),
    explainUnfinished(result),
    explainHazards(result),
    explainReceivers(result),
    ...explainJobs(result),
    explainPauses(result),
    explainNotifications(result),
    explainFastCnps(result),
    explainWan(result),
    explainWork(result),
    explainSlowest(result),
    explainConnections(result),
    explainLoss(result),
    explainPaths(result),
    explainSettings(result),
  ];
  return all.filter((explanation) => explanation !== undefined);
}
