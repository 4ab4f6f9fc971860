/** Engines under both backends, and all that can happen to one. */
import { createEngineSync, dcqcnSigcomm15, dctcpNs3, gbps, hpccSigcomm19, swiftSigcomm20, timelySigcomm15, us,
  type Engine, type EngineOptions } from '../../src/index.js';
import { referenceBackend } from '../../src/reference/index.js';
import { RoceError } from '../../src/errors.js';

const ADDRESSES = ['10.0.0.1', '2001:db8::2', '10.0.0.3'];
const PEERS = ['10.0.0.2', '2001:db8::1', '10.0.0.1', '192.0.2.9'];
/** QPs at most. */
export const QPS = 12;
const SET_NAMES = ['dcqcn', 'hpcc', 'timely', 'dctcp', 'swift'] as const;
const ODD_TIMES = [NaN, -1, Infinity, 2 ** 53, -0];
/** One number per step: so that an input is short. */
export const STEP_LIMIT = 0x4000_0000;

/** Options of the fuzzers' engines. */
export function engineOptions(): EngineOptions {
  const lineRateBps = gbps(100);
  return {
    hashSeed: 7,
    parameterSets: {
      dcqcn: dcqcnSigcomm15({ lineRateBps }),
      hpcc: hpccSigcomm19({ lineRateBps, baseRttPs: us(10) }),
      timely: timelySigcomm15({ lineRateBps }),
      dctcp: dctcpNs3({ lineRateBps }),
      swift: swiftSigcomm20({ lineRateBps }),
    },
    fastCnp: { enabled: true, accessList: [{ prefix: '2001:db8::/32', action: 'allow' }] },
    capacity: { qps: QPS, endpoints: 3, addresses: 3, events: 64, packets: 16, frameBytes: 8192 },
  };
}

export function makeEngine(backend: 'wasm' | 'js'): Engine {
  return populated(
    createEngineSync({ ...engineOptions(), ...(backend === 'js' ? { backend: referenceBackend } : {}) }),
  );
}

/** With its endpoints, and QPs of all algorithms. */
export function populated(engine: Engine): Engine {
  for (const address of ADDRESSES) engine.addEndpoint([address]);
  for (let number = 0; number < QPS / 2; number++) open(engine, number);
  return engine;
}

function open(engine: Engine, number: number): void {
  engine.openQp({
    endpoint: number % ADDRESSES.length,
    localQpn: 1 + (number % 5),
    peerAddress: PEERS[number % PEERS.length],
    peerQpn: 1 + (number % 7),
    parameterSet: SET_NAMES[number % SET_NAMES.length],
  });
}

/** Result of a step, or the code of the error that rejected it. */
export function step(engine: Engine, code: number, nowPs: number): unknown {
  try {
    return act(engine, code % ACTS.length, Math.floor(code / ACTS.length) % 1024, timeOf(code, nowPs));
  } catch (error) {
    if (error instanceof RoceError) return error.code;
    throw error;
  }
}

function timeOf(code: number, nowPs: number): number {
  return code % 61 === 0 ? ODD_TIMES[code % ODD_TIMES.length] : nowPs;
}

/** `extra` makes the act's other choices. */
type Act = (engine: Engine, qp: number, extra: number, timePs: number) => unknown;

const sent: Act = ({ events }, qp, extra, timePs) => {
  events.sent(timePs, qp, 64 * (1 + extra));
};
const ack: Act = ({ events }, qp, extra, timePs) => {
  events.ack(timePs, qp, {
    ackSeq: extra,
    sndNxt: 2 * extra,
    ecnEcho: extra % 3 === 0,
    sentTimePs: Math.max(0, timePs - us(5 + (extra % 40))),
    ackedPackets: 1 + (extra % 4),
  });
};
const fastCnp: Act = ({ events }, _qp, extra, timePs) => {
  events.fastCnp(timePs, {
    endpoint: extra % 3,
    source: '2001:db8::9',
    originalDestination: PEERS[extra % PEERS.length],
    destQpn: 1 + (extra % 7),
  });
};
const applyEvents: Act = (engine) => [engine.applyEvents(), ...actionsOf(engine)];

const ACTS: readonly Act[] = [
  sent,
  sent,
  ack,
  ack,
  fastCnp,
  ({ events }, qp, _extra, timePs) => {
    events.cnp(timePs, qp);
  },
  ({ events }, qp, _extra, timePs) => {
    events.marked(timePs, qp);
  },
  ({ events }, qp, _extra, timePs) => {
    events.touch(timePs, qp);
  },
  ({ events }, qp, extra, timePs) => {
    events.loss(timePs, qp, extra % 2 === 0 ? 'fast' : 'timeout');
  },
  (engine, _qp, extra, timePs) => {
    addFrame(engine, extra, timePs);
  },
  (engine, qp) => {
    engine.closeQp(qp);
  },
  (engine, _qp, extra) => {
    open(engine, extra);
  },
  (engine, _qp, extra) => [
    engine.findLocal(extra % 3, 1 + (extra % 5)),
    engine.findFlow(extra % 3, PEERS[extra % 4], extra % 8),
  ],
  (engine) => [engine.applyPackets(), ...actionsOf(engine)],
  (engine, _qp, _extra, timePs) => [engine.advance(timePs), ...actionsOf(engine)],
  applyEvents,
];

function act(engine: Engine, kind: number, extra: number, timePs: number): unknown {
  return ACTS[kind](engine, extra % (QPS + 1), extra, timePs);
}

/** An Ethernet frame with the beginning of an IP header, mostly of no use. */
function addFrame(engine: Engine, extra: number, timePs: number): void {
  const frame = new Uint8Array(60 + (extra % 40)).fill(extra);
  frame.set([8, 0, 0x45], 12);
  engine.packets.add(timePs, frame);
}

function actionsOf({ actions }: Engine): number[][] {
  return Array.from({ length: actions.length },
    (_, index) => [actions.kindCode(index), actions.qp(index), actions.timePs(index), actions.value(index)]);
}

/** All that can be asked of an engine. */
export function readAll(engine: Engine): unknown[] {
  // Timer steps say how the work was done, not what came of it.
  const stats = { ...engine.stats(), timerSteps: 0 };
  const qps = Array.from(engine.openQps(), (qp) => [
    qp,
    engine.rateBps(qp),
    engine.nextSendPs(qp),
    engine.nextDeadlinePs(qp),
    engine.windowBytes(qp),
    engine.flowOf(qp),
  ]);
  return [stats, engine.stateHash(), ...qps];
}
