/**
 * The parts of fidelity `reference-lossy`, the second reference simulator (conweave-project/conweave-ns3 at 236a801):
 * docs/specs/reference-lossy.md. The head of each file states how ambiguous passages of it were read.
 */
import { RoceError } from '../../../src/errors.js';
import type { LossyPlan } from '../../../src/sim/features/reference-lossy/plan.js';
import type { NetworkPlan } from '../../../src/sim/plan.js';
import { EcmpBalancer } from '../ecmp-balancer.js';
import { ReferenceResponses } from '../reference-responses.js';
import { ReferenceCongestionControl } from '../reference-congestion-control.js';
import type { World } from '../network.js';
import { Retries } from '../retries.js';
import type { LossRecovery, Parts, SendingFlow } from '../parts.js';
import { Conga } from './conga.js';
import { ConWeave } from './conweave.js';
import { Drill } from './drill.js';
import { ForcedDrops } from './forced-drops.js';
import { GlibcRandom } from './glibc-random.js';
import { LossyGoBackN } from './go-back-n.js';
import { LossyGoBackNReceiver } from './go-back-n-receiver.js';
import { Irn } from './irn.js';
import { IrnReceiver } from './irn-receiver.js';
import { LeafPaths } from './leaf-paths.js';
import { LetFlow } from './letflow.js';
import { LinkErrors } from './link-errors.js';
import { LossyMarker } from './marker.js';
import { LossyMemory } from './memory.js';
import { RestartedTimer, type TimerRules } from './restarted-timer.js';
import { LossyScheduler } from './qp-scheduler.js';

/** @throws RoceError `invalid-scenario` for a plan without a `lossy` part. */
export function lossyParts(world: World): Parts {
  const { plan } = world;
  const { lossy, seed, rules } = plan;
  if (lossy === undefined) {
    throw new RoceError('invalid-scenario', { got: lossy, allowed: 'a plan of losses', where: 'plan.lossy' });
  }
  const forced = new ForcedDrops(lossy.forcedDrops);
  return {
    startSteps: 2,
    forgetsReceivers: true,
    followersStart: 'as-others',
    endsWhenEmpty: false,
    telemetry: { pintPower: 'wraps' },
    pauseTimePs: lossy.pauseTimePs,
    linkFaults: new LinkErrors(lossy.linkErrors, seed),
    onPauseFrame: () => undefined,
    makeCongestionControl: (flow) => new ReferenceCongestionControl(world, flow),
    makeNotificationPoint: () => ({ cnpDelayPs: () => undefined }),
    makeResponses: () => new ReferenceResponses(plan.rules.ackPauseClass),
    makeRecovery: (queuePair) => recoveryOf(plan, lossy, queuePair),
    makeTimer: (queuePair, onTimeout) =>
      new RestartedTimer(world, queuePair, timerRules(plan, lossy, queuePair.recovery), onTimeout),
    makeRetries: () => new Retries(null, true),
    makeReceiver: (flow) =>
      lossy.transport === 'irn' ?
        new IrnReceiver(flow, rules.nakIntervalPs) :
        new LossyGoBackNReceiver(flow, {
          nakIntervalPs: rules.nakIntervalPs,
          backToZeroBytes: lossy.backToZeroBytes,
        }),
    makeQpScheduler: (port) => new LossyScheduler(world, port),
    makeMemory: (node) => memoryOf(world, lossy, node, forced),
    makeMarker: () => new LossyMarker(seed),
    makeBalancer: balancerMaker(world, lossy),
  };
}

function recoveryOf({ nodes, rules }: NetworkPlan, lossy: LossyPlan, queuePair: SendingFlow): LossRecovery {
  if (lossy.transport === 'go-back-n') return new LossyGoBackN(queuePair, lossy.backToZeroBytes);
  return new Irn(queuePair, lossy.irn, nodes[queuePair.flow.source].mtuBytes ?? rules.mtuBytes);
}

/** With PFC the timer of IRN has no effect (section 3). */
function timerRules({ nodes, rules }: NetworkPlan, { transport }: LossyPlan, recovery: LossRecovery): TimerRules {
  const acts = transport === 'go-back-n' || !nodes.some(({ kind, pfc }) => kind === 'switch' && pfc);
  return {
    acts,
    timeoutPs: () => (recovery instanceof Irn ? recovery.timeoutPs : rules.retransmitTimeoutPs),
  };
}

function memoryOf({ plan, events }: World, { pauseTimePs }: LossyPlan, node: number, forced: ForcedDrops): LossyMemory {
  const { bufferBytes, firstPort, portCount, pfc } = plan.nodes[node];
  const headroomBytes = plan.ports.slice(firstPort, firstPort + portCount).map((port) => port.headroomBytes);
  return new LossyMemory({ bufferBytes, headroomBytes, pfc, pauseTimePs }, events, forced);
}

/** All switches share one random sequence and the same paths. */
function balancerMaker(world: World, { balancing, conWeave }: LossyPlan): Parts['makeBalancer'] {
  const { plan } = world;
  const random = new GlibcRandom(plan.seed);
  const paths = new LeafPaths(plan);
  switch (balancing) {
    case 'ecmp':
      return (forwarder) => new EcmpBalancer(forwarder);
    case 'drill':
      return (forwarder) => new Drill(forwarder, random);
    case 'letflow':
      return (forwarder) => new LetFlow(world, forwarder, paths, random);
    case 'conga':
      return (forwarder) => new Conga(world, forwarder, paths, random);
    case 'conweave':
      return (forwarder) => new ConWeave(world, forwarder, paths, conWeave, random);
  }
}
