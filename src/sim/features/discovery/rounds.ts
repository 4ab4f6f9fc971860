/** Rounds of probes: each round probes all paths at the same time. The state machines are in `src/discovery`. */
import { correlateReplies, type Probe } from '../../../discovery/probe.js';
import { createOriginator, finishProbe, onProbeReply, onProbeTimeout, startProbe, type OriginatorState,
  type StartedProbe } from '../../../discovery/originator.js';
import { startPolicyPush } from '../../../discovery/policy-push.js';
import { reportPath, type PathReport } from '../../../discovery/report.js';
import type { QosData } from '../../../wire/discovery/qos-data.js';
import { ReplyPacket, RequestPacket } from '../../../wire/discovery/packets.js';
import { IpProtocol } from '../../../wire/ip/ip-protocol.js';
import { Udp } from '../../../wire/ip/udp.js';
import type { CompiledScenario } from '../../compile/compiled-scenario.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { Exchange } from './exchange.js';
import { discoveryAddress } from './settings.js';

/** Settings common to all rounds. */
export interface RoundSettings {
  readonly form: 'ipv4' | 'ipv6';
  readonly timeoutPs: number;
  readonly paths: readonly ProbePath[];
  readonly policyOf: (path: ProbePath) => QosData;
  readonly udpSourcePortOf: (flow: number) => number;
  /** How sentences refer to an address. */
  readonly addressText: (address: Uint8Array) => string;
}

/** The first identifier of a round is this plus the number of paths of all earlier rounds. */
const FIRST_ID = 1;

export class Rounds {
  readonly #settings: RoundSettings;
  readonly #originators = new Map<number, OriginatorState>();
  readonly #finished = new Map<number, Probe>();
  #round = 0;
  #nowPs = 0;

  constructor(settings: RoundSettings) {
    this.#settings = settings;
    for (const { source } of settings.paths) {
      const address = discoveryAddress(settings.form, source);
      this.#originators.set(source, createOriginator(address, { timeoutPs: settings.timeoutPs }));
    }
  }

  /** When the last round ended, picoseconds. */
  get nowPs(): number {
    return this.#nowPs;
  }

  get count(): number {
    return this.#round;
  }

  /** Handles a reply that has arrived at a host. */
  take(host: number, bytes: Uint8Array, nowPs: number): void {
    const state = this.#originators.get(host);
    const packet = ReplyPacket.read(bytes);
    if (state === undefined || packet === undefined) return;
    const { source: from, reply } = packet;
    const taken = onProbeReply(state, { from, reply }, nowPs);
    this.#originators.set(host, taken.state);
    if (!taken.isComplete) return;
    const { state: after, probe } = finishProbe(taken.state, reply.idNumber, nowPs);
    this.#originators.set(host, after);
    this.#finished.set(reply.idNumber, probe);
    this.#nowPs = Math.max(this.#nowPs, nowPs);
  }

  /** Runs one round over all paths. @returns a report for each path, in order. */
  run(exchange: Exchange, kind: 'probe' | 'push'): PathReport[] {
    const { paths, addressText } = this.#settings;
    const firstId = FIRST_ID + this.#round * paths.length;
    const startPs = this.#nowPs;
    paths.forEach((path, i) => {
      const started = this.#start(path, firstId + i, kind, startPs);
      exchange.request(this.#packetOf(path, started), path.ports, path.flow, startPs);
    });
    const quietPs = exchange.run();
    this.#expire(startPs);
    this.#nowPs = Math.max(this.#nowPs, quietPs);
    this.#round += 1;
    return paths.map((_, i) => reportPath(correlateReplies(this.#probe(firstId + i)), { addressText }));
  }

  #start(path: ProbePath, idNumber: number, kind: 'probe' | 'push', nowPs: number): StartedProbe {
    const { form, policyOf } = this.#settings;
    const state = this.#originators.get(path.source);
    if (state === undefined) throw new Error(`no originator ${path.source}`);
    const wish = { destination: discoveryAddress(form, path.destination), idNumber, policy: policyOf(path) };
    const started = kind === 'push' ? startPolicyPush(state, wish, nowPs) : startProbe(state, wish, nowPs);
    this.#originators.set(path.source, started.state);
    return started;
  }

  #packetOf({ flow, source, destination }: ProbePath, { request, hopLimit, probe }: StartedProbe): Uint8Array {
    const { form, udpSourcePortOf } = this.#settings;
    return RequestPacket.write({
      source: discoveryAddress(form, source),
      destination: discoveryAddress(form, destination),
      request,
      hopLimit,
      dscp: probe.policy?.roceDscp ?? 0,
      protocol: IpProtocol.UDP,
      payload: Udp.write({ sourcePort: udpSourcePortOf(flow), length: Udp.lenBytes }),
    });
  }

  /** Ends probes whose replies are still missing at their deadline. */
  #expire(startPs: number): void {
    const deadlinePs = startPs + this.#settings.timeoutPs;
    for (const [host, state] of this.#originators) {
      const { state: after, finished } = onProbeTimeout(state, deadlinePs);
      this.#originators.set(host, after);
      for (const probe of finished) this.#finished.set(probe.idNumber, probe);
      if (finished.length > 0) this.#nowPs = Math.max(this.#nowPs, deadlinePs);
    }
  }

  #probe(idNumber: number): Probe {
    const probe = this.#finished.get(idNumber);
    if (probe === undefined) throw new Error(`no probe ${idNumber}`);
    return probe;
  }
}

/* The paths to probe: each path of the scenario's flows once, using the first flow that takes it. */

/** Maximum paths: an originator's identifiers must last for three rounds. */
const PATHS_MAX = 16_384;

/** A path, and the flow whose packets the probe imitates. */
export interface ProbePath {
  readonly flow: number;
  readonly source: number;
  readonly destination: number;
  readonly trafficClass: number;
  /** Egress ports of the data. */
  readonly ports: readonly number[];
}

/** @throws RoceError `invalid-scenario` for more paths than there are identifiers. */
export function probePaths({ plan: { flows }, flowPaths }: Pick<CompiledScenario, 'plan' | 'flowPaths'>): ProbePath[] {
  const seen = new Set<string>();
  const paths: ProbePath[] = [];
  for (let flow = 0; flow < flows.length; flow++) {
    const ports = flowPaths.get(flow);
    const trafficClass = flows.dataClass[flow];
    const key = `${trafficClass} ${ports.join()}`;
    if (ports.length === 0 || seen.has(key)) continue;
    seen.add(key);
    paths.push({ flow, source: flows.source[flow], destination: flows.destination[flow], trafficClass, ports });
    if (paths.length > PATHS_MAX) {
      rejectScenario({
        what: 'the number of paths to be probed',
        got: paths.length,
        allowed: { max: PATHS_MAX },
        where: 'discovery',
      });
    }
  }
  return paths;
}
