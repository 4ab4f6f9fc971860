import { describe, expect, it } from 'vitest';
import { OUTCOME_BAD_TIME, OUTCOME_CNP_DUPLICATE, OUTCOME_CNP_HANDLED, OUTCOME_FAST_CNP_ACCEPTED,
  OUTCOME_FAST_CNP_DENIED, OUTCOME_FAST_CNP_DISABLED, OUTCOME_FAST_CNP_DUPLICATE, OUTCOME_FAST_CNP_OPTION,
  OUTCOME_FAST_CNP_UNKNOWN_FLOW, OUTCOME_TIME_BACKWARDS, OUTCOME_UNKNOWN_QP } from '../../../src/abi/codes.js';
import { AccessListModel, FlowTableModel } from '../../../src/reference/address-tables.js';
import { DcqcnModel, type DcqcnModelOptions } from '../../../src/reference/algorithms/dcqcn/model.js';
import { FastCnpReceiverModel, type FastCnp,
  type FastCnpReceiverParameters } from '../../../src/reference/rp/fast-cnp-receiver.js';
import { gbps, us } from '../../../src/units.js';
import { PAPER } from '../support/parameters.js';

const WINDOW = us(20);
const T0 = us(100);
const QP = 7;

function address(...data: number[]): Uint8Array {
  const bytes = new Uint8Array(16);
  bytes.set(data);
  return bytes;
}

const RECEIVER = address(0x20, 0x01, 1);
const SWITCH = address(0x20, 0x01, 2);
const STRANGER = address(0x20, 0x02);

function make(changes: Partial<FastCnpReceiverParameters> = {}, options: DcqcnModelOptions = {}) {
  const reactionPoint = new DcqcnModel(PAPER, options);
  const flows = new FlowTableModel();
  flows.add({ qp: QP, endpoint: 0, localQpn: 0x11, peerAddress: RECEIVER, peerQpn: 0x22 });
  const accessList = new AccessListModel([{ prefixBytes: address(0x20, 0x01), prefixLength: 16, action: 'allow' }],
    'deny');
  const parameters = { enabled: true, duplicateWindowPs: WINDOW, ...changes };
  const receiver = new FastCnpReceiverModel(parameters, accessList, flows, new Map([[QP, reactionPoint]]));
  return { receiver, reactionPoint };
}

function fastCnp(timePs: number, changes: Partial<FastCnp> = {}): FastCnp {
  const packet = { endpoint: 0, source: SWITCH, optionWellFormed: true, originalDestination: RECEIVER, destQpn: 0x22 };
  return { timePs, ...packet, ...changes };
}

describe('the checks of a Fast CNP', () => {
  const allWrong = { source: STRANGER, optionWellFormed: false, destQpn: 0x23 };

  it('come in order: enabled, source, option, flow, time, duplicate', () => {
    const off = make({ enabled: false }).receiver;
    expect(off.fastCnp(fastCnp(NaN, allWrong)).outcome).toBe(OUTCOME_FAST_CNP_DISABLED);
    const { receiver } = make();
    const outcome = (timePs: number, changes: Partial<FastCnp>) => receiver.fastCnp(fastCnp(timePs, changes)).outcome;
    expect(outcome(NaN, allWrong)).toBe(OUTCOME_FAST_CNP_DENIED);
    expect(outcome(NaN, { ...allWrong, source: SWITCH })).toBe(OUTCOME_FAST_CNP_OPTION);
    expect(outcome(NaN, { destQpn: 0x23 })).toBe(OUTCOME_FAST_CNP_UNKNOWN_FLOW);
    expect(outcome(NaN, {})).toBe(OUTCOME_BAD_TIME);
    expect(outcome(T0, {})).toBe(OUTCOME_FAST_CNP_ACCEPTED);
    expect(outcome(T0 - 1, {})).toBe(OUTCOME_TIME_BACKWARDS);
    expect(outcome(T0, {})).toBe(OUTCOME_FAST_CNP_DUPLICATE);
  });

  it('find the flow by endpoint, original destination and destination QPN', () => {
    const { receiver } = make();
    for (const changes of [{ endpoint: 1 }, { originalDestination: SWITCH }, { destQpn: 0x11 }]) {
      expect(receiver.fastCnp(fastCnp(T0, changes))).toMatchObject({
        outcome: OUTCOME_FAST_CNP_UNKNOWN_FLOW,
        qp: undefined,
      });
    }
  });

  it('distinguish Fast CNPs of the receiver of the flow from those of the network', () => {
    expect(make().receiver.fastCnp(fastCnp(T0))).toEqual({
      outcome: OUTCOME_FAST_CNP_ACCEPTED,
      qp: QP,
      origin: 'network',
    });
    const byReceiver = make().receiver.fastCnp(fastCnp(T0, { source: RECEIVER }));
    expect(byReceiver).toEqual({ outcome: OUTCOME_FAST_CNP_ACCEPTED, qp: QP, origin: 'receiver' });
  });

  it('cut the rate as for a CNP if it is accepted, and change nothing if it is rejected', () => {
    const { receiver, reactionPoint } = make();
    const before = { ...reactionPoint.state };
    receiver.fastCnp(fastCnp(T0, { source: STRANGER }));
    expect(reactionPoint.state).toEqual(before);
    receiver.fastCnp(fastCnp(T0));
    expect(reactionPoint.state).toMatchObject({ rateBps: gbps(20), lastEventPs: T0 });
  });
});

describe('duplicates', () => {
  it('include a Fast CNP within the window of a CNP or Fast CNP, but not at its end', () => {
    const { receiver } = make();
    receiver.cnp(T0, QP);
    expect(receiver.fastCnp(fastCnp(T0 + WINDOW - 1)).outcome).toBe(OUTCOME_FAST_CNP_DUPLICATE);
    expect(receiver.fastCnp(fastCnp(T0 + WINDOW)).outcome).toBe(OUTCOME_FAST_CNP_ACCEPTED);
    expect(receiver.fastCnp(fastCnp(T0 + 2 * WINDOW - 1)).outcome).toBe(OUTCOME_FAST_CNP_DUPLICATE);
  });

  it('include a CNP within the window of a Fast CNP, which changes nothing', () => {
    const { receiver, reactionPoint } = make();
    receiver.fastCnp(fastCnp(T0));
    const before = { ...reactionPoint.state };
    expect(receiver.cnp(T0 + WINDOW - 1, QP)).toBe(OUTCOME_CNP_DUPLICATE);
    expect(reactionPoint.state).toEqual(before);
    expect(receiver.cnp(T0 + WINDOW, QP)).toBe(OUTCOME_CNP_HANDLED);
  });

  it('do not include a CNP after another CNP', () => {
    const { receiver } = make();
    for (let i = 0; i < 5; i++) expect(receiver.cnp(T0 + i, QP)).toBe(OUTCOME_CNP_HANDLED);
  });

  it('do not extend the window', () => {
    const { receiver } = make();
    receiver.fastCnp(fastCnp(T0));
    receiver.fastCnp(fastCnp(T0 + WINDOW / 2));
    expect(receiver.fastCnp(fastCnp(T0 + WINDOW)).outcome).toBe(OUTCOME_FAST_CNP_ACCEPTED);
  });

  it('do not exist with a window of 0', () => {
    const { receiver } = make({ duplicateWindowPs: 0 });
    expect(receiver.fastCnp(fastCnp(T0)).outcome).toBe(OUTCOME_FAST_CNP_ACCEPTED);
    expect(receiver.fastCnp(fastCnp(T0)).outcome).toBe(OUTCOME_FAST_CNP_ACCEPTED);
    expect(receiver.cnp(T0, QP)).toBe(OUTCOME_CNP_HANDLED);
  });

  it('are no longer detected after the QP is forgotten', () => {
    const { receiver } = make();
    receiver.fastCnp(fastCnp(T0));
    receiver.forget(QP);
    expect(receiver.cnp(T0, QP)).toBe(OUTCOME_CNP_HANDLED);
  });

  it('are detected at the time at which a late event would take effect', () => {
    const { receiver, reactionPoint } = make({}, { latePolicy: 'clamp' });
    receiver.fastCnp(fastCnp(T0));
    expect(receiver.cnp(T0 - us(1), QP)).toBe(OUTCOME_CNP_DUPLICATE);
    expect(reactionPoint.lateClamped).toBe(0);
    reactionPoint.sent(T0 + WINDOW, 1000);
    expect(receiver.cnp(T0, QP)).toBe(OUTCOME_CNP_HANDLED);
    expect(reactionPoint.lateClamped).toBe(1);
  });
});

it('a CNP for an unknown QP is rejected', () => {
  expect(make().receiver.cnp(T0, QP + 1)).toBe(OUTCOME_UNKNOWN_QP);
});
