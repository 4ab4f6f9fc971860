/**
 * Completion times in the format of the HPCC authors' ns-3 simulator (FCT_OUTPUT_FILE), for its analysis scripts: one line per
 * completed flow, in order of completion.
 *
 *   source and destination address (hexadecimal), source and destination port, size, start, completion time, ideal time
 *
 * ConWeave's simulator writes node numbers instead of addresses in the first two columns (docs/specs/reference-lossy.md,
 * section 10).
 *
 * Times are whole nanoseconds. The ideal time is the simulator's own (third.cc, qp_finish): the base round trip, plus all bytes
 * and headers (without telemetry) at the path's lowest rate.
 *
 *   base round trip = 2 * sum of delays + sum over links of one payload's time
 *   ideal = base round trip + (size + packets * 48) * 8 / lowest rate
 */
import { checkRecord } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { BITS_PER_BYTE, NS_PER_SECOND, PS_PER_NS } from '../../units.js';
import { compileScenario, type CompiledScenario } from '../compile/compile-scenario.js';
import type { FlowResult, SimResult, PauseInterval } from '../result.js';
import { validateScenario } from '../scenario/validate.js';

/** CustomHeader::GetStaticWholeHeaderSize without INT: PPP 14, IPv4 20, UDP 8, SeqTs 6. */
const HEADER_BYTES = 48;
/** The port that the scripts expect of ordinary flows. It replaces RoCEv2's, which flows have by default. */
const SCRIPTS_PORT = 100;
const ROCE_PORT = 4791;
const PART_LINES = 500;

/**
 * The completion times of a result in the format of the reference simulator's fct file, in parts of some hundred lines.
 *
 * @throws RoceError as `validateScenario`, if the result's scenario was altered.
 */
export function referenceFctParts(result: Pick<SimResult, 'scenario' | 'flows'>): Iterable<string> {
  checkRecord(result, 'result');
  return fctParts(result.flows, compileScenario(validateScenario(result.scenario)));
}

function* fctParts(flows: readonly FlowResult[], compiled: CompiledScenario): Generator<string> {
  const times = new IdealTimes(compiled);
  const done = flows.filter(({ completionPs }) => completionPs !== null).sort((a, b) =>
    a.startPs + (a.completionPs ?? 0) - b.startPs - (b.completionPs ?? 0) || a.index - b.index
  );
  for (let from = 0; from < done.length; from += PART_LINES) {
    yield done.slice(from, from + PART_LINES).map((flow) => `${lineOf(flow, compiled, times)}\n`).join('');
  }
}

function lineOf(flow: FlowResult, { plan }: CompiledScenario, times: IdealTimes): string {
  const { flows, nodes, fidelity } = plan;
  const { index } = flow;
  const destinationPort = flows.udpDestinationPort[index];
  return [
    ...[flows.source[index], flows.destination[index]].map((node) =>
      fidelity === 'reference-lossy' ? node : addressText(nodes[node].address)
    ),
    flows.udpSourcePort[index],
    destinationPort === ROCE_PORT ? SCRIPTS_PORT : destinationPort,
    flow.sizeBytes,
    Math.floor(flow.startPs / PS_PER_NS),
    Math.floor((flow.completionPs ?? 0) / PS_PER_NS),
    times.idealNs(flow),
  ].join(' ');
}

function addressText(address: number): string {
  return (address >>> 0).toString(16).padStart(8, '0');
}

class IdealTimes {
  readonly #compiled: CompiledScenario;
  readonly #ports: ReadonlyMap<string, number>;

  constructor(compiled: CompiledScenario) {
    this.#compiled = compiled;
    this.#ports = new Map(compiled.portNames.map((name, index) => [name, index]));
  }

  /** Each step is rounded down, as integers are in C++. */
  idealNs({ sizeBytes, index }: FlowResult): number {
    const { plan, flowPaths, portNames } = this.#compiled;
    const mtuBytes = plan.rules.mtuBytes;
    let [delayNs, txNs, lowestBps] = [0, 0, Infinity];
    for (const name of flowPaths.namesOf(index, portNames)) {
      const port = plan.ports[this.#ports.get(name) ?? 0];
      delayNs += port.delayPs / PS_PER_NS;
      txNs += Math.floor((mtuBytes * NS_PER_SECOND * BITS_PER_BYTE) / port.rateBps);
      lowestBps = Math.min(lowestBps, port.rateBps);
    }
    const totalBytes = sizeBytes + Math.ceil(sizeBytes / mtuBytes) * HEADER_BYTES;
    return Math.floor(2 * delayNs + txNs + (totalBytes * BITS_PER_BYTE * NS_PER_SECOND) / lowestBps);
  }
}

/*
 * Pauses in the format of the HPCC authors' ns-3 simulator (PFC_OUTPUT_FILE): one line per frame, in order of receipt.
 *
 *   time, node, whether that is a switch, interface, 1 pause or 0 resume
 *
 * These describe the port that receives the frame. Times are whole nanoseconds; interfaces count from 1, as interface 0 is the
 * loopback.
 *
 * Source: test/golden/README.md, `pfc_*.csv`.
 */

interface Frame {
  readonly timePs: number;
  readonly port: number;
  readonly pauses: boolean;
}

/**
 * The pauses of a result in the format of the reference simulator's pfc file, in parts of some hundred lines.
 *
 * @throws RoceError `invalid-argument` if the result has no `pauses`; as `validateScenario`, if its scenario was altered.
 */
export function referencePfcParts(result: Pick<SimResult, 'scenario' | 'pauses'>): Iterable<string> {
  checkRecord(result, 'result');
  const { scenario, pauses } = result;
  if (pauses === undefined) {
    const hint = 'The scenario asks for them by record.pauses.';
    throw new RoceError('invalid-argument', { what: 'the result', problem: 'has no pauses', where: 'pauses', hint });
  }
  return pfcParts(pauses, compileScenario(validateScenario(scenario)));
}

function* pfcParts(pauses: readonly PauseInterval[],
  { plan, portNames }: ReturnType<typeof compileScenario>): Generator<string> {
  const ports = new Map(portNames.map((name, index) => [name, index]));
  const frames = pauses.flatMap((pause) => framesOf(pause, ports.get(pause.port) ?? 0));
  frames.sort((a, b) => a.timePs - b.timePs);
  for (let from = 0; from < frames.length; from += PART_LINES) {
    yield frames.slice(from, from + PART_LINES).map(({ timePs, port, pauses: isPause }) => {
      const { node } = plan.ports[port];
      const { kind, firstPort } = plan.nodes[node];
      const at = [node, Number(kind === 'switch'), port - firstPort + 1];
      return `${[Math.floor(timePs / PS_PER_NS), ...at, Number(isPause)].join(' ')}\n`;
    }).join('');
  }
}

function framesOf({ fromPs, toPs, endedBy, renewedPs = [] }: PauseInterval, port: number): Frame[] {
  return [
    ...[fromPs, ...renewedPs].map((timePs) => ({ timePs, port, pauses: true })),
    ...(endedBy === 'resume' ? [{ timePs: toPs, port, pauses: false }] : []),
  ];
}

/*
 * Queue lengths in the format of the HPCC authors' ns-3 simulator (QLEN_MON_FILE): a line with the time, then one line for each
 * port of a switch.
 *
 *   time: nanoseconds
 *   node, interface, then the number of polls at which 0, 1, 2, … kB waited, from the first poll on
 *
 * That simulator writes such a block every 100 ms; here there is one, at the end of the run. Interfaces count from 1.
 *
 * Source: test/golden/README.md, `qlen_*.csv`.
 */

/**
 * The histogram of a result in the format of the reference simulator's qlen file, one part per port.
 *
 * @throws RoceError `invalid-argument` if the result has no `queueHistogram`; as `validateScenario`, if its scenario was
 * altered.
 */
export function referenceQlenParts(
  result: Pick<SimResult, 'scenario' | 'simulatedPs' | 'queueHistogram'>,
): Iterable<string> {
  checkRecord(result, 'result');
  const { scenario, simulatedPs, queueHistogram: got } = result;
  if (got !== undefined) return qlenParts(got, simulatedPs, compileScenario(validateScenario(scenario)));
  const hint = 'The scenario asks for it by record.queueHistogram.';
  throw new RoceError('invalid-argument', {
    what: 'the result',
    problem: 'has no histogram of queues',
    where: 'queueHistogram',
    hint,
  });
}

function* qlenParts({ polls, ports }: NonNullable<SimResult['queueHistogram']>, simulatedPs: number,
  { plan, portNames }: ReturnType<typeof compileScenario>): Generator<string> {
  yield `time: ${Math.floor(simulatedPs / PS_PER_NS)}\n`;
  for (const [port, name] of portNames.entries()) {
    const { node } = plan.ports[port];
    const { kind, firstPort } = plan.nodes[node];
    if (kind !== 'switch') continue;
    const counts = Object.hasOwn(ports, name) ? ports[name] : [polls];
    yield `${[node, port - firstPort + 1, ...counts].join(' ')}\n`;
  }
}
