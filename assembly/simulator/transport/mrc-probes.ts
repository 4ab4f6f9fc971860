/**
 * Packets of MRC's path probes. Which entropies are probed, and when: path-selection/probes.ts.
 *
 *   probe    a packet of headers only, in the flow's class, without a PSN; forwarded, marked and lost like data of its entropy, never trimmed
 *   SACK     sent immediately; names the probe and echoes its mark
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-formats.md, 2.9; docs/specs/mrc-transport.md, 3.4).
 * Deviations  the SACK of a probe updates only path selection; congestion control is notified only by SACKs of data.
 */
import { PACKET_DATA, PACKET_PROBE, SIM_NONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { addSource } from '../event-sources';
import { flowAt, portAt, simCapacity } from '../network';
import { response } from '../nic';
import { makePacket, packetAt } from '../packets';
import { entropiesOf, probeBytes, setSourcePort, sourcePortOfPacket } from '../path-selection/memory';
import * as probes from '../path-selection/probes';
import { mrcOf } from './memory';
import { SimFlow, SimPacket } from '../../records/network';
import { FIRST_ENTROPY_PORT, FlowEntropies } from '../../records/balancing';
import { SIM_CAPACITY_PROBES } from '../../records/sim-run';
import { PROBE_PATH, TRIM_NONE } from '../../records/transports';

/** Sequence number of probes; no data packet has it. */
const NO_SEQUENCE: i64 = -1;

/** Adds the events at which senders probe paths. */
export function addProbes(): void {
  probes.placeProbes(addSource(simCapacity(SIM_CAPACITY_PROBES), sendProbes));
}

/** Sends a flow's probes that are due. */
function sendProbes(number: u32): void {
  const flow = flowAt(number);
  const entropies = entropiesOf(number);
  const count = probes.beginProbes(flow, entropies);
  if (!count) return;
  for (let entropy: u32 = 0; entropy < count; entropy++)
    if (probes.takeProbe(flow, entropies, entropy)) sendProbe(flow, number, entropies, entropy);
  probes.endProbes(flow, entropies, count);
}

/** Sends a probe of an entropy, with the number assigned last. */
function sendProbe(flow: SimFlow, number: u32, entropies: FlowEntropies, entropy: u32): void {
  const index = makePacket(PACKET_PROBE, number, flow.dataClass, probeBytes);
  if (index == SIM_NONE) return;
  const packet = packetAt(index);
  packet.kind = <u8>PACKET_DATA;
  packet.sequence = NO_SEQUENCE;
  packet.sentPs = nowPs;
  setSourcePort(packet, FIRST_ENTROPY_PORT + entropies.upper + entropy);
  const part = mrcOf(packet);
  part.trimmed = <u8>TRIM_NONE;
  part.asks = 0;
  part.again = 0;
  part.probe = <u8>PROBE_PATH;
  part.cause = <u16>(entropies.nextProbe - 1);
  response(portAt(flow.sourcePort), flow.dataClass, index, nowPs);
}

/** Handles the SACK of a path probe of an unfinished flow. */
export function takeProbeAck(flow: SimFlow, packet: SimPacket): void {
  const part = mrcOf(packet);
  probes.takeProbeAck(flow, sourcePortOfPacket(packet) - FIRST_ENTROPY_PORT, part.cause, packet.echo != 0,
    part.asks != 0);
}
