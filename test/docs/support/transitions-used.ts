/** Determines from the engine which events an algorithm does not use. */

import type { AckFields } from '../../../src/engine/ack-records.js';
import { createEngineSync } from '../../../src/engine/create.js';
import { gbps, us } from '../../../src/units.js';
import { ALGORITHM_EXAMPLES } from '../../support/algorithm-examples.js';
import type { BackendOption } from '../../support/backends.js';

/** Events of a QP other than sending, with the page's names. */
export const TRANSITIONS = ['ack', 'cnp', 'fast cnp', 'timer', 'loss', 'credit'] as const;

/** An acknowledgement with everything that some algorithm reads. */
const ACK: AckFields = {
  ackSeq: 1000,
  sndNxt: 9000,
  ecnEcho: true,
  ackedBytes: 1000,
  sentTimePs: us(5),
  pintPower: 100,
  telemetry: { kind: 'exact', hops: [{ timePs: us(8), txBytes: 1e6, qlenBytes: 5000, lineRateBps: gbps(100) }] },
};
const PEER = new Uint8Array(16).fill(1);
const PEER_QPN = 77;

/** The transitions that change nothing for a QP under this algorithm. */
export function notUsedBy(name: string, backend: BackendOption): string[] {
  const engine = createEngineSync({
    backend,
    parameterSets: ALGORITHM_EXAMPLES,
    fastCnp: { enabled: true, defaultAction: 'allow' },
  });
  const endpoint = engine.addEndpoint();
  const qp = engine.openQp({ localQpn: 1, peerAddress: PEER, peerQpn: PEER_QPN, parameterSet: name });
  engine.events.ack(us(10), qp, ACK);
  engine.events.cnp(us(20), qp);
  // Later than the window in which a CNP and a Fast CNP count as one signal.
  engine.events.fastCnp(us(200), { endpoint, source: PEER, originalDestination: PEER, destQpn: PEER_QPN });
  engine.events.loss(us(210), qp, 'fast');
  engine.events.credit(us(220), qp, 1);
  engine.applyEvents();
  const { outcomes } = engine.stats();
  const used = outcomes['ack-applied'] + outcomes['cnp-handled'] + outcomes['fast-cnp-accepted'] +
    outcomes['loss-applied'] + outcomes['credit-applied'];
  const unused = outcomes['ack-not-used'] + outcomes['cnp-not-used'] + outcomes['loss-not-used'] +
    outcomes['credit-not-used'];
  if (used + unused !== 5) throw new Error(`an event was rejected: ${JSON.stringify(outcomes)}`);
  const hasTimer = Number.isFinite(engine.nextDeadlinePs(qp));
  const isUsed = {
    ack: outcomes['ack-applied'] > 0,
    cnp: outcomes['cnp-handled'] > 0,
    'fast cnp': outcomes['fast-cnp-accepted'] > 0,
    timer: hasTimer,
    loss: outcomes['loss-applied'] > 0,
    credit: outcomes['credit-applied'] > 0,
  };
  return TRANSITIONS.filter((transition) => !isUsed[transition]);
}
