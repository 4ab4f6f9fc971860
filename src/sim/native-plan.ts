/**
 * The file of a plan for the C library (native/sim_plan.h): a kernel's memory before its start, and the properties of each host
 * that `roce_sim_send` needs.
 *
 * Little-endian. Head, hosts, algorithms, names, templates, then parts of memory: u32 address, u32 length, the bytes, padded to
 * a multiple of 8. A part of length 0 is the last.
 */
import { SIM_FLOW } from '../abi/records/network.js';
import { SIM_FLOWS } from '../abi/sim-codes.js';
import { checkRecord, reject } from '../config/field-rules.js';
import { updateCrc32 } from '../wire/roce/crc32.js';
import { compileScenario, type OpenScenario } from './compile/compile-scenario.js';
import { instantiateSim } from './kernel/instantiate.js';
import type { SimAbi } from './kernel/sim-abi.js';
import { openEngine } from './kernel/set-up.js';
import { layOut } from './kernel/kernel-part.js';
import { SIM_WASM_HASH } from './kernel/wasm-bytes.js';
import { writeCapacity } from './kernel/kernel-parts.js';
import { writeAddedFlow, writePlanSteps } from './kernel/write-plan.js';
import type { NetworkPlan } from './plan.js';
import { type OpenOptions, openParts, type OpenScenarioSpec } from './run/open-parts.js';
import { DEFAULT_DURATION_AFTER_LAST_START_PS } from './scenario/defaults.js';
import type { ScenarioSpec } from './scenario/spec.js';
import type { ValidScenario } from './scenario/valid-scenario.js';
import { validateScenario } from './scenario/validate.js';
import { atOnce } from './steps.js';

/** The first four bytes of the file, "RCPL". */
export const PLAN_MAGIC = 0x4c504352;
export const PLAN_VERSION = 1;
/** The checksum covers the file from this offset on. */
export const PLAN_CHECKED_FROM = 12;

// ---- Head: u32 unless said otherwise.
export const PLAN_HEAD_BYTES = 96;
export const PLAN_HOSTS = 12;
export const PLAN_ALGORITHMS = 16;
/** Flows that may be added; 0 = the flows are in the plan. */
export const PLAN_RESERVED = 20;
export const PLAN_FLOWS_PER_HOST = 24;
/** Flows in the plan. */
export const PLAN_FLOWS = 28;
export const PLAN_PORTS = 32;
export const PLAN_NAME_BYTES = 36;
/** f64: when the run ends; with PLAN_ENDS_AFTER not 0, that long after the last start instead. */
export const PLAN_END = 40;
export const PLAN_ENDS_AFTER = 48;
/** f64: maximum bytes of a flow. */
export const PLAN_FLOW_BYTES = 56;
/** First 16 hexadecimal digits of the SHA-256 of sim.wasm. */
export const PLAN_BUILD = 64;
/** Number of nodes. */
export const PLAN_NODES = 80;

// ---- Host: u32 node, u32 offset of its name, u32 port that its ACKs leave by, u32 free | f64 interval of its CNPs.
export const PLAN_HOST_BYTES = 24;
// ---- Template of a host and an algorithm: u32 parameter set, u32 free | a flow's record.
export const PLAN_TEMPLATE_HEAD = 8;
/** Size of the pages of which a part of memory consists. */
export const PLAN_RUN_BYTES = 4096;

/** A kernel with its memory written, and the plan. */
interface Written {
  readonly abi: SimAbi;
  readonly plan: NetworkPlan;
}

/**
 * The plan of a scenario with its flows, for `roce_sim_open`. The C library runs it with the same counters as a result.
 *
 * @throws RoceError as `compileScenario`; `invalid-config` for custom algorithms and congestion points, which the C library
 * does not support.
 */
export function nativePlan(scenario: ScenarioSpec): Uint8Array {
  checkRecord(scenario, 'scenario');
  const { plan } = compileScenario(validateScenario(scenario));
  return encode({ written: write(plan), names: [], open: undefined, valid: undefined });
}

/**
 * The plan of a network to which flows are added by `roce_sim_send`, as `openSimulation` does.
 *
 * @param scenario as for `openSimulation`. Each host must have one port, and `hosts.retransmitTimeoutUs` must be set, as its
 * default depends on the path of each flow.
 * @throws RoceError as `openSimulation`.
 */
export function openNativePlan(scenario: OpenScenarioSpec, options: OpenOptions = {}): Uint8Array {
  checkRecord(scenario, 'scenario');
  checkRecord(options, 'options');
  const { valid, open, compiled, sizes } = openParts(scenario, options);
  const { plan } = compiled;
  rejectForC(plan, scenario);
  return encode({
    written: write(plan),
    names: valid.algorithms.map(({ name }) => name),
    open,
    valid,
    sizes,
    scenario,
  });
}

function write(plan: NetworkPlan): Written {
  if (plan.parameterSets.some(({ algorithm }) => algorithm.startsWith('custom:')) || plan.points !== undefined)
    reject({ got: 'custom code', allowed: 'built-in algorithms and congestion points', where: 'scenario.algorithms' });
  if (plan.changes !== undefined)
    reject({
      got: plan.changes.length,
      allowed: 'no changes of settings while the run goes',
      where: 'scenario.changes',
    });
  const abi = instantiateSim();
  const layouts = layOut(plan);
  writeCapacity(abi, plan, 0, layouts);
  openEngine(abi, plan);
  atOnce(writePlanSteps(abi, plan, new Map(), layouts));
  return { abi, plan };
}

function rejectForC({ nodes }: NetworkPlan, { hosts, fidelity = 'standard', algorithms = {} }: OpenScenarioSpec): void {
  if (nodes.some(({ kind, portCount }) => kind === 'host' && portCount !== 1))
    reject({ got: 'a host with several ports', allowed: 'hosts with one port', where: 'scenario.topology' });
  if (fidelity === 'standard' && hosts?.retransmitTimeoutUs === undefined)
    reject({
      got: undefined,
      allowed: 'a number of microseconds, 0 for none',
      where: 'scenario.hosts.retransmitTimeoutUs',
    });
  for (const [name, { baseRtt = 'longest' }] of Object.entries(algorithms)) {
    if (baseRtt !== 'longest')
      reject({ got: baseRtt, allowed: ['longest'], where: `scenario.algorithms.${name}.baseRtt` });
  }
}

interface Encoded {
  readonly written: Written;
  readonly names: readonly string[];
  readonly open: OpenScenario | undefined;
  readonly valid: ValidScenario | undefined;
  readonly sizes?: Required<OpenOptions>;
  readonly scenario?: OpenScenarioSpec;
}

function encode({ written, names, open, valid, sizes, scenario }: Encoded): Uint8Array {
  const { abi, plan } = written;
  const runs = [...runsOf(new Uint8Array(abi.memory.buffer))];
  const hosts = plan.nodes.flatMap(({ kind }, node) => (kind === 'host' ? [node] : []));
  const texts = [...hosts.map((node) => plan.nodes[node].name), ...names];
  const nameBytes = new TextEncoder().encode(texts.map((text) => `${text}\0`).join(''));
  const paddedNames = Math.ceil(nameBytes.length / 8) * 8;
  const templateBytes = PLAN_TEMPLATE_HEAD + SIM_FLOW.bytes;
  const firstTemplate = PLAN_HEAD_BYTES + hosts.length * PLAN_HOST_BYTES + paddedNames;
  const firstRun = firstTemplate + hosts.length * names.length * templateBytes;
  const bytes = new Uint8Array(runs.reduce((sum, { length }) => sum + 8 + length, firstRun + 8));
  const view = new DataView(bytes.buffer);
  const u32 = (at: number, value: number): void => {
    view.setUint32(at, value, true);
  };
  u32(0, PLAN_MAGIC);
  u32(4, PLAN_VERSION);
  u32(PLAN_HOSTS, hosts.length);
  u32(PLAN_ALGORITHMS, names.length);
  u32(PLAN_RESERVED, sizes === undefined ? 0 : plan.flows.length);
  u32(PLAN_FLOWS_PER_HOST, sizes?.flowsPerHost ?? 0);
  u32(PLAN_FLOWS, sizes === undefined ? plan.messageRecords ?? plan.flows.length : 0);
  u32(PLAN_PORTS, plan.ports.length);
  u32(PLAN_NAME_BYTES, paddedNames);
  u32(PLAN_NODES, plan.nodes.length);
  const endsAfter = sizes !== undefined && scenario?.durationUs === undefined;
  view.setFloat64(PLAN_END, plan.endPs, true);
  view.setFloat64(PLAN_ENDS_AFTER, endsAfter ? DEFAULT_DURATION_AFTER_LAST_START_PS : 0, true);
  view.setFloat64(PLAN_FLOW_BYTES, sizes?.flowBytes ?? 0, true);
  bytes.set(new TextEncoder().encode(SIM_WASM_HASH), PLAN_BUILD);
  let nameAt = 0;
  hosts.forEach((node, place) => {
    const at = PLAN_HEAD_BYTES + place * PLAN_HOST_BYTES;
    u32(at, node);
    u32(at + 4, nameAt);
    nameAt += new TextEncoder().encode(texts[place]).length + 1;
  });
  bytes.set(nameBytes, firstTemplate - paddedNames);
  if (open !== undefined && valid !== undefined)
    writeTemplates({ written, open, valid, hosts, bytes, firstTemplate, names });
  let at = firstRun;
  for (const { address, length, data } of runs) {
    u32(at, address);
    u32(at + 4, length);
    bytes.set(data, at + 8);
    at += 8 + length;
  }
  u32(8, ~updateCrc32(-1, bytes, PLAN_CHECKED_FROM, bytes.length) >>> 0);
  return bytes;
}

interface Templates {
  readonly written: Written;
  readonly open: OpenScenario;
  readonly valid: ValidScenario;
  readonly hosts: readonly number[];
  readonly bytes: Uint8Array;
  readonly firstTemplate: number;
  readonly names: readonly string[];
}

/** Writes a template of a flow's record for each host and algorithm, and the properties of each host as a receiver. */
function writeTemplates({ written: { abi, plan }, open, valid, hosts, bytes, firstTemplate, names }: Templates): void {
  const view = new DataView(bytes.buffer);
  const memory = new DataView(abi.memory.buffer);
  const record = abi.simRegion(SIM_FLOWS) >>> 0;
  const common = valid.flows.get(0);
  hosts.forEach((source, place) => {
    const destination = hosts[(place + 1) % hosts.length];
    for (let algorithm = 0; algorithm < names.length; algorithm++) {
      const flow = open.compileFlow({ ...common, source, destination, algorithm, sourcePort: 0 }, 0);
      plan.flows.set(0, flow);
      writeAddedFlow(abi, plan, 0);
      const at = firstTemplate + (place * names.length + algorithm) * (PLAN_TEMPLATE_HEAD + SIM_FLOW.bytes);
      view.setUint32(at, flow.parameterSet, true);
      bytes.set(new Uint8Array(abi.memory.buffer, record, SIM_FLOW.bytes), at + PLAN_TEMPLATE_HEAD);
    }
    const receiver = PLAN_HEAD_BYTES + ((place + 1) % hosts.length) * PLAN_HOST_BYTES;
    view.setUint32(receiver + 8, memory.getUint32(record + SIM_FLOW.at.responsePort, true), true);
    view.setFloat64(receiver + 16, memory.getFloat64(record + SIM_FLOW.at.cnpIntervalPs, true), true);
  });
}

interface Run {
  readonly address: number;
  readonly length: number;
  readonly data: Uint8Array;
}

/** The parts of memory that are not zero, page by page. */
function* runsOf(memory: Uint8Array): Generator<Run> {
  const page = PLAN_RUN_BYTES;
  let from = -1;
  for (let at = 0; at <= memory.length; at += page) {
    const isZero = at === memory.length || memory.subarray(at, at + page).every((byte) => byte === 0);
    if (!isZero && from < 0) from = at;
    if (isZero && from >= 0) {
      yield { address: from, length: at - from, data: memory.subarray(from, at) };
      from = -1;
    }
  }
}
