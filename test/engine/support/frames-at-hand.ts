/** Frames of the corpora, changed copies of them, and engines configured with their addresses and QPs. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CLASS_CNP, CLASS_DATA, CLASS_FAST_CNP_1, CLASS_FAST_CNP_2, LINK_ETHERNET,
  LINK_RAW_IP } from '../../../src/abi/codes.js';
import type { Engine } from '../../../src/index.js';
import { parseFrame, type ParsedFrame } from '../../../src/reference/parse-frame.js';
import { parseIpAddress } from '../../../src/wire/ip/ip-address.js';
import { Cnp } from '../../../src/wire/roce/cnp.js';
import { FastCnp } from '../../../src/wire/roce/fast-cnp.js';
import { readCapture, type CapturedFrame } from '../../parser/support/captures.js';
import { readCorpus } from '../../parser/support/corpus.js';
import { assemble, mutate, type Chance } from '../../parser/support/random-frames.js';
import { DOMAIN_RULES } from '../../parser/support/rules.js';
import { CAPTURES } from '../../support/captures.js';
import type { Herd } from './herd.js';

const SMALL = fileURLToPath(new URL('../../captures/small/', import.meta.url));
const CAPTURE_NAME = /[.]pcap(ng)?([.]gz)?$/;
const ENDPOINTS = 4;
/** One in this many flows is unknown to the engines. */
const UNKNOWN_FLOWS = 5;
const CE_IPV4 = 0x03;
const CE_IPV6 = 0x30;

function framesIn(folder: string): CapturedFrame[] {
  const names = readdirSync(folder).filter((name) => CAPTURE_NAME.test(name));
  return names.flatMap((name) => readCapture(folder + name));
}

const SENDER = parseIpAddress('2001:db8:5e01::10');
const RECEIVER = parseIpAddress('2001:db8:4e01::20');
const SWITCH = parseIpAddress('2001:db8:7::7');
const FLOW = { localQpn: 0x77, peerAddress: RECEIVER, peerQpn: 0x99 };

/** A CNP and a Fast CNP for the same flow, which no capture contains. */
function framesOfOneFlow(): CapturedFrame[] {
  const cnp = Cnp.write({ source: RECEIVER, destination: SENDER, destQpn: FLOW.localQpn });
  const addresses = { source: SWITCH, destination: SENDER, originalDestination: RECEIVER };
  const fastCnp = FastCnp.write({ ...addresses, destQpn: FLOW.peerQpn });
  return [fastCnp, cnp, fastCnp].map((bytes) => ({ bytes, original: bytes.length, link: LINK_RAW_IP }));
}

/** Frames of test/data in the order of their files, then a few more. */
export function localFrames(): CapturedFrame[] {
  return [...framesOfOneFlow(), ...readCorpus().map(({ frame }) => frame), ...framesIn(SMALL)];
}

/** Frames of all captures of test/captures. */
export const corpusFrames = (): CapturedFrame[] => framesIn(CAPTURES);

interface Sighting {
  readonly parsed: ParsedFrame;
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly original: Uint8Array;
}

function addressIn({ bytes }: CapturedFrame, { ipVersion, ipOffset }: ParsedFrame, inIpv4: number,
  inIpv6: number): Uint8Array {
  if (ipVersion === 6) return bytes.slice(ipOffset + inIpv6, ipOffset + inIpv6 + 16);
  return Uint8Array.from([
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    255,
    255,
    ...bytes.subarray(ipOffset + inIpv4, ipOffset + inIpv4 + 4),
  ]);
}

function sightingsIn(frames: readonly CapturedFrame[]): Sighting[] {
  return frames.flatMap((frame) => {
    const parsed = parseFrame(frame.bytes, frame.original, frame.link, DOMAIN_RULES);
    if (![CLASS_DATA, CLASS_CNP, CLASS_FAST_CNP_1, CLASS_FAST_CNP_2].includes(parsed.classCode)) return [];
    const at = parsed.originalDestinationOffset;
    const original = frame.bytes.slice(at, at + 16);
    return [{
      parsed,
      source: addressIn(frame, parsed, 12, 8),
      destination: addressIn(frame, parsed, 16, 24),
      original,
    }];
  });
}

/** Adds most of the addresses and QPs in the frames to the engines, up to their capacity. */
export function introduce(herd: Herd, frames: readonly CapturedFrame[]): void {
  const sightings = sightingsIn(frames);
  const endpoints = new Map<string, number>();
  for (const { destination, source } of sightings) {
    for (const address of [destination, source]) {
      const key = address.join('.');
      if (!endpoints.has(key)) endpoints.set(key, endpoints.size % ENDPOINTS);
    }
  }
  const addresses = [...endpoints.keys()].map((text) => Uint8Array.from(text.split('.').map(Number)));
  for (let endpoint = 0; endpoint < ENDPOINTS; endpoint++) {
    const own = addresses.filter((address, index) =>
      endpoints.get(address.join('.')) === endpoint && index % UNKNOWN_FLOWS !== 4
    );
    herd.step((engine) => engine.addEndpoint(own.slice(0, 50)));
  }
  herd.step((engine) => engine.openQp({ endpoint: endpoints.get(SENDER.join('.')) ?? 0, ...FLOW }));
  sightings.forEach((sighting, index) => {
    if (index % UNKNOWN_FLOWS !== 3) openFor(herd, sighting, endpoints, index + 1);
  });
}

function openFor(herd: Herd, sighting: Sighting, endpoints: ReadonlyMap<string, number>, number: number): void {
  const { parsed, source, destination, original } = sighting;
  const local = endpoints.get(destination.join('.')) ?? 0;
  const remote = endpoints.get(source.join('.')) ?? 0;
  const qpn = Math.max(1, parsed.destQpn);
  const open = (endpoint: number, localQpn: number, peerAddress: Uint8Array, peerQpn: number): void => {
    herd.step((engine) => engine.openQp({ endpoint, localQpn, peerAddress, peerQpn }));
  };
  if (parsed.classCode === CLASS_CNP) open(local, qpn, source, number);
  else if (parsed.classCode !== CLASS_DATA) open(local, number, original, qpn);
  else {
    open(remote, number, destination, qpn);
    open(local, qpn, source, number);
  }
}

/** A copy with CE in its IP header, when it has one. */
export function markCe(frame: CapturedFrame): CapturedFrame {
  const { ipVersion, ipOffset } = parseFrame(frame.bytes, frame.original, frame.link, DOMAIN_RULES);
  const bytes = frame.bytes.slice();
  if (ipVersion !== 0) bytes[ipOffset + 1] = (bytes[ipOffset + 1] ?? 0) | (ipVersion === 4 ? CE_IPV4 : CE_IPV6);
  return { ...frame, bytes };
}

/** A given frame, possibly mutated, truncated, CE-marked or with another link type, or a random one. */
export function frameByChance(chance: Chance, frames: readonly CapturedFrame[]): CapturedFrame {
  const frame = frames[chance.below(frames.length)]!;
  switch (chance.below(12)) {
    case 0:
    case 1:
      return { ...frame, bytes: mutate(chance, frame.bytes), original: frame.original + chance.below(3) * 10 };
    case 2: {
      const bytes = assemble(chance);
      return { bytes, original: bytes.length + chance.below(2) * 100, link: LINK_ETHERNET };
    }
    case 3:
      return { ...frame, bytes: frame.bytes.subarray(0, chance.below(frame.bytes.length + 1)) };
    case 4:
      return { ...frame, link: frame.link === LINK_RAW_IP ? LINK_ETHERNET : LINK_RAW_IP };
    case 5:
    case 6:
    case 7:
      return markCe(frame);
    default:
      return frame;
  }
}

/** All reports of an engine on the frames applied last. */
export function reportsOf({ packets }: Engine): unknown[] {
  return Array.from({ length: packets.appliedLength }, (_, index) => packets.report(index));
}
