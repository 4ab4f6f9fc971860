/** The parts of fidelity `standard`: docs/fidelity.md, docs/scenarios.md; sources of the rules' values are the compiler's. */
import type { World } from '../network.js';
import type { Parts } from '../parts.js';
import { ReferenceGoBack } from '../reference/go-back.js';
import { ReferenceMemory } from '../reference/memory.js';
import { ProgressTimer } from '../reference/progress-timer.js';
import { ReferenceReceiver } from '../reference/receiver.js';
import { ClearingTurns } from '../reference/turns.js';
import { StandardAnswers } from './answers.js';
import { makeStandardBalancer } from './balancing/make-balancer.js';
import { StandardCongestionPoint } from './congestion-point.js';
import { StandardLinkFaults } from './link-faults.js';
import { StandardNotificationPoint } from './notification-point.js';
import { StandardSteering } from './steering.js';

export function standardParts(world: World): Parts {
  const { plan } = world;
  return {
    startSteps: 1,
    forgetsReceivers: false,
    pauseTimePs: undefined,
    followersStart: 'at-once',
    endsWhenEmpty: true,
    telemetry: { pintPower: 'stays' },
    linkFaults: new StandardLinkFaults(world),
    onPauseFrame: () => undefined,
    makeSteering: (flow) => new StandardSteering(world, flow),
    makeNotificationPoint: (node) => new StandardNotificationPoint(plan, node),
    makeAnswers: () => new StandardAnswers(plan.rules.strictClasses, plan.rules.ackPauseClass),
    makeRecovery: (queuePair) => new ReferenceGoBack(queuePair, { afterNak: 'follows' }),
    makeTimer: (queuePair, onTimeout) => new ProgressTimer(world, queuePair, onTimeout),
    makeReceiver: (flow) => new ReferenceReceiver(plan, flow),
    makeTurns: (port) => new ClearingTurns(world, port, { pastTimes: 'are-skipped' }),
    makeMemory: (node) => new ReferenceMemory(plan, node),
    makeMarker: (node) => new StandardCongestionPoint(world, node),
    makeBalancer: (forwarder) => makeStandardBalancer(world, forwarder),
  };
}
