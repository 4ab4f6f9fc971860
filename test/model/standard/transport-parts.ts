/** The parts of a flow's transport under `standard`. */
import type { FlowPlan, NetworkPlan } from '../../../src/sim/plan.js';
import type { TolerantLosses } from '../../../src/sim/features/transports/plan.js';
import { isRead } from '../../../src/sim/features/verbs/compile.js';
import type { World } from '../network.js';
import type { LossRecovery, Receiver, RetransmitTimer, SendingFlow } from '../parts.js';
import { ReferenceGoBack } from '../reference/go-back.js';
import { ProgressTimer } from '../reference/progress-timer.js';
import { ReferenceReceiver } from '../reference/receiver.js';
import { Retries } from '../retries.js';
import { StandardIrn } from './irn.js';
import { CreditTimer } from './credit-timer.js';
import { IrnTimer } from './irn-timer.js';
import { NotReadyReceiver } from './not-ready-receiver.js';
import { StandardMrc } from './mrc.js';
import { PacketTimers } from './packet-timers.js';
import { MrcReceiver, rangePacketsOf } from './mrc-receiver.js';
import { SelectiveReceiver } from './selective-receiver.js';
import { SelectiveRepeat } from './selective-repeat.js';
import { StandardTolerant } from './tolerant.js';
import { TolerantReceiver } from './tolerant-receiver.js';
import { mtuBytesOf, transportOf } from './transports.js';

const NEVER: TolerantLosses = { distancePackets: null, lossTimePs: null };

/** The responder of a READ has no timer. */
const NO_TIMER: RetransmitTimer = {
  beforeTransmit: () => undefined,
  afterTransmit: () => undefined,
  onResponse: () => undefined,
  stop: () => undefined,
};

export function makeRecovery(world: World, queuePair: SendingFlow): LossRecovery {
  const { plan, count } = world;
  const { index, flow } = queuePair;
  const { transport, windowPackets } = transportOf(plan, index);
  const mtuBytes = mtuBytesOf(plan, flow.source);
  if (transport === 'selective-repeat') return new SelectiveRepeat(queuePair);
  if (transport === 'tolerant') {
    const settings = { ...(plan.transports?.tolerant ?? NEVER), windowPackets, mtuBytes };
    return new StandardTolerant(world, queuePair, settings, () => {
      count.flows[index].sacked += 1;
    });
  }
  if (transport === 'mrc') {
    const { mrc } = plan.transports ?? {};
    const { reorderPs = null, reorderPackets, sendsWholePackets, countsReceived, maxMessages } = mrc ?? {};
    const rangePackets = mrc?.announcesRange === true ? rangePacketsOf(mrc, windowPackets) : undefined;
    const settings = {
      windowPackets,
      rangePackets,
      mtuBytes,
      reorderPs,
      reorderPackets,
      sendsWholePackets,
      countsReceived,
      maxMessages,
    };
    return new StandardMrc(queuePair, settings, () => {
      count.flows[index].sacked += 1;
    });
  }
  if (transport !== 'irn' || plan.transports === undefined) {
    return new ReferenceGoBack(queuePair, { afterNak: 'follows' });
  }
  return new StandardIrn(queuePair, plan.transports.irn, mtuBytes, () => {
    count.flows[index].sacked += 1;
  });
}

export function makeTimer(world: World, queuePair: SendingFlow, onTimeout: (draws?: number) => void, onLoss: () => void,
  onCredit: () => void): RetransmitTimer {
  const timer = timerOf(world, queuePair, onTimeout, onLoss);
  if (queuePair.congestionControl.credit === undefined) return timer;
  const ofCredit = new CreditTimer(world, queuePair, onCredit);
  timer.whenIdle = (awaitUntil) => {
    ofCredit.expire(awaitUntil);
  };
  timer.onCredit = () => {
    ofCredit.noteProgress();
  };
  return timer;
}

function timerOf(world: World, queuePair: SendingFlow, onTimeout: (draws?: number) => void,
  onLoss: () => void): RetransmitTimer {
  const { recovery } = queuePair;
  if (recovery instanceof StandardTolerant) recovery.watch(onLoss);
  const { transports } = world.plan;
  if (isRead(world.plan, queuePair.index)) return NO_TIMER;
  if (
    recovery instanceof StandardMrc && transports?.mrc !== undefined &&
    transportOf(world.plan, queuePair.index).timesPackets === true
  ) {
    return new PacketTimers(world, queuePair, { recovery, plan: transports.mrc }, onTimeout);
  }
  if (!(recovery instanceof StandardIrn) || transports === undefined) {
    return new ProgressTimer(world, queuePair, onTimeout);
  }
  return new IrnTimer(world, queuePair, recovery, transports.irn.timeoutLowPs, onTimeout);
}

export function makeReceiver({ plan, count, changed, discarding }: World, flow: FlowPlan, index: number): Receiver {
  const kind = transportOf(plan, index);
  if (kind.transport === 'go-back-n') return makeGoBackReceiver(plan, flow, index);
  if (kind.transport === 'tolerant') {
    return new TolerantReceiver(flow, mtuBytesOf(plan, flow.source), () => count.flows[index]);
  }
  if (kind.transport === 'mrc' && plan.transports?.mrc !== undefined) {
    const { rules, states } = plan.balancing?.selection ?? {};
    const alwaysSkipMarks = rules?.[flow.source] === 'entropy-states' ? states?.alwaysSkipMarks ?? 0 : 0;
    const settings = {
      plan: plan.transports.mrc,
      changed,
      discarding,
      windowPackets: kind.windowPackets,
      alwaysSkipMarks,
    };
    return new MrcReceiver(flow, settings, mtuBytesOf(plan, flow.source), () => count.flows[index]);
  }
  return new SelectiveReceiver(flow, kind, mtuBytesOf(plan, flow.source), () => count.flows[index]);
}

function makeGoBackReceiver(plan: NetworkPlan, flow: FlowPlan, index: number): Receiver {
  const receiver = new ReferenceReceiver(plan, flow);
  const readyPs = plan.verbs?.readyPs[index] ?? 0;
  return readyPs > 0 ? new NotReadyReceiver(receiver, readyPs, flow) : receiver;
}

export function makeRetries(plan: NetworkPlan, flow: number): Retries {
  const { transport, retryCount } = transportOf(plan, flow);
  return new Retries(retryCount, transport !== 'irn' && transport !== 'tolerant' && transport !== 'mrc');
}
