/**
 * Runs in every runtime with the installed package: loads each entry, computes, and returns facts. It is bundled
 * without the package, which each runtime resolves itself, and imports nothing specific to a runtime.
 */
import { createEngineSync, dcqcnSigcomm15, gbps, type Engine } from 'roce-cc';
import { declarationFromJson, defineAlgorithm, type CustomAlgorithm } from 'roce-cc/algorithm';
import { readCaptureBatches } from 'roce-cc/capture';
import { parseFlows, replay } from 'roce-cc/replay';
import { runScenario, runScenarioSync, type ScenarioSpec } from 'roce-cc/sim';
import { createEngineStreaming } from 'roce-cc/streaming';
import { stateHashes } from '../../bench/support/state-hashes.js';

/** The compiled examples/algorithms/assemblyscript/dcqcn.ts in base64; project.ts defines it. */
declare const DCQCN_MODULE: string;

/** What the probe loads, and how the runtime reads files of the package. */
export interface ProbeHost {
  /** Names to import. */
  readonly entries: readonly string[];
  /** Names of WebAssembly files to compile. */
  readonly modules: readonly string[];
  /** Files of examples/scenarios. */
  readonly scenarios: readonly string[];
  /** @param name of an entry, or the path of a file in the package. */
  readEntry(name: string): Promise<Uint8Array<ArrayBuffer>>;
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Imports a module of the package that is not in its exports. */
  importFile(path: string): Promise<unknown>;
}

/** Facts by name; all runtimes must have the same. */
export type Facts = Readonly<Record<string, string>>;

const LINE = { lineRateBps: gbps(100) };

export async function probe(host: ProbeHost): Promise<Facts> {
  const facts: Record<string, string> = {};
  for (const name of host.entries) facts[`import ${name}`] = await exportsOf(name);
  for (const name of host.modules) facts[`compile ${name}`] = await shapeOf(await host.readEntry(name));
  for (const line of stateHashes()) addLine(facts, line);
  for (const file of host.scenarios)
    addLine(facts, `result ${file} ${runScenarioSync(await scenarioOf(host, file)).hash}`);
  const [file = ''] = host.scenarios;
  facts['result without blocking'] = (await runScenario(await scenarioOf(host, file)).result).hash;
  Object.assign(facts, await customResults(host, file));
  for (const name of ['roce-cc/engine.wasm', 'roce-cc/engine-dcqcn.wasm']) {
    facts[`state hosted ${name}`] = await hostedHash(await host.readEntry(name));
  }
  facts['replay'] = await replayHash(host);
  return facts;
}

/** Runs with custom algorithms in JavaScript and WebAssembly instead of the built-in one that they reimplement. */
async function customResults(host: ProbeHost, file: string): Promise<Facts> {
  const scenario = { ...await scenarioOf(host, file), algorithms: { only: { preset: 'dcqcn-sigcomm15' } } };
  const javaScript = await host.importFile('examples/algorithms/dcqcn.js') as { readonly default: CustomAlgorithm };
  const text = new TextDecoder().decode(await host.readFile('examples/algorithms/assemblyscript/dcqcn.json'));
  const module = Uint8Array.from(atob(DCQCN_MODULE), (character) => character.charCodeAt(0));
  const forms = {
    JavaScript: javaScript.default,
    WebAssembly: defineAlgorithm({ ...declarationFromJson(text, 'dcqcn.json'), module }),
  };
  const builtIn = runScenarioSync(scenario).hash;
  return Object.fromEntries(Object.entries(forms).map(([form, dcqcn]) => {
    const { hash } = runScenarioSync(scenario, { substitutes: { dcqcn } });
    return [`custom ${form}`, hash === builtIn ? hash : `${hash}, but ${builtIn} by the built-in algorithm`];
  }));
}

/** A line of bench/hashes.txt: two words that name it, and the hash. */
function addLine(facts: Record<string, string>, line: string): void {
  const at = line.lastIndexOf(' ');
  facts[line.slice(0, at)] = line.slice(at + 1);
}

async function exportsOf(name: string): Promise<string> {
  return Object.keys((await import(name)) as object).sort().join(' ');
}

async function shapeOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const module = await WebAssembly.compile(bytes);
  return WebAssembly.Module.exports(module).map(({ name, kind }) => `${name}:${kind}`).join(' ');
}

async function scenarioOf(host: ProbeHost, file: string): Promise<ScenarioSpec> {
  return JSON.parse(new TextDecoder().decode(await host.readFile(`examples/scenarios/${file}`))) as ScenarioSpec;
}

/** The separate module, compiled while streaming, must give the same hash as the one inlined in the default entry. */
async function hostedHash(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const options = { parameterSets: { default: dcqcnSigcomm15(LINE) } };
  const response = new Response(bytes, { headers: { 'content-type': 'application/wasm' } });
  const [hosted, inlined] = [await createEngineStreaming(options, response), createEngineSync(options)].map(
    hashAfterCnp,
  );
  return hosted === inlined ? hosted : `${hosted}, but ${inlined} by the default entry`;
}

function hashAfterCnp(engine: Engine): string {
  engine.cnp(1e7, engine.openQp({ localQpn: 1 }));
  return engine.stateHash();
}

/** Reads a compressed capture, to include the runtime's decompression. */
async function replayHash(host: ProbeHost): Promise<string> {
  const flowsFile = 'examples/data/incast-flows.csv';
  const flows = parseFlows(new TextDecoder().decode(await host.readFile(flowsFile)), flowsFile);
  const capture = await host.readFile('examples/data/incast.pcap.gz');
  const report = await replay(readCaptureBatches(capture), { parameters: dcqcnSigcomm15(LINE), flows });
  return digest(JSON.stringify({ ...report, timing: undefined }));
}

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash).subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
