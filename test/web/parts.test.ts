import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileScenario, explainResult, runScenarioSync, SCENARIO_SCHEMA,
  validateScenario } from '../../src/sim/index.js';
import { changeOf, dataOf, inGroups, type Line } from '../../src/view/charts/chart-data.js';
import { placeOf, placeOfSyntaxError } from '../../web/page/experiment/json-place.js';
import { syntaxErrorAt } from '../../web/page/experiment/json-syntax.js';
import { kindsOf, withKind } from '../../web/page/experiment/kinds.js';
import { fieldSpec, placesIn, type Schema } from '../../web/page/experiment/schema-fields.js';
import { differences, withValue, type Json } from '../../web/page/experiment/scenario-edit.js';
import { sliderScale } from '../../web/page/experiment/slider.js';
import { layOut } from '../../src/view/network/scene.js';
import { docsUrl } from '../../web/page/experiment/docs-links.js';
import { History } from '../../web/page/history.js';
import { explained } from '../../web/page/experiment/rejection-words.js';
import { RunData } from '../../web/page/run-data.js';
import { linkOf, readLink } from '../../web/page/share/link.js';
import { namePlaces, queueLevels } from '../../src/view/charts/thresholds.js';
import { bytesText, timeText, wordsOfKey } from '../../src/view/format.js';
import { COUNTERS, type ScenarioFacts } from '../../web/protocol/run-protocol.js';
import { answersOf } from '../../web/worker/answers.js';
import { deviatingSwitches } from '../../web/worker/deviating-switches.js';
import { rejectionOf } from '../../web/worker/rejection.js';
import { compileText, scenarioFacts } from '../../web/worker/scenario-facts.js';
import { WireRates } from '../../web/worker/qp-rates.js';

const leafSpine = (overrides: unknown[] = []) =>
  compileScenario(validateScenario({
    name: 'two leaves',
    topology: { kind: 'leaf-spine', leaves: 2, spines: 1, hostsPerLeaf: 2 },
    workload: { kind: 'permutation', sizeBytes: 1000 },
    overrides,
  }));

describe('The position in a JSON text', () => {
  const text = '{\n  "a": [1, { "key \\" }": 2 }],\n  "b": { "c": "x, y" }\n}';

  it('of a setting is that of its key and value, or of the nearest ancestor', () => {
    const at = (where: string) => {
      const place = placeOf(text, where);
      return place && [text.slice(place.from, place.to), place.line];
    };
    expect(at('b.c')).toEqual(['"c": "x, y"', 3]);
    expect(at('a[0]')).toEqual(['1', 2]);
    expect(at('a[1]')).toEqual(['{ "key \\" }": 2 }', 2]);
    expect(at('b.missing')).toEqual(['"b": { "c": "x, y" }', 3]);
    expect(at('missing')).toBeUndefined();
    expect(placeOf('{', 'a')).toBeUndefined();
  });

  it('of invalid JSON is that of the first invalid character', () => {
    expect(placeOfSyntaxError('{\n"a": x\n}')).toEqual({ from: 7, to: 8, line: 2 });
    expect(placeOfSyntaxError('{\n"a": [1,')).toEqual({ from: 10, to: 10, line: 2 });
    expect(placeOfSyntaxError(text)).toBeUndefined();
  });

  it.each([
    ['', 0],
    ['{', 1],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['{a:1}', 1],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['[1}', 2],
    ['[01]', 2],
    ['[1.]', 2],
    ['[-]', 1],
    ['["a\nb"]', 3],
    ['["\\x"]', 2],
    ['["\\u12"]', 2],
    ['{"a', 3],
    ['1 1', 2],
    ['tru', 0],
    ['nullx', 4],
    ["{'a':1}", 1],
    ['\u00a01', 0],
  ])('is rejected at the right offset: %j from %i on', (wrong, at) => {
    expect(syntaxErrorAt(wrong)).toBe(at);
    expect(() => void JSON.parse(wrong)).toThrow(SyntaxError);
  });

  it('is invalid exactly where JSON.parse fails', () => {
    const isJson = (one: string): boolean => {
      try {
        JSON.parse(one);
        return true;
      } catch {
        return false;
      }
    };
    const damaged = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...Array.from('{}[],:"\\ 01-.eEtu\n\u0001'), ''))
      .map(([one, place, other]) => {
        const at = place % (one.length + 1);
        return one.slice(0, at) + other + one.slice(at + 1);
      });
    fc.assert(fc.property(fc.oneof(fc.json(), damaged), (one) => {
      const at = syntaxErrorAt(one);
      expect(at === undefined).toBe(isJson(one));
      // The text before the error can be continued to valid JSON, so a text truncated there is invalid at its end.
      if (at !== undefined) expect(syntaxErrorAt(one.slice(0, at)) ?? at).toBe(at);
    }), { numRuns: 2000 });
    expect(syntaxErrorAt('['.repeat(1e6))).toBe(1e6);
  });
});

describe('A rejected scenario', () => {
  const base = {
    name: 'x',
    topology: { kind: 'star', hosts: 5 },
    workload: { kind: 'incast', senders: 4, sizeBytes: 1000 },
  };
  const said = (scenario: Json): string[] => {
    const text = JSON.stringify(scenario);
    try {
      compileText(text);
    } catch (error) {
      const { message, where } = explained(rejectionOf(error), text);
      return [message, where];
    }
    return [];
  };

  it('is explained in the terms and units of the form', () => {
    expect(said({ ...base, switches: { ecn: { kminKB: 1600, kmaxKB: 400 } } }))
      .toEqual(['Kmin (1,600 kB) exceeds Kmax (400 kB).', 'switches.ecn.kminKB']);
    const parameters = { minRateBps: 2e12 };
    expect(said({ ...base, algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15', parameters } } })[0])
      .toBe('Min rate (2,000,000 Mb/s) exceeds Max rate (100,000 Mb/s).');
    expect(said({ ...base, workload: { ...base.workload, senders: 1.5 } })[0]).toContain('a whole number');
  });

  it('names the misspelt key, at its position', () => {
    expect(said({ ...base, workload: { kind: 'incast', sendrs: 4, sizeBytes: 1000 } }))
      .toEqual(['"sendrs" is not a known key: did you mean "senders"?', 'workload.sendrs']);
    expect(said({ ...base, topology: { kind: 'star', hosts: 5, rateGbs: 100 } }))
      .toEqual(['"rateGbs" is not a known key: did you mean "rateGbps"?', 'topology.rateGbs']);
    expect(said({ ...base, switches: { farbe: 1 } })[0]).toContain('allowed:');
    expect(said({ ...base, workload: { kind: 'incast', sizeBytes: 1000 } })[0]).toContain('senders is missing');
  });
});

describe('A changed scenario', () => {
  it('keeps the order of its keys, and drops empty objects', () => {
    const scenario = { name: 'x', switches: { ecn: { kminKB: 1 } }, workload: [{ kind: 'incast' }] };
    expect(JSON.stringify(withValue(scenario, ['switches', 'ecn', 'kminKB'], 2)))
      .toBe('{"name":"x","switches":{"ecn":{"kminKB":2}},"workload":[{"kind":"incast"}]}');
    expect(withValue(scenario, ['switches', 'ecn', 'kminKB'], undefined)).not.toHaveProperty('switches');
    expect(withValue(scenario, ['workload', 0, 'senders'], 3)).toMatchObject({
      workload: [{ kind: 'incast', senders: 3 }],
    });
    expect(scenario.switches.ecn.kminKB).toBe(1);
  });

  it('differs from another by paths, regardless of its name', () => {
    const found = differences({ name: 'a', switches: { pfc: true }, seed: 1 }, {
      name: 'b',
      hosts: { mtuBytes: 256 },
      seed: 2,
    });
    expect(found).toEqual([
      { path: 'switches.pfc', a: true, b: undefined },
      { path: 'seed', a: 1, b: 2 },
      { path: 'hosts.mtuBytes', a: undefined, b: 256 },
    ]);
  });
});

describe('A change of kind', () => {
  const schema = SCENARIO_SCHEMA as Schema;
  const topologies = kindsOf('topology', '');
  const workloads = kindsOf('workload', '');

  it.each(topologies)('gives a scenario that runs with each kind of workload: %s', (topology) => {
    for (const workload of workloads) {
      const made = {
        name: 'made',
        topology: withKind(schema.properties!['topology'], 'topology', { kind: 'star', hosts: 17 }, topology),
        workload: withKind(schema.properties!['workload'], 'workload', undefined, workload),
      };
      expect(() => compileScenario(validateScenario(made))).not.toThrow();
    }
  });

  it('keeps settings with the same meaning in both kinds', () => {
    const before = { kind: 'incast', senders: 4, to: 'h3', sizeBytes: 777, startUs: 5 };
    expect(withKind(schema.properties!['workload'], 'workload', before, 'permutation'))
      .toEqual({ kind: 'permutation', sizeBytes: 777, startUs: 5 });
    expect(withKind(schema.properties!['topology'], 'topology', { kind: 'star', hosts: 3, rateGbps: 400 }, 'fat-tree'))
      .toEqual({ kind: 'fat-tree', k: 4, rateGbps: 400 });
    expect(kindsOf('topology', 'edges')).toEqual([...topologies, 'edges']);
  });
});

describe('A field', () => {
  const { properties = {} } = SCENARIO_SCHEMA as Schema;
  const places = [
    ...placesIn(properties['switches']!, ['switches'], ['watchdog', 'ecn']),
    ...placesIn(properties['hosts']!, ['hosts'], ['irn']),
  ];
  const shown = (path: string, scenario: Json) =>
    fieldSpec(places.find((place) => place.path.join('.') === path)!, scenario).fallback;

  it('shows the default for the fidelity and the network of the scenario', () => {
    expect(shown('switches.bufferBytes', {})).toBe(32 * 2 ** 20);
    expect(shown('hosts.backToZeroBytes', {})).toBe(0);
    expect(
      [undefined, 'reference', 'reference-lossy'].map((fidelity) => shown('hosts.mtuBytes', { fidelity: fidelity! })),
    )
      .toEqual([1024, 1000, 1000]);
    expect(shown('hosts.cnpIntervalUs', { fidelity: 'reference' })).toBe(0);
    expect(shown('hosts.retransmitTimeoutUs', {})).toBeUndefined();
    expect(shown('hosts.retransmitTimeoutUs', { fidelity: 'reference-lossy' })).toBe(4000);
    expect(shown('switches.pfc', { network: 'lossy-1' })).toBe(false);
    expect(shown('hosts.transport', { network: 'lossy-1' })).toBe('selective-repeat');
  });

  it('of an absent section shows no default, and shows the section as off', () => {
    const watchdog = (scenario: Json) =>
      ['enabled', 'detectionUs', 'action'].map((key) => shown(`switches.watchdog.${key}`, scenario));
    expect(watchdog({})).toEqual([false, undefined, undefined]);
    expect(watchdog({ switches: { watchdog: { enabled: true } } })).toEqual([true, 200_000, 'drop']);
  });

  it('has its default in its hint', () => {
    const hint = (path: string) => fieldSpec(places.find((place) => place.path.join('.') === path)!, {}).hint;
    expect(hint('switches.ecn.kminKB')).toContain('Default 100 kB.');
    expect(hint('hosts.transport')).toContain('Default go-back-n.');
  });
});

describe('A slider', () => {
  it('sets the value that it shows, within the allowed range', () => {
    const scale = sliderScale(100, 0, 1e9, false)!;
    expect(scale.valueAt(scale.placeOf(100))).toBe(100);
    expect([scale.valueAt(0), scale.valueAt(1)]).toEqual([6.25, 1600]);
    expect(sliderScale(16, 1, 20, true)!.valueAt(1)).toBe(20);
    expect(sliderScale(0.2, 0, 1, false)!.valueAt(0.5)).toBe(0.5);
    expect(sliderScale(0, 0, 1e9, false)).toBeUndefined();
  });
});

describe('A link', () => {
  const state = { a: '{"name":"µ"}', view: { port: 's0:h1', flow: 3, timePs: 1.5e6 }, hash: '0123456789abcdef' };

  it('contains the whole scenario, in few characters', async () => {
    const link = await linkOf(state);
    expect(link).toMatch(/^#1\.[\w-]+$/);
    expect(await readLink(link)).toEqual(state);
    expect(await readLink('')).toBeUndefined();
  });

  it('of the first format is readable by every later lab', async () => {
    const first =
      '#1.FcYxDoAgDEDRu_y5JrL2FB6AhQGDiYixjQyEuxvf9AYJZUSuVHNEI57NIxPhPXJHB3d7HMVWLQFhP1tHlyD4UfNm_6dQkhUU5gc';
    expect(await readLink(first)).toEqual({
      a: '{"name":"test"}',
      view: { port: 's0:h1', flow: -1, timePs: -1 },
      hash: '',
    });
    await expect(readLink('#2.abc')).rejects.toThrow('The link has format 2; this lab reads format 1.');
    await expect(readLink('#1.abc')).rejects.toThrow('The link is damaged');
  });
});

describe('The documentation of a key', () => {
  it.each([
    'topology.hosts',
    'workload[0].senders',
    'algorithms.dcqcn.parameters.alphaGain',
    'switches.ecn.kminKB',
    'switches.watchdog.detectionUs',
    'switches.drill.samples',
    'hosts.transport',
    'hosts.mtuBytes',
    'fidelity',
    'seed',
  ])('is an existing section: %s', (key) => {
    const [page = '', anchor] = docsUrl(key).split('/docs/')[1]!.split('#');
    const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(/[^\w\s-]/g, '').replaceAll(' ', '-')
    );
    if (anchor !== undefined) expect(anchors).toContain(anchor);
  });
});

describe('The edit history', () => {
  it('can be undone and redone, until the next edit', () => {
    const states = new History<string>((state) => state);
    for (const state of ['a', 'b', 'b', 'c']) states.add(state);
    expect([states.undo(), states.undo(), states.undo()]).toEqual(['b', 'a', undefined]);
    expect([states.canUndo, states.canRedo]).toEqual([false, true]);
    expect(states.redo()).toBe('b');
    states.add('b');
    expect(states.canRedo).toBe(true);
    states.add('d');
    expect([states.redo(), states.undo()]).toEqual([undefined, 'b']);
  });

  it('is limited to a hundred states', () => {
    const states = new History<number>(String);
    for (let state = 0; state < 150; state++) states.add(state);
    let last = 0;
    for (let state = states.undo(); state !== undefined; state = states.undo()) last = state;
    expect(last).toBe(50);
  });
});

describe('An explanation', () => {
  it('has parts for ports and flows of the run, which join to its text', () => {
    const compiled = leafSpine();
    const result = runScenarioSync(compiled);
    const ports = new Set(result.ports.map(({ name }) => name));
    for (const { answer, findings } of explainResult(result)) {
      expect(findings.map(({ parts }) => parts.map((part) => part.text).join('')).join(' ')).toBe(answer);
    }
    const parts = answersOf(result).flatMap(({ findings }) => findings.flat());
    const named = parts.flatMap(({ port }) => port ?? []);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((port) => !ports.has(port))).toEqual([]);
    expect(parts).toContainEqual({ text: 'flow 0', flow: 0 });
  });

  it('names the switch with overrides, or states that there is none', () => {
    expect(deviatingSwitches(leafSpine()).findings).toHaveLength(1);
    const odd = deviatingSwitches(leafSpine([{ nodes: ['leaf1'], switch: { ecn: { kminKB: 5 }, pfc: false } }]));
    const text = odd.findings.flat().map((part) => part.text).join('');
    expect(text).toContain('leaf1 has Kmin 5 kB, other ports of 100 Gb/s have 100 kB');
    expect(text).toContain('leaf1 has PFC off, other switches have on');
    expect(text).not.toContain('leaf0 has');
  });
});

describe('Lines of two variants', () => {
  it('keep their values when they are drawn over the times of both', () => {
    const [ofA, ofB] = [Float64Array.of(1, 2), Float64Array.of(2, 3)];
    const line = (label: string, timesPs: Float64Array, first: number): Line => ({
      label,
      timesPs,
      values: Float64Array.of(first, first + 1),
      color: '',
      dash: [],
      width: 1,
      isNamed: true,
    });
    const lines = inGroups([
      line('A CNPs', ofA, 10),
      line('B CNPs', ofB, 20),
      line('A fast', ofA, 30),
      line('B fast', ofB, 40),
    ]);
    const [times, ...values] = dataOf(lines);
    expect([...times]).toEqual([1, 2, 3]);
    const drawn = lines.map(({ label },
      index) => [label, [...values[index]!].filter((value) => typeof value === 'number')]
    );
    expect(Object.fromEntries(drawn)).toEqual({
      'A CNPs': [10, 11],
      'B CNPs': [20, 21],
      'A fast': [30, 31],
      'B fast': [40, 41],
    });
  });
});

describe('The network drawing', () => {
  it('is laid out in tiers, each evenly', () => {
    const facts = scenarioFacts(leafSpine());
    const { places, tiers, widest } = layOut(facts);
    const of = (name: string) => places[facts.nodes.findIndex((node) => node.name === name)];
    expect([tiers, widest]).toEqual([3, 4]);
    expect(of('h0')).toEqual({ x: 0.125, y: 1, tier: 0 });
    expect(of('leaf0')).toEqual({ x: 0.25, y: 0.5, tier: 1 });
    expect(of('spine0')).toEqual({ x: 0.5, y: 0, tier: 2 });
  });

  it('shows its parameters with the preset next to them', () => {
    const compiled = compileScenario(validateScenario({
      name: 'one',
      topology: { kind: 'star', hosts: 2 },
      workload: { kind: 'incast', senders: 1, sizeBytes: 1000 },
      algorithms: { mine: { preset: 'dcqcn-connectx', parameters: { aiRateBps: 1e7 } } },
    }));
    const [{ name, parameters } = { name: '', parameters: [] }] = scenarioFacts(compiled).algorithms;
    expect(name).toBe('mine');
    expect(parameters.find((parameter) => parameter.name === 'aiRateBps')).toMatchObject({
      value: 1e7,
      presetValue: 5e6,
    });
    expect(parameters.find((parameter) => parameter.name === 'cutTrigger')?.choices).toEqual(['on-cnp', 'per-period']);
  });
});

describe('Rates on the wire', () => {
  it('count every byte, for captures of any length', () => {
    const rates = new WireRates();
    for (let packet = 0; packet < 1000; packet++) rates.add('qp', packet * 1e6, 125);
    const [binPs = 0] = rates.timesPs();
    const bytes = rates.rateBps('qp').reduce((sum, rate) => sum + (rate * binPs) / 8e12, 0);
    expect(bytes).toBeCloseTo(125_000, 6);
    expect(rates.timesPs().length).toBeLessThanOrEqual(256);
  });
});

describe('Text', () => {
  it('has fitting units', () => {
    expect([timeText(1.5e6), timeText(0), bytesText(2_000_000)]).toEqual(['1.5 µs', '0 µs', '2 MB']);
    expect([wordsOfKey('cnpIntervalUs'), wordsOfKey('kminKB'), wordsOfKey('aiRateBps')]).toEqual([
      'CNP interval',
      'Kmin',
      'AI rate',
    ]);
  });
});

describe('A redrawn chart', () => {
  const [timesPs, values] = [new Float64Array([1, 2]), new Float64Array([3, NaN])];
  const line = { label: 'flow 0', timesPs, values, color: 'red', dash: [7, 4], width: 1, isNamed: false };
  const lines: Line[] = [line, { ...line, label: 'flow 1' }];
  const withSecond = (changed: Partial<Line>): Line[] => [line, { ...line, label: 'flow 1', ...changed }];

  it('redraws only the lines that have changed', () => {
    expect(changeOf(lines, withSecond({}))).toBe('none');
    expect(changeOf(lines, withSecond({ dash: [7, 4], isNamed: true }))).toBe('none');
    expect(changeOf(lines, withSecond({ width: 3 }))).toBe('widths');
    expect(changeOf(lines, withSecond({ width: 3, values: values.slice() }))).toBe('values');
    expect(changeOf(lines, withSecond({ timesPs: timesPs.slice() }))).toBe('values');
    expect(changeOf(lines, withSecond({ color: 'blue', values: values.slice() }))).toBe('lines');
    expect(changeOf(lines, withSecond({ dash: [] }))).toBe('lines');
    expect(changeOf(lines, [line])).toBe('lines');
    expect(changeOf([], lines)).toBe('lines');
  });

  it('has gaps where values are missing', () => {
    expect(dataOf(lines)).toEqual([timesPs, [3, null], [3, null]]);
  });
});

describe('Samples of a run', () => {
  it('are one array until more of them arrive', () => {
    const [rates, flows] = [new Float32Array([4, 8, 0, 6]), 2];
    const chunk = {
      count: 2,
      timesPs: new Float64Array([1, 2]),
      queueBytes: new Float32Array(0),
      busy: new Uint8Array(0),
      rateBps: rates,
      deliveredBytes: new Float64Array(4),
      fairness: new Float32Array([1, 1]),
      counters: new Float64Array(2 * COUNTERS.length),
    };
    const data = new RunData({ ports: [], ratedFlows: flows } as unknown as ScenarioFacts);
    data.add(chunk);
    expect(data.meanRate).toEqual(new Float64Array([6, 6]));
    expect(data.rateOf(0)).toEqual(new Float64Array([4, NaN]));
    expect(data.rateOf(0)).toBe(data.rateOf(0));
    const before = data.rateOf(1);
    data.add({ ...chunk, rateBps: new Float32Array(4) });
    expect(data.rateOf(1)).not.toBe(before);
    expect(data.meanRate).toEqual(new Float64Array([6, 6, NaN, NaN]));
  });
});

describe('Thresholds of a chart', () => {
  it('have names below their lines, or next to each other where lines are close', () => {
    const widths = [30, 30, 30];
    expect(namePlaces([20, 60], widths, 150)).toEqual([{ rightPx: 4, isBelow: false }, { rightPx: 4, isBelow: false }]);
    expect(namePlaces([20, 25], widths, 150)).toEqual([{ rightPx: 4, isBelow: false }, { rightPx: 4, isBelow: true }]);
    expect(namePlaces([140, 145], widths, 150)).toEqual([
      { rightPx: 4, isBelow: false },
      { rightPx: 58, isBelow: false },
    ]);
  });

  it('are listed once, in ascending order, with the lowest pause threshold of an input', () => {
    const port = { kminBytes: 100, kmaxBytes: 400, pauseInput: 's0:h1' };
    const levels = queueLevels([{ ...port, pauseBytes: 900 }, { ...port, pauseBytes: 300 }, {}]);
    expect(levels.map(({ label, value }) => [label, value])).toEqual([
      ['Kmin', 100],
      ['pause, input s0:h1', 300],
      ['Kmax', 400],
    ]);
  });
});
