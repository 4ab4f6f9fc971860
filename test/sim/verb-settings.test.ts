/** Settings of verbs: where they hold, what they reject, and how captures show them. */
import { describe, expect, it } from 'vitest';
import { compileScenario, runScenarioSync, validateScenario, type FlowSpec,
  type ScenarioSpec } from '../../src/sim/index.js';
import { layersOf } from '../../src/sim/files/capture-frames.js';
import { PortCapture } from '../../src/sim/files/capture.js';
import { VERB_READ, VERB_SEND, VERB_WRITE } from '../../src/sim/features/verbs/compile.js';
import { captureContext, packet, REQUEST_BYTES } from '../support/sim-capture.js';

const BASE: ScenarioSpec = {
  name: 'verbs',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 5000 },
};
const ofFlow = (flow: Partial<FlowSpec>, others: Partial<ScenarioSpec> = {}): ScenarioSpec => ({
  ...BASE,
  workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 5000, ...flow }] },
  ...others,
});
const planOf = (spec: ScenarioSpec) => compileScenario(validateScenario(spec)).plan;
const rejection = (spec: ScenarioSpec) => () => planOf(spec);

describe('The operation of a flow', () => {
  it('is write by default, with the same plan and the same result except for the scenario', () => {
    const stated: ScenarioSpec = { ...BASE, workload: { ...(BASE.workload as object), operation: 'write' } as never };
    expect(planOf(stated)).toEqual(planOf(BASE));
    expect(planOf(BASE).verbs).toBeUndefined();
  });

  it('takes as long as a write if it is a send to a ready receiver', () => {
    const [write, send] = [ofFlow({}), ofFlow({ operation: 'send' })].map((spec) => runScenarioSync(spec));
    expect(send.flows).toEqual(write.flows);
    expect(send.totals).toEqual(write.totals);
  });

  it.each([
    { kind: 'incast', senders: 2, sizeBytes: 5000 },
    { kind: 'permutation', sizeBytes: 5000 },
    { kind: 'all-to-all', sizeBytes: 5000 },
    { kind: 'poisson', load: 0.1, sizes: 'WebSearch', flows: 3 },
  ] as const)('applies to all flows of a workload: $kind', (workload) => {
    const { verbs, flows } = planOf({ ...BASE, workload: { ...workload, operation: 'read' } });
    expect([...verbs?.of ?? []]).toEqual(Array.from(flows, () => VERB_READ));
  });

  it('of a single flow replaces that of its list', () => {
    const flow = { from: 'h0', to: 'h1', sizeBytes: 1 } as const;
    const workload: ScenarioSpec['workload'] = {
      kind: 'flows',
      operation: 'send',
      receiverReadyUs: 3,
      flows: [flow, { ...flow, operation: 'read' }, { ...flow, operation: 'write' }, { ...flow, receiverReadyUs: 4 }],
    };
    const { verbs } = planOf({ ...BASE, workload });
    expect([...verbs?.of ?? []]).toEqual([VERB_SEND, VERB_READ, VERB_WRITE, VERB_SEND]);
    expect([...verbs?.readyPs ?? []]).toEqual([3e6, 0, 0, 4e6]);
  });

  it('read is rejected with algorithms that need ACKs, with windows and with other transports', () => {
    const read = { operation: 'read' } as const;
    expect(rejection(ofFlow(read, { algorithms: { a: { preset: 'hpcc-sigcomm19' } } }))).toThrow(
      /operation read needs an algorithm that works without ACKs, .* \(flow is 0 and algorithm "hpcc"\)/,
    );
    expect(rejection(ofFlow(read, { algorithms: { a: { preset: 'dcqcn-sigcomm15', window: 'fixed' } } }))).toThrow(
      /operation read has no window, as READ responses are not acknowledged/,
    );
    for (const transport of ['selective-repeat', 'irn'] as const) {
      expect(rejection(ofFlow({ ...read, transport }))).toThrow(/operation read needs transport go-back-n/);
      expect(rejection(ofFlow({ operation: 'send', receiverReadyUs: 3, transport })))
        .toThrow(/receiverReadyUs needs transport go-back-n/);
      expect(rejection(ofFlow({ operation: 'send', transport }))).not.toThrow();
    }
  });
});

describe('receiverReadyUs', () => {
  it('is rejected for operations other than send', () => {
    for (const operation of ['write', 'read'] as const) {
      expect(rejection(ofFlow({ operation, receiverReadyUs: 1 }))).toThrow(
        `receiverReadyUs is a setting of operation send, and the operation is ${operation} (got 1)`,
      );
    }
    expect(rejection(ofFlow({ receiverReadyUs: 1 }))).toThrow(/the operation is write/);
  });
});

describe('Verbs under other fidelities', () => {
  it.each(['reference', 'reference-lossy'] as const)('are rejected under %s', (fidelity) => {
    const others = { fidelity, algorithms: { a: { preset: 'dcqcn-ns3' } } };
    const problem = (where: string) => `${where} is a setting of fidelity standard, and the fidelity is ${fidelity}`;
    expect(rejection(ofFlow({ operation: 'write' }, others))).toThrow(problem('workload.flows[0].operation'));
    expect(rejection({ ...BASE, ...others, workload: { ...(BASE.workload as object), operation: 'read' } as never }))
      .toThrow(problem('workload.operation'));
    for (const key of ['rnrTimerCode', 'rnrRetryCount']) {
      expect(rejection({ ...BASE, ...others, hosts: { [key]: 3 } })).toThrow(problem(`hosts.${key}`));
      const overrides = [{ nodes: ['h0'], host: { [key]: 3 } }];
      expect(rejection({ ...BASE, ...others, overrides })).toThrow(problem(`overrides[0].host.${key}`));
    }
  });
});

describe('RNR settings', () => {
  it('are those of the hosts: timers of receivers and retries of senders, where 7 means unlimited', () => {
    const { verbs } = planOf(ofFlow({ operation: 'send' }, {
      hosts: { rnrTimerCode: 13 },
      overrides: [{ nodes: ['h1'], host: { rnrTimerCode: 0, rnrRetryCount: 0 } }],
    }));
    expect(verbs).toMatchObject({
      rnrTimerPs: [960e6, 655_360e6, 960e6, 960e6],
      rnrRetryCount: [null, 0, null, null],
      readRequestBytes: REQUEST_BYTES,
    });
  });

  it('default to those of NCCL: code 12, 640 us, and unlimited retries', () => {
    expect(planOf(ofFlow({ operation: 'send' })).verbs).toMatchObject({
      rnrTimerCode: [12, 12, 12, 12],
      rnrTimerPs: [640e6, 640e6, 640e6, 640e6],
      rnrRetryCount: [null, null, null, null],
    });
  });
});

describe('A capture', () => {
  const node = [0, 0, 0];
  const verbs = {
    of: Uint8Array.of(VERB_READ),
    readyPs: new Float64Array(1),
    rnrTimerCode: [0, 14, 0],
    rnrTimerPs: node,
    rnrRetryCount: node,
    readRequestBytes: REQUEST_BYTES,
  };
  const bthAfter = (context: ReturnType<typeof captureContext>, record: ReturnType<typeof packet>) => {
    const layers = layersOf(context, record);
    const bth = layers.find(({ kind }) => kind === 'bth') as unknown as { value: { opcode: number; psn: number } };
    return { opcode: bth.value.opcode, psn: bth.value.psn, kinds: layers.map(({ kind }) => kind) };
  };

  it('has the request and the responses of a READ, with AETHs in all but the middle ones', () => {
    const context = captureContext({ verbs });
    const request = bthAfter(context, packet('read-request', { port: 1, sequence: 1024 }));
    expect(request).toMatchObject({ opcode: 0x0c, psn: 1 });
    expect(request.kinds).toContain('reth');
    const responses = [0, 1024, 2048].map((sequence) => bthAfter(context, packet('data', { sequence })));
    expect(responses.map(({ opcode }) => opcode)).toEqual([0x0d, 0x0e, 0x0f]);
    expect(responses.map(({ kinds }) => kinds.includes('aeth'))).toEqual([true, false, true]);
  });

  it('has the timer code of the receiver in RNR NAKs', () => {
    const layers = layersOf(captureContext({ verbs }), packet('rnr-nak', { port: 1 }));
    expect(layers.find(({ kind }) => kind === 'aeth')).toMatchObject({ value: { syndrome: 0x20 | 14 } });
  });

  it('has the same frames from templates as layer by layer', () => {
    const records = [
      packet('read-request', { timePs: 0, port: 1 }),
      packet('data', { timePs: 1, sequence: 0 }),
      packet('data', { timePs: 2, sequence: 1024 }),
      packet('data', { timePs: 3, sequence: 2048, payloadBytes: 101, lenBytes: 183 }),
      packet('read-request', { timePs: 4, port: 1, sequence: 1024 }),
      packet('data', { timePs: 5, sequence: 1024 }),
      packet('data', { timePs: 6, sequence: 0 }),
    ];
    const together = new PortCapture(captureContext({ verbs }));
    for (const record of records) together.add(record);
    const single = records.map((record) => {
      const one = new PortCapture(captureContext({ verbs }));
      one.add(record);
      return one.finish().subarray(24 + 16);
    });
    const whole = together.finish();
    let at = 24;
    for (const frame of single) {
      expect(whole.subarray(at + 16, at + 16 + frame.length)).toEqual(frame);
      at += 16 + frame.length;
    }
  });
});
