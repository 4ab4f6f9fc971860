import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { declarationFromJson } from '../../src/algorithm/declaration-from-json.js';
import type { AlgorithmDeclaration, ParameterValues } from '../../src/config/algorithms/custom/declaration.js';

const NETWORK = { lineRateBps: 100e9, baseRttPs: 8e6, windowBytes: 100_000, mtuBytes: 1000 };
const MINIMAL = {
  name: 'mine',
  parameters: { order: { default: 'first', values: ['first', 'last'] }, m: { default: 4 } },
};

const ofJson = (json: object): AlgorithmDeclaration => declarationFromJson(JSON.stringify(json), 'mine.json');

function resolve(said: AlgorithmDeclaration['timers' | 'telemetry' | 'pint'], parameters: ParameterValues): unknown {
  return typeof said === 'function' ? said(parameters) : said;
}

describe('a declaration as JSON', () => {
  it('keeps constant fields unchanged', () => {
    const json = {
      ...MINIMAL,
      state: { a: 0, list: [1, 2] },
      timers: 'after-event',
      reasons: ['because'],
      window: 'always',
    };
    expect(ofJson(json)).toStrictEqual(json);
  });

  it('can take a default from the network', () => {
    const json = { name: 'mine', parameters: { rtt: { default: { network: 'baseRttPs' }, min: 1 } } };
    const { default: byDefault, min } = ofJson(json).parameters!.rtt!;
    expect([(byDefault as (network: typeof NETWORK) => unknown)(NETWORK), min]).toStrictEqual([8e6, 1]);
  });

  it('can derive the order of timers from a parameter', () => {
    const values = { first: 'before-event', last: 'after-event' };
    const { timers } = ofJson({ ...MINIMAL, timers: { parameter: 'order', values } });
    expect([resolve(timers, { order: 'first' }), resolve(timers, { order: 'last' })]).toStrictEqual(
      Object.values(values),
    );
  });

  it('can take fields of telemetry and PINT from parameters', () => {
    const telemetry = { records: 'int64', intMultiplier: { parameter: 'm' } };
    const pint = { pintBase: 1.05, pintBits: { parameter: 'm' } };
    const found = ofJson({ ...MINIMAL, telemetry, pint });
    expect(resolve(found.telemetry, { m: 4 })).toStrictEqual({ records: 'int64', intMultiplier: 4 });
    expect(resolve(found.pint, { m: 8 })).toStrictEqual({ pintBase: 1.05, pintBits: 8 });
  });

  it.each([
    ['[]', 'mine.json'],
    ['{', 'mine.json'],
    ['{"name":"mine","parameters":[]}', 'mine.json.parameters'],
    ['{"name":"mine","parameters":{"a":1}}', 'mine.json.parameters.a'],
    ['{"name":"mine","parameters":{"a":{"default":{"network":"hosts"}}}}', 'mine.json.parameters.a.default.network'],
    ['{"name":"mine","parameters":{"a":{"default":{"net":"mtuBytes"}}}}', 'mine.json.parameters.a.default.net'],
    ['{"name":"mine","timers":{"parameter":"a","values":{}}}', 'mine.json.timers.parameter'],
    ['{"name":"mine","telemetry":{"records":{"parameter":"a"}}}', 'mine.json.telemetry.records.parameter'],
  ])('rejects %s with an error at %s', (text, where) => {
    expect(() => declarationFromJson(text, 'mine.json')).toThrow(
      expect.objectContaining({ code: 'invalid-config', where }) as Error,
    );
  });

  it.each(['dcqcn', 'hpcc'])('of the example %s is valid', (name) => {
    const file = new URL(`../../examples/algorithms/assemblyscript/${name}.json`, import.meta.url);
    expect(declarationFromJson(readFileSync(file, 'utf8'), `${name}.json`)).toMatchObject({ name: `${name}-wasm` });
  });
});
