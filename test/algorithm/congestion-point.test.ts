/** Handlers of a custom congestion point: their arguments, their effects, and the errors of invalid ones. */
import { beforeAll, describe, expect, it } from 'vitest';
import { defineCongestionPoint, type CustomCongestionPoint, type PointPacket,
  type PointPort } from '../../src/algorithm/index.js';
import { POINT_MARK, POINT_PACKET, POINT_PACKET_MARKABLE, POINT_SEND_FAST_CNP,
  POINT_STATE } from '../../src/abi/custom-layout.js';
import type { RoceError } from '../../src/errors.js';
import { compileScenario, runScenarioSync, SimKernel, validateScenario } from '../../src/sim/index.js';
import type { SimResult } from '../../src/sim/result.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { examplePoint } from './support/example-congestion-points.js';
import { compilePoint, handlerSource, RAMP_SOURCE } from './support/point-module.js';
import { incast } from './support/point-scenarios.js';

const NAME = 'mine';
type Port = PointPort;
type Packet = PointPacket;

function run(scenario: ScenarioSpec, point: CustomCongestionPoint): SimResult {
  return runScenarioSync(scenario, { substitutes: { 'congestion-point': point } });
}

/** The error that ends a run under a congestion point. */
function faultOf(scenario: ScenarioSpec, point: CustomCongestionPoint): RoceError & {
  readonly call: Record<string, unknown>;
} {
  try {
    run(scenario, point);
  } catch (error) {
    return error as RoceError & { readonly call: Record<string, unknown> };
  }
  throw new Error('the run ended without an error');
}

/** A congestion point with only this dequeue handler. */
function atDequeue(dequeue: (port: Port, packet: Packet) => void): CustomCongestionPoint {
  return defineCongestionPoint({ name: NAME, dequeue: dequeue as never });
}

describe('Handlers', () => {
  it('are called for each packet that the switch enqueues or dequeues', () => {
    const counts = { enqueue: 0, dequeue: 0, data: 0 };
    const result = run(incast(), defineCongestionPoint({
      name: NAME,
      enqueue() {
        counts.enqueue++;
      },
      dequeue(_, { isData }) {
        counts.dequeue++;
        counts.data += Number(isData);
      },
    }));
    const sent = result.ports.filter(({ name }) => name.startsWith('s0:')).reduce(
      (sum, { txPackets }) => sum + txPackets,
      0,
    );
    const pauses = result.ports.reduce((sum, { pausesSent }) => sum + 2 * pausesSent, 0);
    expect(counts.enqueue).toBe(counts.dequeue);
    expect(counts.dequeue).toBe(sent - pauses);
    expect(counts.data).toBe(8 * Math.ceil(200_000 / 1024));
  });

  it('get the queue length, with an enqueued packet and without a dequeued one, and the thresholds of the port', () => {
    const ends: { queueBytes: number; total: number; lenBytes: number; isLeaving: boolean }[] = [];
    const ports = new Map<number, readonly number[]>();
    const take = (isLeaving: boolean) => (port: Port, { lenBytes, isData }: Packet) => {
      if (!isData) return;
      ends.push({ queueBytes: port.queueBytes, total: port.totalQueueBytes, lenBytes, isLeaving });
      ports.set(port.number, [port.lineRateBps, port.kminBytes, port.kmaxBytes, port.pmax, port.trafficClass]);
    };
    run(
      incast({ ecn: { kminKB: 50, kmaxKB: 200, pmax: 0.1 } }, { topology: { kind: 'star', hosts: 9, rateGbps: 200 } }),
      defineCongestionPoint({ name: NAME, enqueue: take(false) as never, dequeue: take(true) as never }),
    );
    expect([...ports]).toEqual([[8, [200e9, 100_000, 400_000, 0.1, 3]]]);
    let queue = 0;
    for (const { queueBytes, total, lenBytes, isLeaving } of ends) {
      queue += isLeaving ? -lenBytes : lenBytes;
      expect(queueBytes).toBe(queue);
      expect(total).toBeGreaterThanOrEqual(queue);
    }
    expect(queue).toBe(0);
  });

  it('have a separate state per queue, per port, and per flow at each switch', () => {
    const flows = new Map<number, number>();
    let most = 0;
    run(incast(), defineCongestionPoint({
      name: NAME,
      state: { count: 10, last: [-1, -2] },
      portState: { count: 0 },
      flowState: { count: 0.5 },
      dequeue({ state, portState, trafficClass }, { flow, flowState, isData }) {
        if (state.count === 10) expect(state.last.get(1)).toBe(-2);
        state.count += 1;
        state.last.set(1, trafficClass);
        portState.count += 1;
        expect(portState.count).toBeGreaterThanOrEqual(state.count - 10);
        if (!isData) return;
        flowState.count += 1;
        flows.set(flow, flowState.count);
        most = Math.max(most, state.count);
      },
    }));
    const packets = Math.ceil(200_000 / 1024);
    expect([...flows.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(8 * packets + 10);
  });

  it('can send several Fast CNPs for a packet, to the sender of its flow', () => {
    const result = run(incast({ fastCnp: true }), defineCongestionPoint({
      name: NAME,
      flowState: { sent: 0 },
      dequeue(_, packet) {
        if (packet.flow !== 3 || !packet.isData || packet.flowState.sent > 0) return;
        packet.sendFastCnp();
        packet.sendFastCnp();
        packet.flowState.sent = 1;
      },
    }));
    expect(result.ports.reduce((sum, { fastCnps }) => sum + fastCnps, 0)).toBe(2);
    expect(result.flows.map(({ fastCnps, duplicateNotifications }) => fastCnps + duplicateNotifications))
      .toEqual([0, 0, 0, 2, 0, 0, 0, 0]);
  });

  it('cannot mark packets that are not ECN-capable', () => {
    let asked = 0;
    const result = run(incast(), atDequeue((_, packet) => {
      expect(packet.isMarkable).toBe(packet.isData);
      if (packet.isData) return;
      asked++;
      packet.mark();
    }));
    expect(asked).toBeGreaterThan(0);
    expect(result.ports.every(({ marks }) => marks === 0)).toBe(true);
  });

  it('are not called where ECN is off', () => {
    expect(() =>
      run(incast({ ecn: false }), atDequeue(() => {
        throw new Error('called');
      }))
    ).not.toThrow();
  });

  it('get random numbers that depend only on the seed', () => {
    const draws = (seed: number): number[] => {
      const all: number[] = [];
      run(incast({}, { seed }), atDequeue((port) => {
        if (all.length < 5) all.push(port.random());
      }));
      return all;
    };
    expect(draws(7)).toEqual(draws(7));
    expect(new Set([...draws(7), ...draws(8)]).size).toBe(10);
    expect(draws(7).every((draw) => draw >= 0 && draw < 1)).toBe(true);
  });

  it('make the same decisions for any slice length', async () => {
    const point = await examplePoint('fast-cnp-on-rise');
    const scenario = incast({ congestionPoint: { preset: point.name } });
    const hash = (eventsPerSlice: number): string =>
      runScenarioSync(scenario, { congestionPoints: [point], eventsPerSlice }).hash;
    expect(hash(77)).toBe(hash(200_000));
  });
});

describe('A handler that fails ends the run with an error that names the packet', () => {
  it('when it throws', () => {
    const fault = faultOf(incast(), atDequeue((port, packet) => {
      if (packet.flow === 5) throw new Error(`at ${port.timePs}`);
    }));
    expect(fault).toMatchObject({
      code: 'algorithm-fault',
      problem: expect.stringMatching(/^has thrown: at \d+$/) as string,
    });
    expect(fault.call).toEqual({
      congestionPoint: NAME,
      handler: 'dequeue',
      port: 's0:h8',
      trafficClass: 3,
      flow: 5,
      timePs: Number(/\d+$/.exec(fault.problem ?? '')?.[0]),
    });
    expect(fault.message).toContain('mine, dequeue, port s0:h8, class 3, flow 5, at ');
  });

  it.each<[string, (port: Port, packet: Packet) => void, string, Partial<ScenarioSpec>?]>([
    ['when it draws two random numbers', (port) => port.random() + port.random(), 'one number per packet'],
    ['when it sends Fast CNPs for ACKs', (_, packet) => packet.isData || packet.sendFastCnp(), 'number of Fast CNPs'],
    ['when it sends 17 Fast CNPs for one packet', (_, packet) => {
      for (let i = 0; i < 17; i++) packet.sendFastCnp();
    }, 'at most 16 Fast CNPs'],
    [
      'when it sends a Fast CNP at fidelity reference',
      (_, packet) => packet.isData && packet.sendFastCnp(),
      'fidelity reference',
      { fidelity: 'reference', algorithms: { a: { preset: 'dcqcn-ns3' } } },
    ],
  ])('%s', (_, dequeue, text, more = {}) => {
    const fault = faultOf(incast({}, more), atDequeue(dequeue));
    expect(fault.code).toBe('algorithm-fault');
    expect(fault.message).toContain(text);
  });

  it('and the kernel throws the same error when it runs again', () => {
    const point = atDequeue(() => {
      throw new Error('no');
    });
    const { plan } = compileScenario(validateScenario(incast(), { substitutes: { 'congestion-point': point } }));
    const kernel = new SimKernel(plan);
    const attempt = (): unknown => {
      try {
        return kernel.run(plan.endPs, 1000);
      } catch (error) {
        return error;
      }
    };
    const first = attempt();
    expect(first).toMatchObject({ code: 'algorithm-fault' });
    expect(attempt()).toBe(first);
  });
});

describe('A WebAssembly module', () => {
  /** Faults of the handler, selected by its first parameter. */
  const WRONGS = [
    'unreachable();',
    `return ${17 * POINT_SEND_FAST_CNP};`,
    'store<f64>(record, 1, POINT_STATE + 8);',
    'store<f64>(record - 8, 1);',
    'while (lenBytes) {}',
  ].map((wrong, index) => `if (load<f64>(parameters) == ${index}) { ${wrong} }`);
  let wrong: Uint8Array;

  beforeAll(async () => {
    const body = `${WRONGS.join('\n').replaceAll('POINT_STATE', String(POINT_STATE))}
      return timePs >= load<f64>(parameters, 8) && <f64>lenBytes > load<f64>(parameters, 16) ? ${POINT_MARK} : 0;`;
    wrong = await compilePoint(handlerSource('roce_dequeue', body));
  });

  const pointOf = (kind: number): CustomCongestionPoint =>
    defineCongestionPoint({
      name: NAME,
      parameters: { wrong: { default: kind }, fromPs: { default: 50e6, unit: 'ps' }, lenBytes: { default: 1000 } },
      state: { count: 0 },
      module: wrong,
    });

  it('makes the same decisions as JavaScript handlers', async () => {
    const module = defineCongestionPoint({ name: NAME, state: { marks: 0 }, module: await compilePoint(RAMP_SOURCE) });
    const scenario = incast({ ecn: { kminKB: 20, kmaxKB: 80, pmax: 0.3 } });
    const { hash, ports } = run(scenario, module);
    expect(hash).toBe(run(scenario, await examplePoint('ramp-ecn')).hash);
    expect(ports.reduce((sum, { marks }) => sum + marks, 0)).toBeGreaterThan(0);
  });

  it('can keep counters in static memory', async () => {
    const counting = handlerSource('roce_dequeue', `
      store<u32>(counts, load<u32>(counts) + 1);
      store<u32>(counts, load<u32>(counts, 4) + lenBytes, 4);
      const isDue = load<u32>(counts) % 4 == 0 && load<u32>(counts, 4) > load<u32>(limits);
      return isDue && load<u32>(record, ${POINT_PACKET}) & ${POINT_PACKET_MARKABLE} ? ${POINT_MARK} : 0;`);
    const bytes = await compilePoint(
      `const counts = memory.data(8);const limits = memory.data<u32>([5000, 7]);${counting}`,
    );
    let [count, total] = [0, 0];
    const inJs = atDequeue((_, packet) => {
      total += packet.lenBytes;
      if (++count % 4 === 0 && total > 5000 && packet.isMarkable) packet.mark();
    });
    expect(run(incast(), defineCongestionPoint({ name: NAME, module: bytes })).hash).toBe(run(incast(), inJs).hash);
  });

  it('reads its parameters, the time and the length of a packet', () => {
    const marks = ({ ports }: SimResult): number => ports.reduce((sum, port) => sum + port.marks, 0);
    const late = run(incast(), pointOf(-1));
    const early = runScenarioSync(incast({ congestionPoint: { preset: NAME, parameters: { fromPs: 0 } } }), {
      congestionPoints: [pointOf(-1)],
    });
    expect(marks(late)).toBeGreaterThan(0);
    expect(marks(early)).toBe(8 * Math.floor(200_000 / 1024));
    expect(marks(late)).toBeLessThan(marks(early));
  });

  it.each([
    ['traps', 0, 'has trapped: unreachable'],
    ['returns an invalid result', 1, 'the result of the handler'],
    ['writes past its state', 2, 'memory outside the packet record was overwritten'],
    ['does not return', 4, 'has exhausted its budget'],
    ['writes before the record', 3, 'memory outside the packet record was overwritten'],
  ])('that %s ends the run', (_, kind, text) => {
    const fault = faultOf(incast(), pointOf(kind));
    expect(fault).toMatchObject({ code: 'algorithm-fault', call: { congestionPoint: NAME, handler: 'dequeue' } });
    expect(fault.message).toContain(text);
  });

  it('is rejected if it exports a handler of an algorithm or is not valid WebAssembly', async () => {
    const other = await compilePoint(RAMP_SOURCE.replace('roce_dequeue', 'roce_ack'));
    const define = (module: Uint8Array) => () => defineCongestionPoint({ name: NAME, module });
    expect(define(other)).toThrow(/export roce_ack.*"roce_enqueue", "roce_dequeue"/s);
    expect(define(Uint8Array.of(1, 2))).toThrow(/module/);
  });
});
