/**
 * Converts a validated scenario to numbers: shortest-path routes, hashed paths, windows and round trips, thresholds, packet
 * sizes, ideal completion times.
 */
import { type CompiledScenario, FlowPaths, recordPlan, adaptsTimeout, jobsOf, present } from './compiled-scenario.js';
import { factsOf, type AlgorithmParameters } from '../../config/algorithms/registry.js';
import type { BalancingPlan } from '../features/balancing/plan.js';
import { FlowPlans, PairCounter } from '../flow-plans.js';
import type { FlowPlan, NetworkPlan, Rules } from '../plan.js';
import { DEFAULT_BASE_RTT } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { Transport } from '../scenario/spec.js';
import type { Steps } from '../steps.js';
import type { KernelScenario } from '../scenario/valid-scenario.js';
import type { WorkloadFlow } from '../workload/workload-flows.js';
import { ackClass, ackPause, delayedAck, classMask, hostTimes, RULES } from './rules.js';
import { balancingPlan, weighRoutes } from '../features/balancing/compile.js';
import { changePlans } from '../features/changes.js';
import { addressOf, swapped, tupleOf } from '../../switching/ecmp-hash.js';
import { portNames, type Graph, type Routes } from './routes.js';
import { rttRules, type CompileContext } from './compile-context.js';
import { hazardPlan, faultEvents, linkEvents } from '../features/hazards/compile.js';
import { connectionsPlan } from '../features/connections/compile.js';
import { idealPs, idealReadPs, longestWaits, pathTimeoutPs, firstPath, longestBase, switchesOnLongest, type BasePath,
  type Path, type TxTimes } from './paths.js';
import { lossyPlan } from '../features/reference-lossy/compile.js';
import { messageRecords } from '../features/messages/compile.js';
import { sentenceOf, type Note } from '../note.js';
import { notesOn, statedNotes } from './notes.js';
import { fastCnpBytes, mrcSizes, READ_REQUEST_BYTES, type FlowSizes } from './packet-sizes.js';
import { spreadOfScenario, type IsSpread } from '../features/balancing/path-selection.js';
import { ParameterSetTable } from './parameter-set-table.js';
import { pointsPlan } from '../features/points/compile.js';
import { guaranteedClasses, poolPlan, requirePoolRoom } from '../features/pools.js';
import { receiverCreditPlan } from '../features/receiver-credit.js';
import { fastCnpPlan, nodePlans, portPlans } from './port-settings.js';
import { telemetryRules } from './parameter-sets.js';
import { transportOf, transportsPlan } from '../features/transports/compile.js';
import { trimmingPlan } from '../features/trimming.js';
import { type TunnelPaths, wanPlan } from '../features/wan/compile.js';
import { verbsPlan } from '../features/verbs/compile.js';

/** A step takes some milliseconds in a large network. */
const FLOWS_PER_STEP = 256;

/** Compiles one scenario. */
export class Compiler {
  readonly #valid: KernelScenario;
  readonly #graph: Graph;
  readonly #routes: Routes;
  readonly #tunnels: TunnelPaths;
  readonly #paths: readonly Path[];
  readonly #switches: number;
  readonly #times: TxTimes;
  readonly #parameterSets: ParameterSetTable;
  /** Largest bandwidth-delay product of all pairs of hosts: round trip times the lowest link rate of the path. */
  readonly #bdpBytes: number;
  /** Packet sizes, indexed by algorithm. */
  readonly #sizes: readonly FlowSizes[];
  readonly #flowPaths: FlowPaths;
  readonly #flowAlgorithms: Uint32Array;
  /** Transport of each flow whose workload sets one, indexed by flow. */
  readonly #flowTransports: Transport[] = [];
  /** Verb of each flow that is not a WRITE, indexed by flow. */
  readonly #flowVerbs: Pick<WorkloadFlow, 'operation' | 'readyPs'>[] = [];
  /** Longest wait at each port; undefined until computed. */
  #waits: Float64Array | undefined;
  /** Counts the pairs of hosts of flows that are added later. */
  #pairs: PairCounter | undefined;
  readonly #isSpread: IsSpread;
  /** Longest base path for each algorithm and payload that a single host sets. */
  readonly #ownBases = new Map<string, BasePath>();

  constructor(valid: KernelScenario, { graph, routes, tunnels, paths, switches, times, sizes, bases }: CompileContext) {
    this.#valid = valid;
    this.#isSpread = spreadOfScenario(valid);
    this.#flowPaths = new FlowPaths(valid.flows.length);
    this.#flowAlgorithms = new Uint32Array(valid.flows.length);
    this.#graph = graph;
    this.#routes = routes;
    this.#tunnels = tunnels;
    this.#paths = paths;
    this.#switches = switches;
    this.#times = times;
    this.#sizes = sizes;
    this.#bdpBytes = Math.max(...bases.map(({ bdpBytes }) => bdpBytes));
    this.#parameterSets = new ParameterSetTable(valid, bases);
  }

  *steps(): Steps<CompiledScenario> {
    const valid = this.#valid;
    const plan = yield* this.#plan();
    const names = portNames(this.#graph);
    yield;
    const noteRecords = this.#notes(plan);
    return {
      spec: valid.spec,
      plan,
      notes: noteRecords.map(sentenceOf),
      noteRecords,
      record: recordPlan(valid.record, plan, names),
      portNames: names,
      algorithmNames: valid.algorithms.map(({ name }) => name),
      flowAlgorithms: this.#flowAlgorithms,
      flowPaths: this.#flowPaths,
    };
  }

  #notes(plan: NetworkPlan): Note[] {
    const valid = this.#valid;
    return [
      ...statedNotes(valid),
      ...notesOn(valid, plan, { paths: this.#flowPaths, flowAlgorithms: this.#flowAlgorithms }),
    ];
  }

  *#plan(): Steps<NetworkPlan> {
    const [valid, graph, routes, switches] = [this.#valid, this.#graph, this.#routes, this.#switches];
    const [flows, parameterSets] = [yield* this.#flowPlans(), this.#parameterSets.all];
    yield;
    const rules = this.#rules(parameterSets, flows);
    const headroom = { fidelity: valid.fidelity, rules, longestBytes: this.#longestBytes(flows) };
    const ports = portPlans(valid, graph, headroom);
    const nodes = nodePlans(valid, graph, ports, rules);
    yield;
    const pools = poolPlan(valid, flows, rules.cnpClass);
    requirePoolRoom(pools, nodes);
    this.#waits = longestWaits({ nodes, ports });
    this.#adaptTimeouts(flows, this.#waits);
    const connections = connectionsPlan(valid);
    const transports = transportsPlan(valid, {
      graph,
      flows,
      connections,
      ofFlows: this.#flowTransports,
      isRead: (flow) => this.#isRead(flow),
      bdpBytes: this.#bdpBytes,
      longestRttPs: this.#parameterSets.longestRttPs,
      mtuBytes: (host) => this.#mtuBytes(host),
    });
    const trimming = trimmingPlan(valid, { flows, transports, bdpBytes: this.#bdpBytes });
    const receiverCredit = receiverCreditPlan(valid.fidelity, { flows, connections, transports, parameterSets });
    const verbs = verbsPlan(valid, { flows, ofFlows: this.#flowVerbs, parameterSets, transports, connections });
    const weighed = weighRoutes(valid, graph, routes);
    const balancing = balancingPlan(valid, graph, { ...weighed, switches }, this.#parameterSets.longestRttPs);
    const routing = { routes: weighed.routes.table, groups: weighed.routes.groups };
    const changes = changePlans(valid, graph, (algorithms) => this.#parameterSets.under(algorithms));
    const hazards = hazardPlan(valid, { graph, headroom, rules, flows, routes: routing });
    return {
      fidelity: valid.fidelity,
      seed: valid.seed,
      endPs: valid.endPs,
      rules,
      nodes,
      ports,
      ...routing,
      parameterSets,
      flows,
      ...jobsOf(valid),
      ...faultEvents(valid, graph),
      ...messageRecords(valid, { transports, balancing, hazards, flows, connections, receiverCredit }),
      fastCnp: fastCnpPlan(valid, graph.network.hosts),
      ...this.#mostSwitches(balancing),
      ...(valid.fidelity === 'reference-lossy' ? { lossy: lossyPlan(valid, graph, this.#bdpBytes) } : {}),
      ...present({ balancing, connections, transports, trimming, points: pointsPlan(valid), pools }),
      ...present({ hazards, verbs, changes, receiverCredit }),
      ...wanPlan(valid, { graph, flows, ports, mtuBytes: (host) => this.#mtuBytes(host) }),
    };
  }

  /**
   * The number of switches on the longest path. It is unknown if links go down, or if flows may take manual routes that the
   * flow's hash does not select.
   */
  #mostSwitches(balancing: BalancingPlan | undefined): Pick<NetworkPlan, 'mostSwitches'> {
    const isVaried = balancing !== undefined && this.#graph.network.routes.length > 0;
    return isVaried || linkEvents(this.#valid, this.#graph).length > 0 ?
      {} :
      { mostSwitches: switchesOnLongest(this.#flowPaths) };
  }

  /** Compiles a flow that replaces a compiled one. */
  added(flow: WorkloadFlow, index: number): FlowPlan {
    this.#pairs ??= new PairCounter(this.#graph.network.nodes.length, this.#valid.flows.length);
    const path = new FlowPaths(1);
    const plan = this.#flowPlan(flow, index,
      flow.sourcePort ?? this.#pairs.nextSourcePort(flow.source, flow.destination), path);
    if (this.#waits === undefined || !adaptsTimeout(this.#valid, flow.source)) return plan;
    return { ...plan, pathTimeoutPs: pathTimeoutPs(path.get(0), this.#waits) };
  }

  #basePath(paths: readonly Path[], sizes: FlowSizes, mtuBytes: number): BasePath {
    return longestBase(this.#graph, paths, rttRules(this.#valid.fidelity, this.#tunnels, mtuBytes), sizes, this.#times);
  }

  #rules(parameterSets: readonly AlgorithmParameters[], flows: FlowPlans): Rules {
    const { fidelity, hosts, markAt, strictClasses, fastCnp } = this.#valid;
    const base = RULES[fidelity];
    const isStandard = fidelity === 'standard';
    const hasPint = parameterSets.some((parameterSet) => factsOf(parameterSet).pint !== undefined);
    return {
      ...base,
      mtuBytes: hosts.mtuBytes,
      ...hostTimes(fidelity, hosts),
      markAt,
      strictClasses: base.strictClasses | classMask(strictClasses),
      pacing: hosts.paced,
      ...ackPause(fidelity, hosts.acksPausable),
      ...delayedAck(fidelity, hosts),
      fastCnpBytes: isStandard ? fastCnpBytes(fastCnp.option, this.#switches) : base.fastCnpBytes,
      ...(isStandard ? guaranteedClasses(this.#valid, flows) : {}),
      ...telemetryRules(parameterSets, fidelity),
      ...(hasPint ? { pintRttPs: this.#parameterSets.longestRttPs } : {}),
    };
  }

  *#flowPlans(): Steps<FlowPlans> {
    const { flows } = this.#valid;
    const plans = new FlowPlans(flows.length);
    const pairs = new PairCounter(this.#graph.network.nodes.length, flows.length);
    for (let i = 0; i < flows.length; i++) {
      if (i % FLOWS_PER_STEP === FLOWS_PER_STEP - 1) yield;
      const flow = flows.get(i);
      const leader = this.#valid.flows.leaderOf(i);
      const nextPort = leader === i ? pairs.nextSourcePort(flow.source, flow.destination) : plans.udpSourcePort[leader];
      this.#flowAlgorithms[i] = flow.algorithm;
      if (flow.transport !== undefined) this.#flowTransports[i] = flow.transport;
      if (flow.operation !== undefined && flow.operation !== 'write') this.#flowVerbs[i] = flow;
      plans.set(i, this.#flowPlan(flow, i, flow.sourcePort ?? nextPort));
    }
    return plans;
  }

  /** Longest packet of any flow, including the outer headers of tunnels. */
  #longestBytes({ length, headerBytes, source }: FlowPlans): number {
    let most = 0;
    for (let flow = 0; flow < length; flow++) most = Math.max(most, headerBytes[flow] + this.#mtuBytes(source[flow]));
    return most + this.#tunnels.mostBytes;
  }

  #isRead(flow: number): boolean {
    return this.#flowVerbs[flow]?.operation === 'read';
  }

  #adaptTimeouts({ length, source, destination, pathTimeoutPs: pathTimeouts }: FlowPlans, waits: Float64Array): void {
    for (let flow = 0; flow < length; flow++) {
      if (!adaptsTimeout(this.#valid, this.#isRead(flow) ? destination[flow] : source[flow])) continue;
      pathTimeouts[flow] = pathTimeoutPs(this.#flowPaths.get(flow), waits);
    }
  }

  #flowPlan(flow: WorkloadFlow, index: number, sourcePort: number, paths = this.#flowPaths): FlowPlan {
    const { source, destination, sizeBytes, destinationPort } = flow;
    const tuple = tupleOf(addressOf(source), addressOf(destination), sourcePort, destinationPort);
    const there = this.#tunnels.path(flow, [source, destination], tuple) ??
      this.#rejectNoPath(index, source, destination);
    const back = this.#tunnels.path(flow, [destination, source], swapped(tuple)) ??
      this.#rejectNoPath(index, destination, source);
    paths.add(there);
    const isMrc = transportOf(this.#valid, flow) === 'mrc';
    const sizes = isMrc ? mrcSizes(this.#sizes[flow.algorithm]) : this.#sizes[flow.algorithm];
    const mtuBytes = this.#mtuBytes(source);
    const { parameterSet, windowBytes, windowMode } = this.#parameterSets.of(flow.algorithm,
      this.#graph.rateBps[there[0]], { mtuBytes, headerBytes: sizes.headerBytes }, this.#ownBase(flow, mtuBytes));
    const { wireOverheadBytes } = RULES[this.#valid.fidelity];
    const ideal = flow.operation === 'read' ? idealReadPs : idealPs;
    return {
      source,
      destination,
      sourcePort: there[0],
      responsePort: back[0],
      sizeBytes,
      startPs: flow.startPs,
      after: flow.after,
      dataClass: flow.trafficClass,
      ackClass: ackClass(this.#valid, isMrc, flow.trafficClass),
      udpSourcePort: sourcePort,
      udpDestinationPort: destinationPort,
      parameterSet,
      windowBytes,
      windowMode,
      headerBytes: sizes.headerBytes,
      ackBytes: sizes.ackBytes,
      idealPs: ideal(this.#graph, this.#times, {
        mtuBytes,
        wireOverheadBytes,
        ...this.#tunnels.onLinks(flow),
        isSpread: this.#isSpread(source),
      }, { ...sizes, requestBytes: READ_REQUEST_BYTES }, sizeBytes, { there, back }),
    };
  }

  /** Payload of a host's full packets. */
  #mtuBytes(host: number): number {
    return this.#valid.hostOverrides[host]?.mtuBytes ?? this.#valid.hosts.mtuBytes;
  }

  /**
   * The base path between the flow's own two hosts, if its algorithm asks for that; otherwise the longest base path for the
   * flow's payload.
   */
  #ownBase({ algorithm, source, destination }: WorkloadFlow, mtuBytes: number): BasePath | undefined {
    const { baseRtt = DEFAULT_BASE_RTT } = this.#valid.algorithms[algorithm];
    if (baseRtt === 'longest') {
      return mtuBytes === this.#valid.hosts.mtuBytes ?
        undefined :
        this.#longestOf(algorithm, mtuBytes);
    }
    const path = firstPath(this.#graph, this.#routes, source, destination);
    return path === null ? undefined : this.#basePath([path], this.#sizes[algorithm], mtuBytes);
  }

  #longestOf(algorithm: number, mtuBytes: number): BasePath {
    const key = `${algorithm} ${mtuBytes}`;
    const base = this.#ownBases.get(key) ?? this.#basePath(this.#paths, this.#sizes[algorithm], mtuBytes);
    this.#ownBases.set(key, base);
    return base;
  }

  #rejectNoPath(index: number, from: number, to: number): never {
    const { nodes } = this.#graph.network;
    return rejectScenario({
      what: 'no path',
      problem: `leads from ${nodes[from].name} to ${nodes[to].name}`,
      got: { flow: index },
      where: 'workload',
      hint: 'Links and switches must connect them, without loops',
    });
  }
}
