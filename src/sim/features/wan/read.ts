/** Reads the counters of a WAN with tunnels from the kernel's memory. */
import { readArray, readField, readFields } from '../../../abi/records/fields.js';
import { ARN_ENTRY, WAN_NODE, WAN_PORT } from '../../../abi/records/wan.js';
import { SIM_WAN_ENTRIES, SIM_WAN_NODES, SIM_WAN_PORTS } from '../../../abi/sim-regions.js';
import type { NetworkPlan } from '../../plan.js';
import type { WanPlan } from './plan.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import { keysOf } from './write.js';

const NODE_COUNTERS = ['encapsulated', 'decapsulated', 'wrapped', 'unwrapped', 'deniedIn', 'deniedOut'] as const;

/** Counters of a node for tunnels and Fast CNPs. */
export interface RawWanNode {
  /** Packets that entered a tunnel here. */
  readonly encapsulated: number;
  /** Packets that left a tunnel here, including dropped ones. */
  readonly decapsulated: number;
  /** Fast CNPs that were sent from here to an END.CON SID. */
  readonly wrapped: number;
  /** Fast CNPs that arrived at an END.CON SID here. */
  readonly unwrapped: number;
  /** Fast CNPs that the access list denied on their way into the domain. */
  readonly deniedIn: number;
  /** Fast CNPs that the access list denied on their way out of the domain. */
  readonly deniedOut: number;
  /** Decapsulated packets, indexed by inner ECN code * 4 + outer ECN code. */
  readonly cells: readonly number[];
}

/** Counters of ARNs at a port. */
export interface RawWanPort {
  /** ARNs that it sent to begin a pause. */
  readonly arnsSent: number;
  /** ARNs that it repeated. */
  readonly arnsRefreshed: number;
  /** ARNs that it sent to end a pause. */
  readonly arnResumes: number;
  /** ARNs that it received. */
  readonly arnsReceived: number;
  /** Pauses of its egress queues that expired. */
  readonly arnsExpired: number;
  /** How long its egress queues were held, picoseconds, summed over services, flows or classes. */
  readonly arnHeldPs: number;
}

/** Reads the counters of tunnels and ARNs from the kernel's memory as it is now. */
export class WanReader {
  readonly #abi: SimAbi;
  readonly #wan: WanPlan;
  readonly #keys: number;
  readonly #view: DataView;

  constructor(abi: SimAbi, { flows }: NetworkPlan, wan: WanPlan) {
    this.#abi = abi;
    this.#wan = wan;
    this.#keys = keysOf(wan, flows.length);
    this.#view = new DataView(abi.memory.buffer);
  }

  /** Counters of a node. @param index of the node, below the plan's number of nodes. */
  node(index: number): RawWanNode {
    const at = recordAt(this.#abi, SIM_WAN_NODES, WAN_NODE, index);
    return {
      ...readFields(this.#view, at, WAN_NODE, NODE_COUNTERS),
      cells: readArray(this.#view, at, WAN_NODE, 'cells'),
    };
  }

  /** ARN counters of a port. @param index of the port, below the plan's number of ports. */
  port(index: number): RawWanPort {
    const at = recordAt(this.#abi, SIM_WAN_PORTS, WAN_PORT, index);
    const { sent, refreshed, resumes, received, expired, heldPs } = readFields(this.#view, at, WAN_PORT, [
      'sent',
      'refreshed',
      'resumes',
      'received',
      'expired',
      'heldPs',
    ]);
    return {
      arnsSent: sent,
      arnsRefreshed: refreshed,
      arnResumes: resumes,
      arnsReceived: received,
      arnsExpired: expired,
      arnHeldPs: heldPs,
    };
  }

  /** How long each service, flow or class was held, picoseconds, summed over ports. */
  heldPs(): readonly number[] {
    const arnPorts = this.#wan.flowControl.ports.filter(({ control }) => control === 'arn').length;
    return Array.from({ length: arnPorts > 0 ? this.#keys : 0 }, (_, key) => {
      let sum = 0;
      for (let port = 0; port < arnPorts; port++) {
        const at = recordAt(this.#abi, SIM_WAN_ENTRIES, ARN_ENTRY, port * this.#keys + key);
        sum += readField(this.#view, at, ARN_ENTRY, 'heldPs');
      }
      return sum;
    });
  }
}
