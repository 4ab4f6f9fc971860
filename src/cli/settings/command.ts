/** The options of `roce-cc settings`, for commander. */
import { Option, type Command } from 'commander';
import { gbps } from '../../units.js';
import type { CommandContext } from '../command-table.js';
import { parseCount, parseDuration, parseRate, partOption } from '../option-values.js';
import { SETTINGS_KINDS } from '../replay/settings-kinds.js';
import type { SettingsFlags } from './run-settings.js';

const EXAMPLES = `
What is read: NVIDIA settings (a folder ecn with roce_rp and roce_np, text of its files, cc_params
of the debug file system, an mlxconfig query or its set lines, the output of mlnx_qos), module
parameters and configfs of irdma, and the config_db.json of a SONiC switch. Names, units and ranges are the vendor's; the library's interpretation follows them.

Exit codes: 0 success, and with --compare no differences; 3 differences; 1 bad input; 2 bad command line.

Examples:
  roce-cc settings /sys/class/net/eth2/ecn --line-rate 200G
  roce-cc settings mlxconfig-query.txt --compare other-host.txt
  roce-cc settings leaf1/config_db.json --compare leaf2/config_db.json
  roce-cc run incast-16 --settings mlxconfig-query.txt
`;

export function defineSettings(command: Command, { output, finish }: CommandContext): void {
  command
    .description("Reads a vendor's settings of congestion control or QoS, and shows what they mean.")
    .argument('<path>', 'a file or a folder; - for standard input')
    .option('--compare <path>', 'show the differences from these settings')
    .addOption(
      new Option('--settings-kind <kind>', 'kind of adapter settings (default: detected from their names)').choices(
        SETTINGS_KINDS,
      ),
    )
    .addOption(
      new Option('--line-rate <rate>', "rate of the adapter's port").argParser(parseRate).default(gbps(100), '100G'),
    )
    .addOption(partOption('--device <n>', 'mlxconfig: the device, as numbered in its output (default: the only one)'))
    .addOption(partOption('--port <n>', 'mlxconfig: the port (default: 1)'))
    .addOption(new Option('--mss <bytes>', 'irdma: bytes of a segment').argParser(parseCount))
    .addOption(new Option('--rtt <time>', 'irdma: round-trip time').argParser(parseDuration))
    .option('--json', 'print JSON, and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: SettingsFlags) => {
      const { runSettings } = await import('./run-settings.js');
      finish(await runSettings(file, flags, output));
    });
}
