/** The parts of fidelity `reference`: docs/specs/reference.md. */
import { EcmpBalancer } from '../ecmp-balancer.js';
import { ReferenceResponses } from '../reference-responses.js';
import { ReferenceCongestionControl } from '../reference-congestion-control.js';
import { Retries } from '../retries.js';
import type { World } from '../network.js';
import type { Parts } from '../parts.js';
import { ReferenceGoBack } from './go-back.js';
import { MarkRandom } from './mark-random.js';
import { ReferenceMarker } from './marker.js';
import { ReferenceMemory } from './memory.js';
import { ProgressTimer } from './progress-timer.js';
import { ReferenceReceiver } from './receiver.js';
import { ClearingScheduler } from './qp-scheduler.js';

export function referenceParts(world: World): Parts {
  const { plan } = world;
  const random = new MarkRandom(plan.seed, plan.nodes.length);
  return {
    startSteps: 1,
    forgetsReceivers: false,
    followersStart: 'as-others',
    endsWhenEmpty: false,
    telemetry: { pintPower: 'wraps' },
    pauseTimePs: undefined,
    linkFaults: { lossOf: () => undefined, afterHandling: () => undefined },
    onPauseFrame: () => {
      random.passOver();
    },
    makeCongestionControl: (flow) => new ReferenceCongestionControl(world, flow),
    makeNotificationPoint: () => ({ cnpDelayPs: () => undefined }),
    makeResponses: () => new ReferenceResponses(plan.rules.ackPauseClass),
    makeRecovery: (queuePair) => new ReferenceGoBack(queuePair, { afterNak: 'stays' }),
    makeTimer: (queuePair, onTimeout) => new ProgressTimer(world, queuePair, onTimeout),
    makeReceiver: (flow) => new ReferenceReceiver(plan, flow),
    makeRetries: () => new Retries(null, true),
    makeQpScheduler: (port) => new ClearingScheduler(world, port, { pastTimes: 'count' }),
    makeMemory: (node) => new ReferenceMemory(plan, node),
    makeMarker: () => new ReferenceMarker(random),
    makeBalancer: (forwarder) => new EcmpBalancer(forwarder),
  };
}
