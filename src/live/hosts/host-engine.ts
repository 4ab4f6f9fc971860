/**
 * The engines of emulated hosts: one for all senders and one for all receivers. With both ends of a QP in one engine,
 * data arriving at the receiver would be mistaken for data sent by the sender.
 */
import type { TelemetrySettings } from '../../config/telemetry.js';
import { createEngineSync } from '../../engine/create.js';
import type { Engine } from '../../engine/engine.js';
import type { HostsSettings } from './settings.js';

/** Where Fast CNPs with option 2 carry the trace of `src/switching/hop-trace.ts`. */
const TRACES: Partial<TelemetrySettings> = {
  txBytes: { field: 'namespace-data-wide', fromBit: 16, bits: 48, unit: 1 },
  lineRate: { field: 'namespace-data', fromBit: 0, bits: 32, unit: 1e6 },
};

/** @param hosts number of emulated hosts. */
export function hostEngine(settings: HostsSettings, hosts: number): Engine {
  const { parameterSets, flows, cnpIntervalPs, acceptsFastCnps, duplicateWindowPs, seed } = settings;
  return createEngineSync({
    parameterSets: Object.fromEntries(parameterSets.map((set, index) => [`p${index}`, set])),
    capacity: {
      qps: Math.max(1, flows.length),
      endpoints: hosts,
      addresses: hosts,
      events: 1,
      packets: 1,
      frameBytes: 65_536,
    },
    parser: { icrc: 'check', icrcWithExtensionHeaders: settings.icrcPolicy },
    ...(settings.hopByHop.length > 0 && { telemetry: TRACES }),
    notificationPoint: { minTimeBetweenCnpsPs: cnpIntervalPs },
    fastCnp: { enabled: acceptsFastCnps, defaultAction: 'allow', duplicateWindowPs },
    rateActions: false,
    lateEvents: 'clamp',
    hashSeed: seed,
  });
}
