/** Hosts around one switch as the second reference simulates them: no reaction to marks, 1 MiB of memory. */
import type { LossyPlan } from '../../../../src/sim/features/reference-lossy/plan.js';
import type { NetworkPlan } from '../../../../src/sim/plan.js';
import { ms, us } from '../../../../src/units.js';
import { starPlan, type StarOptions } from './star-plan.js';

const BUFFER_BYTES = 2 ** 20;
/** 2 delay rate + 2096, at 100 Gb/s and 1 us. */
const HEADROOM_BYTES = 27_096;
const BDP_BYTES = 52_000;

export function lossyStarPlan(options: StarOptions, lossy: Partial<LossyPlan>): NetworkPlan {
  const plan = starPlan({ bufferBytes: BUFFER_BYTES, pfc: false, ...options });
  return {
    ...plan,
    fidelity: 'reference-lossy',
    // The rate can't fall.
    parameterSets: plan.parameterSets.map((set) => ({ ...set, minRateBps: set.maxRateBps })),
    rules: { ...plan.rules, nakIntervalPs: us(4), retransmitTimeoutPs: us(4000) },
    nodes: plan.nodes.map((node) => ({ ...node, pfc: options.pfc ?? false })),
    ports: plan.ports.map((port) => ({ ...port, ecn: false, headroomBytes: HEADROOM_BYTES })),
    flows: withAckClass0(plan),
    lossy: {
      transport: 'irn',
      backToZeroBytes: 0,
      irn: { windowBytes: BDP_BYTES, timeoutLowPs: us(100), timeoutHighPs: us(320) },
      pauseTimePs: us(5),
      balancing: 'ecmp',
      conWeave: {
        expiryPs: us(1000),
        replyExtraPs: us(4),
        pathPausePs: us(8),
        flushExtraPs: us(32),
        defaultWaitPs: us(500),
      },
      leaves: [plan.nodes.length - 1],
      checkFromPs: ms(1),
      checkEveryPs: us(100),
      linkErrors: plan.ports.map(() => ({ share: 0, generator: 0 })),
      forcedDrops: [],
      ...lossy,
    },
  };
}

function withAckClass0({ flows }: NetworkPlan): NetworkPlan['flows'] {
  flows.ackClass.fill(0);
  return flows;
}
