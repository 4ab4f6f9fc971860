/** The main loop: takes the next event and calls its handler, until no event is left. */
import { UET_FLOW_PROBE, UET_FLOW_TIMEOUT, UetFeed, UetFlow } from '../records/uet-flows';
import { UET_HOST_ARRIVED, UET_HOST_INTERVAL, UET_HOST_NIC_SENT, UET_HOST_PULL, UET_LINK_ARRIVED, UET_PACKET_ACK,
  UET_PACKET_NACK, UET_PACKET_PULL, UetHost, UetLink, UetPacket, UetSwitch } from '../records/uet-network';
import { UET_EVENT_HOST_LINK, UET_EVENT_HOST_SERVED, UET_EVENT_INTERVAL, UET_EVENT_LINK, UET_EVENT_MESSAGES,
  UET_EVENT_MESSAGES_STARTED, UET_EVENT_NIC, UET_EVENT_PROBE, UET_EVENT_PULL, UET_EVENT_SERVED, UET_EVENT_START,
  UET_EVENT_SWITCH, UET_EVENT_TIMEOUT, UetEvent } from '../records/uet-run';
import { takeEvent } from './events';
import { receiveFeedback } from './feedback';
import { endHostService, listNextHostArrival, takeHostArrival } from './host-queue';
import { checkStarted, feedMessages, flowAt } from './messages';
import { becomeIdle } from './nic-scheduling';
import { endInterval } from './oversubscribed';
import { pace } from './pull-pacer';
import { receiveAtReceiver } from './receiver';
import { startFlow } from './sending';
import { sendProbe } from './sleek';
import { run } from './stop';
import { endService, listNextArrival, takeArrival } from './switch-queue';
import { leaveDelay, receiveAtSwitch } from './switches';
import { onTimeout } from './timeouts';
import { takeTriggered, triggered } from './triggers';

export function runToEnd(): void {
  while (true) {
    if (triggered) {
      startFlow(flowAt(takeTriggered()));
      continue;
    }
    const event = takeEvent();
    if (!event) return;
    run.events += 1;
    runEvent(event);
  }
}

function runEvent(event: usize): void {
  switch (changetype<UetEvent>(event).kind) {
    case UET_EVENT_SERVED:
      endService(changetype<UetLink>(event));
      break;
    case UET_EVENT_LINK:
      arrive(changetype<UetLink>(event - UET_LINK_ARRIVED));
      break;
    case UET_EVENT_SWITCH:
      leaveDelay(changetype<UetSwitch>(event));
      break;
    case UET_EVENT_HOST_SERVED:
      endHostService(changetype<UetHost>(event));
      break;
    case UET_EVENT_HOST_LINK:
      arriveAtLeaf(changetype<UetHost>(event - UET_HOST_ARRIVED));
      break;
    case UET_EVENT_NIC:
      becomeIdle(changetype<UetHost>(event - UET_HOST_NIC_SENT));
      break;
    case UET_EVENT_PULL:
      pace(changetype<UetHost>(event - UET_HOST_PULL));
      break;
    case UET_EVENT_INTERVAL:
      endInterval(changetype<UetHost>(event - UET_HOST_INTERVAL));
      break;
    case UET_EVENT_START:
      startFlow(changetype<UetFlow>(event));
      break;
    case UET_EVENT_TIMEOUT:
      onTimeout(changetype<UetFlow>(event - UET_FLOW_TIMEOUT));
      break;
    case UET_EVENT_PROBE:
      sendProbe(changetype<UetFlow>(event - UET_FLOW_PROBE));
      break;
    case UET_EVENT_MESSAGES:
      feedMessages(changetype<UetFeed>(event));
      break;
    case UET_EVENT_MESSAGES_STARTED:
      checkStarted(changetype<UetFeed>(event));
      break;
    default:
      unreachable();
  }
}

function arrive(link: UetLink): void {
  const packet = takeArrival(link);
  if (link.next) receiveAtSwitch(changetype<UetSwitch>(<usize>link.next), packet);
  else receiveAtHost(packet);
  listNextArrival(link);
}

function arriveAtLeaf(host: UetHost): void {
  receiveAtSwitch(changetype<UetSwitch>(<usize>host.leaf), takeHostArrival(host));
  listNextHostArrival(host);
}

function receiveAtHost(packet: UetPacket): void {
  const kind = packet.kind;
  const flow = changetype<UetFlow>(<usize>packet.flow);
  if (kind == UET_PACKET_ACK || kind == UET_PACKET_NACK || kind == UET_PACKET_PULL) receiveFeedback(flow, packet);
  else receiveAtReceiver(flow, packet);
}
