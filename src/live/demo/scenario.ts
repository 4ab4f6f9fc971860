/**
 * The scenario of the demo: sixteen senders to one receiver through one switch, under DCQCN, with or without Fast CNPs.
 *
 * Parameters that are ratios (g, F, the cut) are those of the SIGCOMM 2015 paper; times are longer. At 200 Mb/s a
 * packet of 1,024 bytes takes 44 us, and at a sixteenth of the link a flow sends one in 0.7 ms, so 50 us between CNPs
 * would mean a CNP per packet. g, the steps and the thresholds were tuned in virtual time until all flows were within 5
 * % of a sixteenth after half a second (test/live/hosts.test.ts). At other rates, times scale with 1 / rate and steps
 * with the rate.
 */
import type { ScenarioSpec } from '../../sim/scenario/spec.js';
import { US_PER_MS } from '../../unit-sizes.js';

/** Kind of notification. */
export type DemoMode = 'dcqcn' | 'dcqcn-fast-cnp';

export const DEMO_SENDERS = 16;
const TUNED_MBPS = 200;
const MS_PS = 1e9;
const MBPS = 1e6;
const BPS_PER_GBPS_MBPS = 1000;

/** @param rateMbps of all links, 10 to 10,000. */
export function demoScenario(mode: DemoMode, rateMbps: number, senders = DEMO_SENDERS): ScenarioSpec {
  const slower = TUNED_MBPS / rateMbps;
  const rateGbps = rateMbps / BPS_PER_GBPS_MBPS;
  const step = Math.round(MBPS / slower);
  return {
    name: `live demo, ${mode}`,
    topology: { kind: 'star', hosts: senders + 1, rateGbps, delayNs: 10_000 },
    workload: { kind: 'incast', senders, sizeBytes: 1_000_000_000 },
    algorithms: {
      default: {
        preset: 'dcqcn-sigcomm15',
        parameters: {
          minRateBps: Math.round((MBPS / 10) / slower),
          aiRateBps: step,
          haiRateBps: step,
          increasePeriodPs: Math.round(3 * MS_PS * slower),
          alphaPeriodPs: Math.round(MS_PS * slower),
          alphaGain: 1 / 16,
          byteCounterBytes: 0,
        },
      },
    },
    switches: {
      bufferBytes: 600_000,
      headroomBytes: 10_000,
      ecn: { byRate: [{ rateGbps, kminKB: 10, kmaxKB: 100, pmax: 0.2 }] },
      fastCnp: {
        enabled: mode === 'dcqcn-fast-cnp',
        flowRatePerSecond: Math.round(1000 / slower),
        flowBurst: 1,
      },
    },
    hosts: { cnpIntervalUs: US_PER_MS * slower, retransmitTimeoutUs: 500 * US_PER_MS, mtuBytes: 1024 },
  };
}
