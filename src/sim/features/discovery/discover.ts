/**
 * Runs discovery before traffic (Technical Disclosure Commons 1652): probes all paths over the idle network, and returns the
 * scenario with the settings that its flows then use.
 *
 *   report, `refuse` probe
 *   push             probe; if anything differs from the policy, send the policy to all and probe again
 *
 * The flows start after the last round. Known deviations: docs/guides/scenarios.md, "Discovery".
 */
import { nodesOfPath } from '../../../discovery/probe.js';
import type { DiscoveryNode } from '../../../discovery/node.js';
import { pushResult } from '../../../discovery/policy-push.js';
import type { PathReport } from '../../../discovery/report.js';
import { RoceFcIcmp } from '../../../wire/discovery/roce-fc.js';
import { formatIpAddress } from '../../../wire/ip/ip-address.js';
import type { CompiledScenario } from '../../compile/compiled-scenario.js';
import { buildGraph, peerOf, buildRoutes } from '../../compile/routes.js';
import { classMask } from '../../compile/rules.js';
import { TxTimes } from '../../compile/paths.js';
import { note, sentenceOf } from '../../note.js';
import type { DiscoveryPathResult, DiscoveryResult, DiscoveryVerdict, PacketRecord } from '../../result.js';
import { PLAIN_ROUTER } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { KernelScenario, ValidDiscovery } from '../../scenario/valid-scenario.js';
import { WorkloadFlows } from '../../workload/workload-flows.js';
import type { JobPlan } from '../jobs/plan.js';
import { Exchange } from './exchange.js';
import { discoveryWords } from './explain.js';
import { withWrongMaps, discoveryAddress, discoveryNode, policyFor, withTaken } from './settings.js';
import { probePaths, type ProbePath, Rounds } from './rounds.js';

/**
 * Compiles a scenario with discovery: the flows start after it, with the resulting settings of switches.
 * @throws RoceError `invalid-scenario` as `compile`, and if discovery finds a mismatch that the scenario rejects.
 */
export function compileDiscovered(valid: KernelScenario,
  compile: (valid: KernelScenario) => CompiledScenario): CompiledScenario {
  const { discovery } = valid;
  if (discovery === null) return compile(valid);
  const dataClasses = classMask(Array.from(valid.flows, ({ trafficClass }) => trafficClass));
  const { result, valid: after, packets } = discover(valid, discovery, compile(valid), dataClasses);
  const compiled = compile(startingLater(withWrongMaps(after, dataClasses), result.endPs));
  const { paths, endPs } = result;
  const found = note('discovery-done', { text: discoveryWords(result), paths: paths.length, endPs });
  return {
    ...compiled,
    notes: [...compiled.notes, sentenceOf(found)],
    noteRecords: [...compiled.noteRecords, found],
    discovery: { result, packets },
  };
}

/** Delays the scenario: flows that no operation starts, jobs that wait for no other job, and the end. */
function startingLater(valid: KernelScenario, byPs: number): KernelScenario {
  const flows = new WorkloadFlows();
  let index = 0;
  for (const flow of valid.flows) {
    const later = isOfJob(valid.jobs, index) ? flow : { ...flow, startPs: flow.startPs + byPs };
    flows.add(later, valid.flows.leaderOf(index));
    index += 1;
  }
  const jobs = valid.jobs.map((job) => (job.after < 0 ? { ...job, startPs: job.startPs + byPs } : job));
  return { ...valid, flows, jobs, endPs: valid.endPs + byPs };
}

function isOfJob(jobs: readonly JobPlan[], flow: number): boolean {
  return jobs.some(({ firstFlow, flows }) => flow >= firstFlow && flow < firstFlow + flows);
}

/** The outcome of discovery. */
interface Discovered {
  readonly result: DiscoveryResult;
  /** The scenario with the changes that a policy made. */
  readonly valid: KernelScenario;
  /** The packets of discovery, as they left their ports. */
  readonly packets: readonly PacketRecord[];
}

const WORST: readonly DiscoveryVerdict[] = ['not-lossless', 'unknown', 'lossless'];

/**
 * Runs discovery over an idle network.
 *
 * @param compiled the scenario before discovery.
 * @param dataClasses classes of data as a bit mask.
 * @throws RoceError `invalid-scenario` if `onMismatch` is `refuse` and something differs from the policy.
 */
function discover(valid: KernelScenario, discovery: ValidDiscovery, compiled: CompiledScenario,
  dataClasses: number): Discovered {
  const { plan } = compiled;
  const paths = probePaths(compiled);
  const graph = buildGraph(valid.network);
  const nodes = nodesOn(paths, valid, dataClasses, (port) => peerOf(graph, port));
  const before = new Map(nodes);
  const words = new NodeWords(valid, discovery);
  const rounds = new Rounds({
    ...discovery,
    paths,
    policyOf: ({ trafficClass }) => policyFor(valid, dataClasses, trafficClass),
    udpSourcePortOf: (flow) => plan.flows.udpSourcePort[flow],
    addressText: (address) => words.addressText(address),
  });
  const exchange = new Exchange({
    graph,
    routes: buildRoutes(graph, valid.fidelity),
    times: new TxTimes(plan.rules.txTime),
    wireOverheadBytes: plan.rules.wireOverheadBytes,
    routerOf: (node) => discovery.routers.get(node) ?? PLAIN_ROUTER,
  }, nodes, (host, bytes, nowPs) => {
    rounds.take(host, bytes, nowPs);
  });
  const first = rounds.run(exchange, 'probe');
  const isCorrected = discovery.onMismatch === 'push' && !first.every(isAsAsked);
  const pushed = isCorrected ? rounds.run(exchange, 'push') : undefined;
  const last = isCorrected ? rounds.run(exchange, 'probe') : first;
  const results = paths.map((path, i) =>
    pathResult(path, words, first[i], pushed?.[i], isCorrected ? last[i] : undefined)
  );
  if (discovery.onMismatch === 'refuse') requireAsAsked(results, first);
  const taken = new Map(
    [...nodes].filter(([node, state]) => valid.switches[node] !== null && state !== before.get(node)),
  );
  const verdicts = last.map(({ verdict }) => verdict);
  return {
    result: {
      form: discovery.form,
      verdict: WORST.find((one) => verdicts.includes(one)) ?? 'lossless',
      isAsAsked: last.every(isAsAsked),
      endPs: rounds.nowPs,
      rounds: rounds.count,
      ...exchange.counts,
      changed: [...taken].filter(([node, state]) => hasChanged(state, before.get(node))).map(([node]) =>
        valid.network.nodes[node].name
      ),
      paths: results,
    },
    valid: withTaken(valid, taken, dataClasses),
    packets: exchange.records,
  };
}

/** Nodes at the far end of each port of the paths. */
function nodesOn(paths: readonly ProbePath[], valid: KernelScenario, dataClasses: number,
  peer: (port: number) => number): Map<number, DiscoveryNode> {
  const nodes = new Map<number, DiscoveryNode>();
  for (const { ports } of paths) {
    for (const port of ports) {
      const node = peer(port);
      if (!nodes.has(node)) nodes.set(node, discoveryNode(valid, node, dataClasses));
    }
  }
  return nodes;
}

/** Whether the path is lossless and each node meets the policy. */
function isAsAsked({ verdict, path }: PathReport): boolean {
  return verdict === 'lossless' && nodesOfPath(path).every(({ code }) => code === RoceFcIcmp.SUPPORTED);
}

function hasChanged(after: DiscoveryNode, before: DiscoveryNode | undefined): boolean {
  return JSON.stringify(after.qos) !== JSON.stringify(before?.qos);
}

function requireAsAsked(results: readonly DiscoveryPathResult[], reports: readonly PathReport[]): void {
  const at = reports.findIndex((report) => !isAsAsked(report));
  if (at < 0) return;
  const { from, to, verdict, reasons, remarks } = results[at];
  rejectScenario({
    what: `the path from ${from} to ${to}`,
    problem: `does not satisfy the policy (${[...reasons, ...remarks].join(' ')})`,
    got: verdict,
    where: 'discovery.onMismatch',
    hint: 'Correct the named nodes, or push the policy',
  });
}

/** Names of nodes, by their addresses. */
class NodeWords {
  readonly #names = new Map<string, string>();
  readonly #valid: KernelScenario;

  constructor(valid: KernelScenario, { form }: ValidDiscovery) {
    this.#valid = valid;
    valid.network.nodes.forEach(({ name }, node) => {
      this.#names.set(formatIpAddress(discoveryAddress(form, node)), name);
    });
  }

  nameAt(address: Uint8Array): string {
    return this.#names.get(formatIpAddress(address)) ?? formatIpAddress(address);
  }

  ofNode(node: number): string {
    return this.#valid.network.nodes[node].name;
  }

  /** `s1, 2001:db8::5`. */
  addressText(address: Uint8Array): string {
    const text = formatIpAddress(address);
    const name = this.#names.get(text);
    return name === undefined ? text : `${name}, ${text}`;
  }
}

function pathResult({ flow, source, destination }: ProbePath, words: NodeWords, first: PathReport,
  pushed: PathReport | undefined, last: PathReport | undefined): DiscoveryPathResult {
  const addressText = (address: Uint8Array): string => words.addressText(address);
  return {
    from: words.ofNode(source),
    to: words.ofNode(destination),
    flow,
    verdict: first.verdict,
    reasons: first.reasons,
    remarks: first.findings.flatMap(({ weight, text }) => (weight === first.verdict ? [] : text)),
    ...(pushed === undefined ? {} : { pushed: pushResult(pushed.path, { addressText }).nodes.map(({ text }) => text) }),
    ...(last === undefined ? {} : { verdictAfter: last.verdict, reasonsAfter: last.reasons }),
    findings: first.findings.map(({ weight, code, figures, hop }) => ({
      weight,
      code,
      figures: { ...figures },
      ...(hop !== undefined && { hop }),
    })),
    hops: nodesOfPath(first.path).map(({ address, hop, roundTripPs }) => ({
      node: words.nameAt(address),
      hop,
      roundTripPs,
    })),
  };
}
