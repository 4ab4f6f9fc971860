/** The engine inside the kernel: one endpoint per host, one QP per flow, set up as any other user would. */
import { engineConfig } from '../../config/engine-config.js';
import { Engine } from '../../engine/engine.js';
import { WasmBackend } from '../../engine/wasm-backend.js';
import type { NetworkPlan } from '../plan.js';
import type { SimAbi } from './sim-abi.js';

/** Addresses fd00::n, n = node index: what the kernel puts into Fast CNPs. */
function nodeAddress(node: number): Uint8Array {
  const address = new Uint8Array(16);
  address[0] = 0xfd;
  new DataView(address.buffer).setUint32(12, node);
  return address;
}

/** QPN of a flow, at both ends. */
function flowQpn(flow: number): number {
  return flow + 1;
}

export function openEngine(abi: SimAbi, plan: NetworkPlan): Engine {
  const engine = new Engine(new WasmBackend(abi), engineConfig({
    parameterSets: Object.fromEntries(
      plan.parameterSets.map((parameterSet, index) => [parameterSetName(index), parameterSet]),
    ),
    capacity: {
      qps: Math.max(1, plan.flows.length),
      endpoints: plan.nodes.length,
      addresses: plan.nodes.length,
      events: 1,
      packets: 1,
      frameBytes: 64,
    },
    notificationPoint: { minTimeBetweenCnpsPs: plan.rules.cnpIntervalPs },
    fastCnp: {
      enabled: plan.fastCnp.accepted,
      defaultAction: 'allow',
      duplicateWindowPs: plan.fastCnp.duplicateWindowPs,
    },
    rateActions: false,
    hashSeed: plan.seed,
  }));
  plan.nodes.forEach((_, node) => {
    engine.addEndpoint([nodeAddress(node)]);
  });
  plan.flows.forEach((flow, index) => {
    engine.openQp({
      endpoint: flow.source,
      localQpn: flowQpn(index),
      peerQpn: flowQpn(index),
      peerAddress: nodeAddress(flow.destination),
      parameterSet: parameterSetName(flow.parameterSet),
    });
  });
  return engine;
}

function parameterSetName(index: number): string {
  return `p${index}`;
}
