/** Selects the frames that `roce-cc dissect` shows. */
import { CLASS_NAMES, type ClassName } from '../../abi/names.js';
import type { Packet } from '../../packet/index.js';
import { prefixContains, type IpPrefix } from '../../wire/ip/ip-address.js';

/** Families of frame classes, by the common name that `--class` also takes. */
const FAMILIES = { 'fast-cnp': ['fast-cnp-1', 'fast-cnp-2'] } as const satisfies Readonly<
  Record<string, readonly ClassName[]>
>;

/** Transports whose packets have a class of another one. */
const MULTIPATH = ['mrc', 'uet'] as const;
type Multipath = (typeof MULTIPATH)[number];

/** A class, or a family of classes such as all variants of Fast CNP. */
type ClassChoice = ClassName | keyof typeof FAMILIES | Multipath;

/** All names that `--class` takes. */
export const CLASS_CHOICES = [
  ...Object.keys(CLASS_NAMES),
  ...Object.keys(FAMILIES),
  ...MULTIPATH,
] as readonly ClassChoice[];

/**
 * Whether a frame's class is one of `choices` or in one of these families. `mrc` and `uet` match every packet of that
 * transport, whatever its class.
 */
function isOfClasses(packet: Packet, choices: readonly ClassChoice[]): boolean {
  return choices.some((choice) => {
    if (choice === 'mrc' || choice === 'uet') return packet[choice] !== undefined;
    return choice === packet.class || (familyOf(choice)?.includes(packet.class) ?? false);
  });
}

function familyOf(choice: ClassChoice): readonly ClassName[] | undefined {
  return choice in FAMILIES ? FAMILIES[choice as keyof typeof FAMILIES] : undefined;
}

export interface FilterFlags {
  /** Accepted classes; absent: any. */
  readonly class?: readonly ClassChoice[];
  /** Accepted QPNs; empty: any. */
  readonly qpn: readonly number[];
  /** Accepted addresses of either end; empty: any. */
  readonly address: readonly IpPrefix[];
}

/** Whether a packet passes all given filters. */
export function passes(packet: Packet, { class: classes, qpn, address }: FilterFlags): boolean {
  if (classes !== undefined && !isOfClasses(packet, classes)) return false;
  const destQpn = packet.destQpn ?? packet.mrc?.destQpn;
  if (qpn.length > 0 && (destQpn === undefined || !qpn.includes(destQpn))) return false;
  return address.length === 0 || isFromOrTo(packet, address);
}

/** Compares the packet's addresses, or, in a tunnel, those of the outermost header. */
function isFromOrTo({ ip, tunnel }: Packet, prefixes: readonly IpPrefix[]): boolean {
  return [ip, tunnel?.outer].some((header) =>
    header !== undefined &&
    prefixes.some((prefix) => prefixContains(prefix, header.source) || prefixContains(prefix, header.destination))
  );
}
