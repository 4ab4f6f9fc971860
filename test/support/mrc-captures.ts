/** The capture of a run, and what it is when read back. */
import { readCapture } from '../../src/capture/index.js';
import { dissect, type Packet } from '../../src/packet/dissect.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { PortCapture } from '../../src/sim/files/capture.js';
import type { PacketRecord } from '../../src/sim/result.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

export function captureOf(spec: ScenarioSpec, records: readonly PacketRecord[]): Uint8Array {
  const capture = new PortCapture(compileScenario(validateScenario(spec)).plan);
  for (const record of records) capture.add(record);
  return capture.finish();
}

export async function readPackets(spec: ScenarioSpec, records: readonly PacketRecord[]): Promise<Packet[]> {
  const packets: Packet[] = [];
  for await (const { bytes } of readCapture(captureOf(spec, records))) packets.push(dissect(bytes.slice()));
  return packets;
}
