/** scapy's names for the fields of a packet: from dissected layers to the expected output of support/scapy-read.py. */
import { fileURLToPath } from 'node:url';
import type { Packet } from '../../../src/packet/index.js';
import { formatIpAddress } from '../../../src/wire/ip/ip-address.js';
import type { Aeth } from '../../../src/wire/roce/extended-headers.js';
import type { Bth } from '../../../src/wire/roce/bth.js';
import { runTool } from '../../support/foreign-tools.js';
import { toHex } from '../../wire/support/hex.js';

export type ScapyFields = Readonly<Record<string, string | number>>;

/** A frame as scapy reads it; `icrc` is the stored value, `computed` the expected one. */
export interface ScapyReading {
  readonly BTH: ScapyFields;
  readonly icrc: string;
  readonly computed: string;
}

const READ_SCRIPT = fileURLToPath(new URL('scapy-read.py', import.meta.url));

/** Frames as scapy reads them, by support/scapy-read.py. */
export function readWithScapy(python: string, frames: readonly Uint8Array[]): ScapyReading[] {
  const input = new TextEncoder().encode(JSON.stringify(frames.map(toHex)));
  return JSON.parse(runTool(python, [READ_SCRIPT], input)) as ScapyReading[];
}

/** The fields of a BTH under scapy's names. */
export function bthFields(bth: Bth): ScapyFields {
  return {
    opcode: bth.opcode,
    solicited: Number(bth.solicitedEvent),
    migreq: Number(bth.migrationRequest),
    padcount: bth.padCount,
    version: bth.transportVersion,
    pkey: bth.pKey,
    fecn: Number(bth.fecn),
    becn: Number(bth.becn),
    resv6: bth.reserved6,
    dqpn: bth.destQpn,
    ackreq: Number(bth.ackRequest),
    resv7: bth.reserved7,
    psn: bth.psn,
  };
}

export function aethFields({ syndrome, msn }: Aeth): ScapyFields {
  return { syndrome, msn };
}

/** The expected reading of a frame, without `computed`. */
export function scapyFieldsOf({ layers }: Packet, bytes: Uint8Array): object {
  const found: Record<string, ScapyFields | string> = {};
  for (const { kind, value, offset, lenBytes } of layers) {
    if (kind === 'ethernet') {
      found['Ether'] = {
        dst: macText(value.destination),
        src: macText(value.source),
        type: value.tags[0]?.tpid ?? value.etherType,
      };
      const [tag] = value.tags;
      if (tag) found['Dot1Q'] = { prio: tag.priority, vlan: tag.vlanId, type: value.etherType };
    } else if (kind === 'ipv4') {
      found['IP'] = {
        version: 4,
        ihl: lenBytes / 4,
        tos: value.dscp * 4 + value.ecn,
        len: value.totalLength,
        id: value.identification,
        flags: value.flags,
        frag: value.fragmentOffset,
        ttl: value.ttl,
        proto: value.protocol,
        chksum: value.checksum,
        src: formatIpAddress(value.source),
        dst: formatIpAddress(value.destination),
      };
    } else if (kind === 'ipv6') {
      found['IPv6'] = {
        version: 6,
        tc: value.dscp * 4 + value.ecn,
        fl: value.flowLabel,
        plen: value.payloadLength,
        nh: value.nextHeader,
        hlim: value.hopLimit,
        src: formatIpAddress(value.source),
        dst: formatIpAddress(value.destination),
      };
    } else if (kind === 'udp') {
      found['UDP'] = {
        sport: value.sourcePort,
        dport: value.destinationPort,
        len: value.length,
        chksum: value.checksum,
      };
    } else if (kind === 'bth') {
      found['BTH'] = bthFields(value);
      found['payload'] = toHex(bytes.subarray(offset + lenBytes, -4));
      found['icrc'] = toHex(bytes.subarray(-4));
      // scapy decodes the AETH only in RC acknowledgements.
      const next = layers.find((layer) => layer.kind === 'aeth');
      if (value.opcode === 0x11 && next?.kind === 'aeth') found['AETH'] = aethFields(next.value);
    } else if (kind === 'cnp-reserved') {
      found['CNPPadding'] = { reserved1: 0, reserved2: 0 };
    }
  }
  return found;
}

function macText(address: Uint8Array): string {
  return Array.from(address, (byte) => byte.toString(16).padStart(2, '0')).join(':');
}
