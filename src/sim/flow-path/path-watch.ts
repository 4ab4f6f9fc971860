/** Records the state of a flow's path in addition to its packets: queues, pauses of its class, and ARNs that hold its data. */
import type { CompiledScenario } from '../compile/compiled-scenario.js';
import type { SimKernel } from '../kernel/kernel.js';
import type { PauseChange } from '../kernel/read-trace.js';
import type { PacketRecord } from '../result.js';
import type { HeldInterval, PathPort } from './flow-path.js';

/** State of one port. */
interface Watched {
  readonly queueBytes: number[];
  readonly held: { -readonly [Key in keyof HeldInterval]: HeldInterval[Key] }[];
}

export class PathWatch {
  readonly timesPs: number[] = [];
  readonly #ports = new Map<number, Watched>();
  /** Port that ARNs hold, by the port at the far end of its link, which sends them. */
  readonly #heldFrom = new Map<number, number>();
  readonly #kernel: SimKernel;
  readonly #dataClass: number;
  readonly #arnKey: number;

  /** @param ports egress ports that the flow's data can use. */
  constructor(kernel: SimKernel, { plan }: CompiledScenario, flow: number, ports: readonly number[]) {
    this.#kernel = kernel;
    this.#dataClass = plan.flows.dataClass[flow];
    this.#arnKey = arnKeyOf(plan, flow, this.#dataClass);
    for (const port of ports) {
      this.#ports.set(port, { queueBytes: [], held: [] });
      this.#heldFrom.set(plan.ports[port].peerPort, port);
    }
  }

  /** Ports whose ARNs matter. */
  get farEnds(): Iterable<number> {
    return this.#heldFrom.keys();
  }

  /** Samples all queues. */
  look(timePs: number): void {
    this.timesPs.push(timePs);
    for (const [port, { queueBytes }] of this.#ports) queueBytes.push(this.#kernel.queueBytes(port));
  }

  addPauses(changes: readonly PauseChange[]): void {
    for (const { timePs, port, trafficClass, change } of changes) {
      if (trafficClass !== this.#dataClass || change === 'paused-again') continue;
      const held = this.#ports.get(port)?.held;
      if (change === 'paused') held?.push({ fromPs: timePs, toPs: Infinity, by: 'pfc' });
      else endLast(held, 'pfc', timePs);
    }
  }

  /** Records an ARN. @param reachedPs when it arrives at the other end of its link. */
  addArn({ port, arn }: PacketRecord, reachedPs: number): void {
    const held = this.#ports.get(this.#heldFrom.get(port) ?? -1)?.held;
    if (held === undefined || arn?.key !== this.#arnKey) return;
    const last = held.findLast(({ by }) => by === 'arn');
    const isOpen = last !== undefined && last.toPs >= reachedPs;
    if (arn.timePs === 0) endLast(held, 'arn', reachedPs);
    else if (isOpen) last.toPs = reachedPs + arn.timePs;
    else held.push({ fromPs: reachedPs, toPs: reachedPs + arn.timePs, by: 'arn' });
  }

  /** The state of one port between two instants. `places` are the indices of the samples to return. */
  of(port: number, fromPs: number, toPs: number, places: readonly number[]): Pick<PathPort, 'queueBytes' | 'held'> {
    const { queueBytes, held } = this.#ports.get(port) ?? { queueBytes: [], held: [] };
    return {
      queueBytes: places.map((place) => queueBytes[place] ?? 0),
      held: held.flatMap((interval) => {
        const clipped = { ...interval, fromPs: Math.max(fromPs, interval.fromPs), toPs: Math.min(toPs, interval.toPs) };
        return clipped.toPs > clipped.fromPs ? [clipped] : [];
      }),
    };
  }
}

function endLast(held: Watched['held'] | undefined, by: HeldInterval['by'], timePs: number): void {
  const last = held?.findLast((interval) => interval.by === by);
  if (last !== undefined) last.toPs = Math.min(last.toPs, timePs);
}

/** The key of ARNs that hold the flow's data. */
function arnKeyOf({ wan }: CompiledScenario['plan'], flow: number, dataClass: number): number {
  if (wan === undefined || wan.flowControl.level === 'priority') return dataClass;
  return wan.flowControl.level === 'flow' ? flow : wan.serviceOfFlow[flow];
}
