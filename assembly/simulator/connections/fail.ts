/** Failure of a QP that carries several messages: its retries are exhausted (transport/retries.ts). */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { operationDone as partDone } from '../halt';
import { total } from '../network';
import { messageOf, streamOf } from './memory';
import { TOTAL_FLOWS_FAILED } from '../../records/sim-run';
import { QP_MESSAGE_FAILED, QpMessage } from '../../records/flows';

/** Fails all messages that are posted and not done. */
export function failMessages(leader: u32): void {
  let number = streamOf(leader).acking;
  while (number != SIM_NONE) {
    const message = messageOf(number);
    failMessage(message);
    number = message.next;
  }
}

export function failMessage(message: QpMessage): void {
  message.flags |= QP_MESSAGE_FAILED;
  message.finishPs = <f64>nowPs;
  total(TOTAL_FLOWS_FAILED, 1);
  partDone();
}
