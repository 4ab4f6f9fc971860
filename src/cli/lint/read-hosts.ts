/** The hosts in a text of settings: one per adapter or port, with what can be linted of it. */
import type { ImportedSettings } from '../../config/importers/imported-settings.js';
import { importMlxconfig, listMlxconfig, type MlxconfigSection } from '../../config/importers/mlxconfig.js';
import { RoceError } from '../../errors.js';
import type { LintRule, MlnxQosPort } from '../../qos/index.js';
import { importMlnxQos, isMlnxQos } from '../../qos/mlnx-qos/import-mlnx-qos.js';
import { us } from '../../units.js';
import { importVendorText, kindOf } from '../replay/vendor-settings.js';

/** An adapter's settings of congestion control, or of QoS. */
export type HostSettings = {
  readonly adapter: ImportedSettings;
  readonly vendor: 'nvidia' | 'intel';
  /** The only rules to check; absent: all. */
  readonly rules?: readonly LintRule[];
} | { readonly qos: MlnxQosPort };

/** A host, and what a file says of it. */
export interface HostInput {
  readonly name: string;
  readonly settings: HostSettings;
}

/** What a file does not say, and which part of it to read. */
export interface HostOptions {
  readonly lineRateBps: number;
  /** Of mlxconfig; undefined: every device. */
  readonly device?: number | undefined;
  /** Of mlxconfig; undefined: the first one, and the masks of the others. */
  readonly port?: number | undefined;
}

const NAME = 'host';
/** irdma's rates depend on a path, which no rule of the linter looks at. */
const IRDMA_PATH = { mssBytes: 4096, rttPs: us(10) };
const ENDPOINT_RULES: readonly LintRule[] = ['reaction-point-off', 'notification-point-off'];

/** @throws RoceError `invalid-settings`, `invalid-config`, naming the setting. */
export function readHosts(text: string, path: string, options: HostOptions): readonly HostInput[] {
  if (!isMlnxQos(text) && kindOf(text, path) === 'mlxconfig') return mlxconfigHosts(text, options);
  for (const option of ['device', 'port'] as const) {
    if (options[option] !== undefined) rejectOption(option, options[option]);
  }
  if (isMlnxQos(text)) return mlnxQosHosts(importMlnxQos(text));
  const kind = kindOf(text, path);
  const adapter = importVendorText(text, path, { lineRateBps: options.lineRateBps, kind, ...IRDMA_PATH });
  return [{ name: NAME, settings: { adapter, vendor: kind === 'irdma' ? 'intel' : 'nvidia' } }];
}

function mlnxQosHosts(ports: readonly MlnxQosPort[]): readonly HostInput[] {
  return ports.map((qos, index) => {
    const own = qos.name === '' ? String(index + 1) : qos.name;
    const isTwice = ports.some((other, at) => at !== index && other.name === qos.name);
    const name = ports.length === 1 && qos.name === '' ? NAME : `${NAME} ${isTwice ? `${own} (${index + 1})` : own}`;
    return { name, settings: { qos } };
  });
}

function mlxconfigHosts(text: string, { lineRateBps, device, port }: HostOptions): readonly HostInput[] {
  const sections = listMlxconfig(text);
  // A device without any setting of RoCE is an InfiniBand adapter, or a part that was cut out.
  const chosen = device === undefined && sections.length > 1 ?
    sections.filter(({ ports }) => ports.length > 0) :
    [sections.find((section) => section.device === device) ?? sections[0]];
  const hosts = (chosen.length === 0 ? [sections[0]] : chosen).flatMap((section) => {
    const read = (wanted: number): ImportedSettings =>
      importMlxconfig(text, {
        lineRateBps,
        port: wanted,
        ...(device === undefined && sections.length === 1 ? {} : { device: device ?? section.device }),
      });
    return hostsOfDevice(section, port, read, sections.length > 1 ? `${NAME} device #${section.device}` : NAME);
  });
  return hosts;
}

/** The port in full, and the masks of the others. */
function hostsOfDevice({ ports }: MlxconfigSection, port: number | undefined, read: (port: number) => ImportedSettings,
  name: string): readonly HostInput[] {
  const first = port ?? (ports.includes(1) ? 1 : ports[0] ?? 1);
  const others = port === undefined ? ports.filter((other) => other !== first) : [];
  const masks = others.flatMap((other): HostInput[] => {
    const adapter = read(other);
    if (adapter.enabledPriorities.statedBy === undefined) return [];
    return [{ name: `${name} port ${other}`, settings: { adapter, vendor: 'nvidia', rules: ENDPOINT_RULES } }];
  });
  const whole = port === undefined ? name : `${name} port ${port}`;
  return [{ name: whole, settings: { adapter: read(first), vendor: 'nvidia' } }, ...masks];
}

function rejectOption(option: string, got: unknown): never {
  throw new RoceError('invalid-argument', {
    what: `--${option}`,
    problem: 'chooses in the text of mlxconfig only',
    got,
    where: `--${option}`,
  });
}
