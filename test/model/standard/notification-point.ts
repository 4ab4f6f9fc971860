/** The notification point of a host under `standard`, which decides for which marked packets it sends a CNP. */
import { OUTCOME_CNP_DUE } from '../../../src/abi/codes.js';
import { NotificationPointModel } from '../../../src/reference/notification-point.js';
import type { NetworkPlan } from '../../../src/sim/plan.js';
import type { Packet } from '../packet.js';
import type { NotificationPoint } from '../parts.js';

const NO_ADDRESS = new Uint8Array(16);

export class StandardNotificationPoint implements NotificationPoint {
  readonly #model: NotificationPointModel;
  readonly #delayPs: number;
  readonly #sendsCnps: boolean;

  constructor({ nodes, rules }: NetworkPlan, node: number) {
    const minTimeBetweenCnpsPs = nodes[node].cnpIntervalPs ?? rules.cnpIntervalPs;
    this.#model = new NotificationPointModel({ scope: 'qp', window: 'suppress', minTimeBetweenCnpsPs },
      () => undefined);
    this.#delayPs = nodes[node].cnpDelayPs ?? rules.cnpDelayPs;
    this.#sendsCnps = rules.notification === 'cnp' && nodes[node].notifies !== false;
  }

  cnpDelayPs(timePs: number, { flow: qp }: Packet): number | undefined {
    if (!this.#sendsCnps) return undefined;
    const mark = { timePs, qp, endpoint: 0, peerAddress: NO_ADDRESS, pKey: 0 };
    return this.#model.marked(mark) === OUTCOME_CNP_DUE ? this.#delayPs : undefined;
  }
}
