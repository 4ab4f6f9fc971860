/** Describes MRC packets, for the line of `describe` and the tree. */
import { formatIpAddress } from '../wire/ip/ip-address.js';
import { MrcOpcode } from '../wire/mrc/bth.js';
import { Aeth } from '../wire/roce/extended-headers.js';
import { findLayer, type Packet } from './dissect.js';
import { MRC_NOTE_WORDS, type MrcCarrier, type MrcReading } from './multipath-readings.js';
import { hex } from './words.js';

const MARK_WORDS = ['', ', skip once', ', always skip', ', mark 3'];
/** A SACK over a long gap lists more PSNs than fit on a line. */
const MISSING_SHOWN = 8;
const OPERATION_WORDS = ['port status', 'EV probe'];

/** @returns for example `MRC WRITE only QP 0x00a1b2 PSN 100 MSN 7 EV 0x0001c0de`. */
export function mrcSummary(packet: Packet, mrc: MrcReading): string {
  const parts = [`${carrierWords(packet, mrc)}${nameOf(mrc)}${addressee(packet, mrc)}`, ...details(packet, mrc)];
  if (mrc.entropy !== undefined) parts.push(`EV ${hex(mrc.entropy, 8)}`);
  if (mrc.isTrimmed) parts.push(mrc.dscpName === 'TRIMMED_LASTHOP' ? 'trimmed at the last hop' : 'trimmed');
  return parts.join(', ');
}

/** The problems, joined; empty if there are none. */
export function mrcProblemWords({ problems }: MrcReading): string {
  return problems.map((problem) => MRC_NOTE_WORDS[problem]).join(', ');
}

/** Lines that the tree shows below the layers, one per finding. */
export function mrcLines(mrc: MrcReading): string[] {
  const { kind, byte1, entropy, dscpName, isTrimmed, carrier, payloadBytes, sack, nackReason, operation } = mrc;
  const lines = [`kind: ${kind}`];
  if (byte1 !== undefined) lines.push(`BTH byte 1: ${hex(byte1, 2)}, SE and M in either order`);
  if (entropy !== undefined) lines.push(`entropy: ${hex(entropy, 8)}`);
  lines.push(`DSCP class: ${dscpName ?? 'not an MRC DSCP'}`, `trimmed: ${isTrimmed ? 'yes' : 'no'}`);
  if (carrier !== undefined) lines.push(...carrierLines(carrier));
  if (payloadBytes !== undefined) lines.push(`payload: ${payloadBytes} bytes`);
  if (sack !== undefined) {
    lines.push(`SACK base: ${sack.basePsn}`, `SACK received: ${listWords(sack.received)}`,
      `SACK missing: ${listWords(sack.missing)}`);
    if (sack.causePsn !== undefined) lines.push(`SACK caused by PSN: ${sack.causePsn}`);
  }
  if (kind === 'nack') lines.push(`NACK reason: ${nackReason ?? 'unknown'}`);
  if (operation !== undefined) lines.push(`operation: ${operationWords(operation)}`);
  for (const problem of mrc.problems) lines.push(`malformed: ${MRC_NOTE_WORDS[problem]}`);
  for (const remark of mrc.remarks) lines.push(`remark: ${MRC_NOTE_WORDS[remark]}`);
  return lines;
}

function nameOf({ opcode }: MrcReading): string {
  return MrcOpcode.nameOf(opcode) ?? `MRC opcode ${hex(opcode, 2)}`;
}

function carrierWords({ tunnel }: Packet, { carrier }: MrcReading): string {
  if (carrier === undefined) return '';
  const outer = tunnel?.outer;
  const route = usidWords(carrier);
  return outer === undefined ? `uSIDs ${route}: ` : `in SRv6 ${formatIpAddress(outer.source)} > ${route}: `;
}

function carrierLines(carrier: MrcCarrier): string[] {
  const { segmentsLeft, segments = [] } = carrier;
  const lines = [`uSID carrier: ${usidWords(carrier)}`];
  if (segmentsLeft !== undefined) lines.push(`segments left: ${segmentsLeft}`);
  segments.forEach((segment, index) => lines.push(`segment ${index}: ${usidWords(segment)}`));
  return lines;
}

function usidWords({ block, usids }: Pick<MrcCarrier, 'block' | 'usids'>): string {
  const digits = hex(block, 8).slice(2);
  return `${digits.slice(0, 4)}:${digits.slice(4)}::/32 ${usids.map((usid) => hex(usid, 4).slice(2)).join(' ')}`
    .trimEnd();
}

/** The QP and PSN, as far as the kind of packet has them; an endpoint operation only has a number. */
function addressee(packet: Packet, { kind }: MrcReading): string {
  const bth = findLayer(packet, 'mrc-bth')?.value;
  if (bth === undefined) return '';
  const { psn, destQpn, retransmission } = bth;
  switch (kind) {
    case 'endpoint-request':
    case 'endpoint-response':
      return ` ${psn & 0xffff}`;
    case 'sack':
    case 'probe':
      return ` QP ${hex(destQpn, 6)}`;
    default:
      return ` QP ${hex(destQpn, 6)} PSN ${psn}${retransmission ? ' retransmitted' : ''}`;
  }
}

function details(packet: Packet, mrc: MrcReading): string[] {
  switch (mrc.kind) {
    case 'data': {
      const meth = findLayer(packet, 'meth')?.value;
      return meth === undefined ? [] : [`MSN ${meth.msn}`];
    }
    case 'ack':
      return nakDetails(packet);
    case 'sack':
      return sackDetails(packet, mrc);
    case 'nack': {
      const neth = findLayer(packet, 'neth')?.value;
      return neth ? [`${mrc.nackReason ?? `reason ${hex(neth.reason, 2)}`}, about EV ${hex(neth.entropy, 8)}`] : [];
    }
    case 'probe': {
      const peth = findLayer(packet, 'peth')?.value;
      return peth === undefined ? [] : [`probe ${hex(peth.probeId, 4)}`];
    }
    case 'endpoint-request':
    case 'endpoint-response':
      return mrc.operation === undefined ? [] : [operationWords(mrc.operation)];
    case 'reserved':
      return [];
  }
}

function nakDetails(packet: Packet): string[] {
  const syndrome = findLayer(packet, 'aeth')?.value.syndrome ?? 0;
  return Aeth.kind(syndrome) === 'nak' ? [`NAK ${Aeth.nakName(syndrome) ?? `code ${Aeth.code(syndrome)}`}`] : [];
}

function sackDetails(packet: Packet, { sack }: MrcReading): string[] {
  const seth = findLayer(packet, 'seth')?.value;
  if (seth === undefined || sack === undefined) return [];
  const { cumulativePsn, entropy, mark, probeId } = seth;
  const holes = sack.missing.length === 0 ? 'no holes' : `holes ${listWords(sack.missing)}`;
  const answer = probeId === undefined ? '' : `, answers probe ${hex(probeId, 4)}`;
  return [`cumulative PSN ${cumulativePsn}, ${holes}, about EV ${hex(entropy, 8)}${MARK_WORDS[mark]}${answer}`];
}

function operationWords(operation: number): string {
  return OPERATION_WORDS[operation] ?? `operation ${operation}`;
}

function listWords(numbers: readonly number[]): string {
  const shown = numbers.slice(0, MISSING_SHOWN).join(' ');
  const rest = numbers.length - MISSING_SHOWN;
  return numbers.length === 0 ? 'none' : rest > 0 ? `${shown} and ${rest} more` : shown;
}
