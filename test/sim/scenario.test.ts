import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PRESET_SETS } from '../../src/sim/compile/parameter-sets.js';
import { compileScenario, SCENARIO_SCHEMA, validateScenario, type ScenarioSpec } from '../../src/sim/index.js';
import { DEFAULT_HOSTS } from '../../src/sim/scenario/defaults.js';

const EXAMPLES = new URL('../../examples/scenarios/', import.meta.url);

const base: ScenarioSpec = {
  name: 'test',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 5000 },
};
const compiled = (spec: Partial<ScenarioSpec>) => compileScenario(validateScenario({ ...base, ...spec }));
const planOf = (spec: Partial<ScenarioSpec>) => compiled(spec).plan;
const notesOf = (spec: Partial<ScenarioSpec>) => compiled(spec).notes;

describe('The schema', () => {
  it('is published as docs/scenario.schema.json (npm run docs renews it)', () => {
    const published: unknown = JSON.parse(
      readFileSync(new URL('../../docs/scenario.schema.json', import.meta.url), 'utf8'),
    );
    expect(published).toEqual(JSON.parse(JSON.stringify(SCENARIO_SCHEMA)));
  });

  it('describes every key', () => {
    const silent: string[] = [];
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { properties, description } = schema as { properties?: Record<string, object>; description?: string };
      if (path.endsWith('.properties') && description !== undefined) return;
      // Parameters by preset: their types describe them.
      if (path.endsWith('.allOf')) return;
      for (const [key, property] of Object.entries(properties ?? {})) {
        if (key !== 'kind' && !('description' in property)) silent.push(`${path}.${key}`);
      }
      for (const [key, child] of Object.entries(schema)) walk(child, `${path}.${key}`);
    };
    walk(SCENARIO_SCHEMA, '');
    expect(silent).toEqual([]);
  });
});

describe('The schema of algorithms', () => {
  const { preset, set } = algorithmSchema().properties;

  it('has every preset, every parameter set, and the parameters of each preset', () => {
    expect(preset!.anyOf![0]!.enum).toEqual(Object.keys(PRESET_SETS));
    expect(set!.enum).toEqual(Object.values(PRESET_SETS).flat());
    expect(algorithmSchema().allOf.flatMap((one) => one.if.properties.preset.enum).sort())
      .toEqual(Object.keys(PRESET_SETS).sort());
  });

  it.each(Object.keys(PRESET_SETS).filter((name) => name !== 'rccc-uet'))('allows the specific parameters of %s',
    (name) => {
      const { parameterSets: [own] } = planOf({ algorithms: { a: { preset: name } } });
      const { properties } = algorithmSchema().allOf
        .find((one) => one.if.properties.preset.enum.includes(name))!.then.properties.parameters;
      expect(Object.keys(properties).length).toBeGreaterThan(5);
      const wrong = Object.entries(own!).filter(([key, value]) =>
        key in properties && !allows(properties[key]!, value)
      );
      expect(wrong).toEqual([]);
    });
});

interface ParameterSchema {
  readonly type?: 'number' | 'integer';
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly ParameterSchema[];
}

function algorithmSchema() {
  const { algorithms } = SCENARIO_SCHEMA['properties'] as Record<string, { additionalProperties: unknown }>;
  return algorithms!.additionalProperties as {
    readonly properties: Record<string, ParameterSchema>;
    readonly allOf: readonly {
      readonly if: { properties: { preset: { enum: string[] } } };
      readonly then: { properties: { parameters: { properties: Record<string, ParameterSchema> } } };
    }[];
  };
}

function allows({ type, enum: values, minimum = -Infinity, maximum = Infinity, anyOf }: ParameterSchema,
  value: unknown): boolean {
  if (anyOf !== undefined) return anyOf.some((one) => allows(one, value));
  if (values !== undefined) return values.includes(value);
  return typeof value === 'number' && value >= minimum && value <= maximum && (type === 'number' || value % 1 === 0);
}

describe('The examples', () => {
  it.each(readdirSync(EXAMPLES))('compile, and refer to an existing schema: %s', (file) => {
    const spec = JSON.parse(readFileSync(new URL(file, EXAMPLES), 'utf8')) as ScenarioSpec;
    expect(JSON.parse(readFileSync(new URL(spec.$schema!, new URL(file, EXAMPLES)), 'utf8'))).toHaveProperty('$id');
    const valid = validateScenario(spec);
    if (valid.uet !== null) return;
    const { plan, notes } = compileScenario(valid);
    expect(plan.flows.length).toBeGreaterThan(0);
    expect(
      notes.filter((note) =>
        note.includes('without effect') || note.includes('no switch') || note.includes('no algorithm')
      ),
    ).toEqual([]);
  });
});

describe('Defaults', () => {
  it('complete a scenario of three keys', () => {
    const valid = validateScenario(base);
    expect(valid).toMatchObject({
      fidelity: 'standard',
      seed: 1,
      endPs: 1e12,
      markAt: 'dequeue',
      algorithms: [{ name: 'default', preset: 'dcqcn-sigcomm15' }],
    });
    // docs/reference/settings.md shows the defaults of all settings; a change of one is a change of that page.
    expect(valid.hosts).toEqual({ ...DEFAULT_HOSTS.standard, acceptFastCnp: false, service: 'round-robin' });
    expect(valid.hosts).toMatchObject({
      mtuBytes: 1024,
      cnpIntervalUs: 50,
      notificationPoint: true,
      acceptFastCnp: false,
      retransmitTimeoutUs: 500,
      pathSelection: 'flow',
      transport: 'go-back-n',
      retryCount: null,
    });
    expect(valid.switches[3]).toMatchObject({
      pfc: true,
      fastCnp: false,
      ecn: { kminKB: 100, kmaxKB: 400, pmax: 0.2 },
    });
    expect(valid.switches.slice(0, 3)).toEqual([null, null, null]);
  });

  it('end the run 1 s after the last start, unless a duration is given', () => {
    expect(planOf({ workload: { kind: 'incast', senders: 2, sizeBytes: 1, startUs: 10, staggerUs: 5 } }).endPs).toBe(
      1e12 + 15e6,
    );
    expect(planOf({ durationUs: 7.5 }).endPs).toBe(7_500_000);
  });

  it('scale thresholds with the rate of the port, unless disabled', () => {
    const dumbbell: ScenarioSpec['topology'] = { kind: 'dumbbell', left: 1, right: 1, bottleneck: { rateGbps: 400 } };
    const thresholds = (scaleWithRate: boolean) =>
      planOf({
        topology: dumbbell,
        workload: { kind: 'incast', senders: 1, sizeBytes: 1 },
        switches: { ecn: { scaleWithRate } },
      }).ports.map(({ ecn, kminBytes, kmaxBytes }) => [ecn, kminBytes, kmaxBytes]);
    expect(thresholds(true)).toEqual([
      [false, 0, 0],
      [false, 0, 0],
      [true, 1e5, 4e5],
      [true, 4e5, 16e5],
      [true, 1e5, 4e5],
      [true, 4e5, 16e5],
    ]);
    expect(thresholds(false).slice(2)).toEqual(Array.from({ length: 4 }, () => [true, 1e5, 4e5]));
  });

  it('give faster ports a pause threshold that is a larger share of the free memory', () => {
    const { ports } = planOf({
      topology: { kind: 'dumbbell', left: 1, right: 1, bottleneck: { rateGbps: 400 } },
      workload: { kind: 'incast', senders: 1, sizeBytes: 1 },
    });
    expect(ports.map(({ thresholdShift }) => thresholdShift)).toEqual([0, 0, 3, 1, 3, 1]);
  });

  it('give a headroom of three link delays under reference, plus packets in transmission under standard', () => {
    const headroom = (fidelity: 'standard' | 'reference') => planOf({ fidelity }).ports[3].headroomBytes;
    expect(headroom('reference')).toBe(37_500);
    expect(headroom('standard')).toBe(37_500 + 3 * (1024 + 82) + 8 * 64);
    expect(planOf({ switches: { headroomBytes: 5 } }).ports[3].headroomBytes).toBe(5);
    expect(planOf({ switches: { pfc: false } }).ports[3].headroomBytes).toBe(0);
  });

  it('are overridden at single switches, where later overrides win', () => {
    const { nodes, ports } = planOf({
      topology: { kind: 'dumbbell', left: 1, right: 1 },
      workload: { kind: 'incast', senders: 1, sizeBytes: 1 },
      switches: { ecn: { kminKB: 10, kmaxKB: 20 }, bufferBytes: 1e6 },
      overrides: [{ nodes: ['s0', 's1'], switch: { pfc: false } }, {
        nodes: ['s1'],
        switch: { ecn: { enabled: false }, bufferBytes: 2e6, fastCnp: { enabled: true } },
      }],
    });
    expect(nodes.slice(2)).toMatchObject([{ bufferBytes: 1e6, pfc: false, fastCnp: false }, {
      bufferBytes: 2e6,
      pfc: false,
      fastCnp: true,
    }]);
    expect([ports[2], ports[4]]).toMatchObject([{ ecn: true, kminBytes: 10_000 }, { ecn: false, kminBytes: 10_000 }]);
  });
});

describe('Packets', () => {
  it('of standard fidelity have the lengths of their headers', () => {
    const { rules, flows } = planOf({ switches: { fastCnp: { enabled: true } } });
    // Ethernet 14 + 4, IPv6 40, UDP 8, BTH 12, ICRC 4; AETH 4; 16 reserved; a Destination Options header of 24.
    expect(flows.get(0)).toMatchObject({ headerBytes: 82, ackBytes: 86 });
    expect(rules).toMatchObject({ cnpBytes: 98, fastCnpBytes: 122, pauseFrameBytes: 64, wireOverheadBytes: 20 });
  });

  it('have space for the trace of the longest path if telemetry is read', () => {
    const hpcc = { algorithms: { a: { preset: 'hpcc-sigcomm19' } } };
    expect(planOf(hpcc).flows.get(0)).toMatchObject({ headerBytes: 82 + 48, ackBytes: 86 + 48 });
    const far = planOf({
      ...hpcc,
      topology: { kind: 'fat-tree', k: 4 },
      switches: { fastCnp: { enabled: true, option: 2 } },
    });
    expect(far.flows.get(0).headerBytes).toBe(82 + 176);
    // A Destination Options header with a trace of 8 + 5 * 32 bytes and an address.
    expect(far.rules).toMatchObject({ telemetry: 'exact', fastCnpBytes: 98 + 192 });
  });

  it.each([['dcqcn-ns3', 48, 60], ['hpcc-ns3', 90, 88], ['timely-ns3', 56, 60], ['hpcc-pint-ns3', 50, 60]])(
    'of reference fidelity have, under %s, %i and %i bytes',
    (preset, headerBytes, ackBytes) => {
      expect(planOf({ fidelity: 'reference', algorithms: { a: { preset } } }).flows.get(0)).toMatchObject({
        headerBytes,
        ackBytes,
      });
    },
  );
});

describe('Windows', () => {
  it('default to those of the algorithm', () => {
    const windowOf = (algorithm: NonNullable<ScenarioSpec['algorithms']>[string]) => {
      const [{ windowBytes, windowMode }] = planOf({ fidelity: 'reference', algorithms: { a: algorithm } }).flows;
      return [windowMode, windowBytes];
    };
    expect(windowOf({ preset: 'dcqcn-ns3' })).toEqual(['none', 0]);
    expect(windowOf({ preset: 'dcqcn-ns3', window: 'variable' })).toEqual(['variable', 52_000]);
    expect(windowOf({ preset: 'hpcc-ns3' })).toEqual(['variable', 52_000]);
    expect(windowOf({ preset: 'hpcc-ns3', window: 'none' })).toEqual(['none', 0]);
    expect(windowOf({ preset: 'hpcc-ns3', parameters: { windowBytes: 7777 } })).toEqual(['variable', 7777]);
  });

  it('every preset compiles with the MTU of the hosts', () => {
    for (
      const preset of [
        'dcqcn-sigcomm15',
        'dcqcn-ns3',
        'dcqcn-connectx',
        'dcqcn-irdma',
        'hpcc-sigcomm19',
        'hpcc-ns3',
        'hpcc-pint-ns3',
        'timely-ns3',
        'timely-sigcomm15',
        'dctcp-ns3',
        'swift-sigcomm20',
        'nscc-uet',
        'nscc-mrc',
      ]
    ) {
      const { parameterSets } = planOf({ hosts: { mtuBytes: 2048 }, algorithms: { a: { preset } } });
      expect(parameterSets).toHaveLength(1);
      if ('packetBytes' in parameterSets[0]) expect(parameterSets[0].packetBytes).toBe(2048);
      if ('sequencePerPacket' in parameterSets[0]) expect(parameterSets[0].sequencePerPacket).toBe(2048);
    }
  });
});

describe('Ideal completion times', () => {
  it('of one packet over one switch consist of two transmissions, two delays and an ACK', () => {
    const [{ idealPs }] = planOf({ workload: { kind: 'incast', senders: 1, sizeBytes: 1000 } }).flows;
    // 1000 + 82 + 20 bytes take 88.16 ns at 100 Gb/s, 86 + 20 take 8.48 ns.
    expect(idealPs).toBe(2 * 88_160 + 4 * 1_000_000 + 2 * 8_480);
  });

  it('of many packets are limited by the slowest link', () => {
    const [{ idealPs }] = planOf({
      topology: { kind: 'dumbbell', left: 1, right: 1, bottleneck: { rateGbps: 10 } },
      workload: { kind: 'incast', senders: 1, sizeBytes: 10 * 1024 + 24 },
    }).flows;
    // Ten full packets of 1126 bytes: 90.08 ns at 100 Gb/s, 900.8 ns at 10; the last one 126: 100.8 ns and 10.08 ns; ACK 84.8 and 8.48.
    // The last packet is received 100.8 - (90.08 - 10.08) ns behind the tenth, whose ACK holds the slow link for 84.8 ns.
    const waitPs = 84_800 - (100_800 - (90_080 - 10_080));
    expect(idealPs).toBe(90_080 + 10 * 900_800 + 100_800 + 10_080 + 6_000_000 + waitPs + 84_800 + 2 * 8_480);
  });
});

describe('Faults', () => {
  it('become losses at both ends of a link, and events in order of time', () => {
    const { ports, linkEvents } = planOf({
      faults: [
        { kind: 'link-down', between: ['h1', 's0'], fromUs: 5, toUs: 9 },
        { kind: 'link-down', between: ['s0', 'h0'], fromUs: 6, toUs: 7 },
        { kind: 'loss', between: ['h0', 's0'], share: 0.5, of: 'acks' },
        { kind: 'loss', between: ['h0', 's0'], share: 0.5 },
        { kind: 'corruption', between: ['s0', 'h0'], share: 0.1 },
      ],
    });
    for (const port of [0, 3]) {
      expect(ports[port]).toMatchObject({ dataLoss: 0.5, ackLoss: 0.75, cnpLoss: 0.5, corruption: 0.1 });
    }
    expect(ports[1]).toMatchObject({ dataLoss: 0, ackLoss: 0, corruption: 0 });
    expect(linkEvents).toEqual([
      { timePs: 5e6, port: 1, up: false },
      { timePs: 6e6, port: 0, up: false },
      { timePs: 7e6, port: 0, up: true },
      { timePs: 9e6, port: 1, up: true },
    ]);
  });
});

describe('Notes name settings without effect', () => {
  const timely = { algorithms: { t: { preset: 'timely-ns3' } } };
  it.each<[string, Partial<ScenarioSpec>, RegExp]>([
    [
      'Fast CNPs accepted, none sent',
      { hosts: { acceptFastCnp: true } },
      /^Fast CNP is enabled, but no switch generates it\.$/,
    ],
    [
      'Fast CNPs sent, none accepted',
      { switches: { fastCnp: { enabled: true } }, hosts: { acceptFastCnp: false } },
      /hosts do not accept them/,
    ],
    [
      'Fast CNPs under reference',
      { fidelity: 'reference', switches: { fastCnp: { enabled: true } } },
      /fidelity reference has none/,
    ],
    [
      'Fast CNPs that no algorithm reads',
      { ...timely, switches: { fastCnp: { enabled: true } } },
      /no algorithm in use \(timely\) reacts to them/,
    ],
    [
      'telemetry that no algorithm reads',
      { switches: { fastCnp: { enabled: true, option: 2 } } },
      /carry telemetry \(option 2\)/,
    ],
    ['limits of Fast CNPs that are off', { switches: { fastCnp: { flowBurst: 3 } } }, /not enabled at any switch/],
    ['headroom without PFC', { switches: { pfc: false, headroomBytes: 5 } }, /PFC is off, and headroomBytes is given/],
    [
      'marks that no algorithm reads',
      { ...timely, switches: { ecn: { kminKB: 5 } } },
      /no algorithm in use \(timely\) reacts to marks/,
    ],
    ['thresholds without ECN', { switches: { ecn: { enabled: false, kminKB: 5 } } }, /its thresholds are given/],
    ['two kinds of thresholds', {
      switches: { ecn: { kminKB: 5, byRate: [{ rateGbps: 100, kminKB: 5, kmaxKB: 9, pmax: 1 }] } },
    }, /byRate takes the place of kminKB/],
    ['DCQCN without marks', { switches: { ecn: { enabled: false } } }, /keep the line rate/],
    [
      'CNPs under reference',
      { fidelity: 'reference', hosts: { cnpIntervalUs: 4 } },
      /hosts.cnpIntervalUs is without effect under fidelity reference/,
    ],
    [
      'CNPs that no algorithm reads',
      { ...timely, hosts: { cnpDelayUs: 4 } },
      /hosts.cnpDelayUs is without effect: no algorithm/,
    ],
    [
      'an algorithm that no flow uses',
      { algorithms: { a: { preset: 'dcqcn-ns3' }, b: { preset: 'dcqcn-ns3' } } },
      /^Algorithm b is not used by any flow\.$/,
    ],
    [
      'a window of Swift',
      { algorithms: { a: { preset: 'swift-sigcomm20', window: 'fixed' } } },
      /Swift controls its own/,
    ],
    [
      'an idle parameter',
      { algorithms: { a: { preset: 'dcqcn-sigcomm15', parameters: { cutPeriodPs: 1e6 } } } },
      /^Algorithm a: cutPeriodPs: without effect/,
    ],
    [
      'a flow after the end',
      { durationUs: 1, workload: { kind: 'incast', senders: 2, sizeBytes: 1, staggerUs: 1 } },
      /^Flow 1 starts at or after the end/,
    ],
    [
      'data in the class of CNPs',
      { workload: { kind: 'incast', senders: 2, sizeBytes: 1, trafficClass: 6 } },
      /shares class 6 with CNPs/,
    ],
    ['lost CNPs under reference', {
      fidelity: 'reference',
      faults: [{ kind: 'loss', between: ['h0', 's0'], share: 0.1, of: 'cnps' }],
    }, /loses CNPs/],
    [
      'an approximate distribution',
      { workload: { kind: 'poisson', load: 0.5, sizes: 'AliStorage-roce-cc', flows: 3 } },
      /AliStorage-roce-cc are this project's own/,
    ],
    [
      'memory that was added',
      { topology: { kind: 'star', hosts: 3, delayNs: 1e6 } },
      /memory was added at s0: up to \d/,
    ],
  ])('%s', (_, spec, note) => {
    const notes = notesOf(spec);
    expect(notes.filter((text) => note.test(text))).toHaveLength(1);
  });

  it('and omit defaults', () => {
    expect(notesOf({})).toEqual([]);
    expect(notesOf(timely)).toEqual([]);
    expect(notesOf({ fidelity: 'reference' })).toEqual([]);
  });
});
