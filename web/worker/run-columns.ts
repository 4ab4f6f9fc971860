/** Converts a result to columns of numbers, which are transferred to the page without copying. */
import type { PauseInterval, SimResult } from '../../src/sim/index.js';
import { tightestPort } from '../../src/sim/results/summary.js';
import type { FlowColumns, PauseColumns, PortColumns } from '../protocol/run-protocol.js';

const column = <T>(rows: readonly T[], value: (row: T) => number | null | undefined): Float64Array =>
  Float64Array.from(rows, (row) => value(row) ?? NaN);

export function portColumns({ ports }: SimResult): PortColumns {
  const tightest = tightestInputs(ports);
  return {
    maxQueueBytes: column(ports, (port) => port.maxQueueBytes),
    meanQueueBytes: column(ports, (port) => port.meanQueueBytes),
    utilization: column(ports, (port) => port.utilization),
    pausedPs: column(ports, (port) => port.pausedPs),
    pausesSent: column(ports, (port) => port.pausesSent),
    marks: column(ports, (port) => port.marks),
    drops: column(ports, (port) => port.drops),
    tightestInput: column(ports, ({ node }) => tightest.get(node)),
    minPauseThresholdBytes: column(ports, (port) => port.minPauseThresholdBytes),
  };
}

/** For each switch, the ingress port that came nearest to a pause. */
function tightestInputs(ports: SimResult['ports']): ReadonlyMap<string, number | undefined> {
  const numbers = new Map(ports.map((port, index) => [port, index]));
  const ofNodes = new Map<string, SimResult['ports'][number][]>();
  for (const port of ports) {
    const others = ofNodes.get(port.node);
    if (others === undefined) ofNodes.set(port.node, [port]);
    else others.push(port);
  }
  return new Map([...ofNodes].map(([node, own]) => {
    const tightest = tightestPort(own);
    return [node, tightest === undefined ? undefined : numbers.get(tightest)];
  }));
}

export function flowColumns({ flows }: SimResult): FlowColumns {
  return {
    from: flows.map(({ from }) => from),
    to: flows.map(({ to }) => to),
    sizeBytes: column(flows, (flow) => flow.sizeBytes),
    deliveredBytes: column(flows, (flow) => flow.deliveredBytes),
    startPs: column(flows, (flow) => flow.startPs),
    completionPs: column(flows, (flow) => flow.completionPs),
    slowdown: column(flows, (flow) => flow.slowdown),
    cnps: column(flows, (flow) => flow.cnps),
    fastCnps: column(flows, (flow) => flow.fastCnps),
    heldPs: column(flows, (flow) => flow.heldPs ?? 0),
  };
}

export function pauseColumns(pauses: readonly PauseInterval[], portNames: readonly string[]): PauseColumns {
  const numbers = new Map(portNames.map((name, index) => [name, index]));
  return {
    port: Uint32Array.from(pauses, ({ port }) => numbers.get(port) ?? 0),
    trafficClass: Uint8Array.from(pauses, ({ trafficClass }) => trafficClass),
    fromPs: column(pauses, ({ fromPs }) => fromPs),
    toPs: column(pauses, ({ toPs }) => toPs),
  };
}
