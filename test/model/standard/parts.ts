/** The parts of fidelity `standard` (docs/reference/fidelity.md, docs/guides/scenarios.md). */
import type { World } from '../network.js';
import type { Parts } from '../parts.js';
import { ClearingScheduler } from '../reference/qp-scheduler.js';
import { StandardHazards } from './hazards/hazards.js';
import { PullPacer } from './receiver-credit.js';
import { StandardResponses } from './responses.js';
import { makeStandardBalancer } from './balancing/make-balancer.js';
import { PathSelections } from './balancing/path-selection.js';
import { StandardCongestionPoint } from './congestion-point.js';
import { StandardLinkFaults } from './link-faults.js';
import { StandardNotificationPoint } from './notification-point.js';
import { makeStandardMemory } from './service-pools.js';
import { StandardCongestionControl } from './congestion-control.js';
import { Trimming } from './trimming.js';
import { Wan } from './wan/wan.js';
import { makeReceiver, makeRecovery, makeRetries, makeTimer } from './transport-parts.js';
import { makeRequester, rnrWaitPs } from './verb-parts.js';

export function standardParts(world: World): Parts {
  const { plan } = world;
  const selection = plan.balancing?.selection;
  const selections = selection && new PathSelections(world, selection);
  const controls: StandardCongestionControl[] = [];
  return {
    startSteps: 1,
    forgetsReceivers: false,
    pauseTimePs: undefined,
    followersStart: 'at-once',
    endsWhenEmpty: true,
    telemetry: { pintPower: 'stays' },
    hazards: plan.hazards && new StandardHazards(world, plan.hazards),
    wan: plan.wan && new Wan(world, plan.wan),
    trimming: plan.trimming && new Trimming(plan, plan.trimming, world.count),
    linkFaults: new StandardLinkFaults(world),
    onPauseFrame: () => undefined,
    makeCongestionControl: (flow) => {
      const control = new StandardCongestionControl(world, flow);
      controls.push(control);
      return control;
    },
    changeParameters: (timePs) => {
      for (const control of controls) control.changeParameters(timePs);
    },
    makeNotificationPoint: (node) => new StandardNotificationPoint(plan, node),
    makeResponses: () => new StandardResponses(plan.rules.strictClasses, plan.rules.ackPauseClass),
    makeRecovery: (queuePair) => makeRecovery(world, queuePair),
    makeTimer: (queuePair, ...actions) => makeTimer(world, queuePair, ...actions),
    makeReceiver: (flow, index) => makeReceiver(world, flow, index),
    makeRetries: (flow) => makeRetries(plan, flow),
    makePathSelection: (flow) => selections?.of(flow),
    setDenied: (target, isDenied) => {
      selections?.setDenied(target, isDenied);
    },
    rnrWaitPs: (flow, retry) => rnrWaitPs(plan, flow, retry),
    makeRequester: (flow, actions) => makeRequester(world, flow, actions),
    makeQpScheduler: (port) => new ClearingScheduler(world, port, { pastTimes: 'are-skipped' }),
    makeCreditPacer: (port, send) => new PullPacer(world, port, send),
    makeMemory: (node) => makeStandardMemory(plan, node),
    makeMarker: (node) => new StandardCongestionPoint(world, node),
    makeBalancer: (forwarder) => makeStandardBalancer(world, forwarder),
  };
}
