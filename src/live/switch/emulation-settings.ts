/** Callers' options for an emulated switch, validated. */
import { checkFields, checkRecord, numberIn, reject, wholeIn } from '../../config/field-rules.js';
import { compileScenario, validateScenario, type ScenarioSpec } from '../../sim/index.js';
import { parseIpAddress } from '../../wire/ip/ip-address.js';
import type { SwitchRoom } from './frame-pool.js';
import { switchSettings, type Reordering, type SwitchSettings } from './settings.js';

/** The switch of a scenario to emulate, and settings that the scenario leaves open. */
export interface SwitchChoice {
  /** Name of the switch in the scenario; may be omitted if there is only one. */
  readonly node?: string | undefined;
  /** Delays a share of frames, so that others overtake them. Default: none. */
  readonly reordering?: Reordering | undefined;
  /** IP addresses of hosts, by their name in the scenario. Default: those in captures of simulated networks. */
  readonly addresses?: Readonly<Record<string, string>> | undefined;
  /** Capacity of the switch's frame memory. */
  readonly room?: SwitchRoom | undefined;
}

/** Settings and memory of the chosen switch. @throws RoceError naming the problem. */
export function settingsOfChoice(scenario: ScenarioSpec,
  choice: SwitchChoice): { readonly settings: SwitchSettings; readonly room: SwitchRoom } {
  const { node, reordering, addresses = {}, room = {} } = choice;
  checkRecord(room, 'options.room');
  if (reordering !== undefined) {
    const rules = { share: numberIn(0, 1), delayPs: wholeIn(0, 1e15, 'ps') };
    checkFields<Reordering>(reordering, rules, 'options.reordering');
  }
  const { plan } = compileScenario(validateScenario(scenario));
  const hosts = plan.nodes.filter(({ kind }) => kind === 'host').map(({ name }) => name);
  const known = new Map<string, Uint8Array>();
  for (const [name, address] of Object.entries(checkRecord(addresses, 'options.addresses'))) {
    if (!hosts.includes(name)) reject({ what: 'the host', got: name, allowed: hosts, where: 'options.addresses' });
    known.set(name, mapped(parseIpAddress(address as string, `options.addresses.${name}`)));
  }
  const settings = switchSettings(plan, {
    ...(node !== undefined && { node }),
    ...(reordering !== undefined && { reordering }),
    addresses: known,
  });
  return { settings, room };
}

/** Converts an address to 16 bytes; IPv4 to ::ffff:0:0/96. */
function mapped(address: Uint8Array): Uint8Array {
  if (address.length === 16) return address;
  return Uint8Array.from([...new Uint8Array(10), 0xff, 0xff, ...address]);
}
