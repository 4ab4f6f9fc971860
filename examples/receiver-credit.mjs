// A 16-to-1 incast under RCCC, receiver credit of Ultra Ethernet: the engine has the senders' credit, this file the receiver's pull pacer.
// Credit never lengthens the queue at the last hop: it is longest after the speculative burst.
//
//   node examples/receiver-credit.mjs
//
// Source of the pacer: docs/specs/uet-reference.md, section 9, active receivers only.
import { createEngineSync, gbps, rcccUet, us } from 'roce-cc';

const [SENDERS, PACKETS, PACKET_BYTES] = [16, 100, 4150];
const [LINE_RATE_BPS, DELAY_PS] = [gbps(100), us(3)];
const TX_PS = (PACKET_BYTES * 8e12) / LINE_RATE_BPS;
/** Of a pull. */
const QUANTA_MAX = 64;
/** 256 bytes at 99 % of the line rate. */
const QUANTUM_PS = Math.trunc(2048e12 / LINE_RATE_BPS / 0.99);

/** Ties in order of insertion. */
class Events {
  #waiting = [];

  at(timePs, run) {
    this.#waiting.push({ timePs, run });
  }

  run() {
    while (this.#waiting.length > 0) {
      this.#waiting.sort((a, b) => a.timePs - b.timePs);
      const { timePs, run } = this.#waiting.shift();
      run(timePs);
    }
  }
}

/** One queue before the receiver. */
class Link {
  freePs = 0;
  longestBytes = 0;

  /** When the packet has passed. */
  pass(nowPs) {
    this.freePs = Math.max(nowPs, this.freePs) + TX_PS;
    this.longestBytes = Math.max(this.longestBytes, ((this.freePs - nowPs) * LINE_RATE_BPS) / 8e12);
    return this.freePs;
  }
}

/** Grants flows, round-robin, up to 64 quanta of what each asks for, and the next flow after the time that these take. */
class PullPacer {
  #active = [];
  #isRunning = false;
  #events;

  constructor(events) {
    this.#events = events;
  }

  /** A packet with this target has arrived. */
  ask(flow, target, nowPs) {
    flow.target = Math.max(flow.target, target);
    if (flow.target > flow.granted && !this.#active.includes(flow)) this.#active.push(flow);
    if (!this.#isRunning) this.#pull(nowPs);
  }

  #pull(nowPs) {
    const flow = this.#active.shift();
    this.#isRunning = flow !== undefined;
    if (flow === undefined) return;
    const quanta = Math.min(QUANTA_MAX, flow.target - flow.granted);
    flow.granted += quanta;
    if (flow.target > flow.granted) this.#active.push(flow);
    const { granted } = flow;
    this.#events.at(nowPs + DELAY_PS, (timePs) => flow.grant(timePs, granted));
    this.#events.at(nowPs + quanta * QUANTUM_PS, (timePs) => this.#pull(timePs));
  }
}

function incast(name, options) {
  const parameters = rcccUet({
    lineRateBps: LINE_RATE_BPS,
    baseRttPs: 2 * DELAY_PS,
    packetBytes: PACKET_BYTES,
    ...options,
  });
  const engine = createEngineSync({ parameterSets: { default: parameters } });
  const events = new Events();
  const link = new Link();
  const pacer = new PullPacer(events);
  let arrived = 0;

  for (let index = 0; index < SENDERS; index++) {
    const qp = engine.openQp({ localQpn: index + 1 });
    let backlogBytes = PACKETS * PACKET_BYTES;
    /** The port is busy until then. */
    let portPs = 0;
    const flow = { target: 0, granted: 0, grant };
    events.at(0, send);

    /** One packet after the other, while there is credit. */
    function send(nowPs) {
      if (backlogBytes === 0 || nowPs < portPs || !engine.maySend(qp, 0)) return;
      engine.sent(nowPs, qp, PACKET_BYTES);
      backlogBytes -= PACKET_BYTES;
      const target = engine.pullTarget(qp, backlogBytes);
      portPs = nowPs + TX_PS;
      events.at(portPs, (timePs) => {
        events.at(link.pass(timePs) + DELAY_PS, (arrivalPs) => {
          arrived += 1;
          pacer.ask(flow, target, arrivalPs);
        });
        send(timePs);
      });
    }
    function grant(nowPs, pullNumber) {
      engine.credit(nowPs, qp, pullNumber);
      send(nowPs);
    }
  }
  events.run();
  const longest = (link.longestBytes / PACKET_BYTES).toFixed(1);
  const share = ((arrived * TX_PS) / link.freePs) * 100;
  console.log(`${name}: ${arrived} packets, longest queue ${longest} packets, ${share.toFixed(1)} % of the line rate`);
}

incast('a packet of speculative credit', { initialCreditBytes: PACKET_BYTES });
incast('a round trip of it', { initialCreditBytes: (2 * DELAY_PS * LINE_RATE_BPS) / 8e12 });
