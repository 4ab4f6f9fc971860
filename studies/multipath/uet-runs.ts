/** The same permutation and incast by uet-htsim's own simulation (`roce-cc/uet`): Ultra Ethernet with NSCC and with RCCC. */
import { runUetReference } from '../../src/uet/index.js';
import { PS_PER_US } from '../../src/units.js';
import { table, tableRow } from '../../scripts/markdown-table.js';

const HOSTS = 128;
const CONTROLS = [['NSCC', '-sender_cc_only'], ['RCCC', '-receiver_cc_only'], [
  'NSCC and RCCC',
  '-receiver_cc',
]] as const;
const FAILED = [['healthy', '0'], ['one link at a quarter of its rate', '1']] as const;

/** A flow from each host to another one, by a step that has no common factor with the number of hosts. */
const permutation = Array.from({ length: HOSTS },
  (_, host) => `${host}->${(host * 37 + 19) % HOSTS} start 0 size 1000000`);
const incast = Array.from({ length: 48 }, (_, host) => `${host}->${HOSTS - 1} start 0 size 250000`);
const WORKLOADS = [['permutation', permutation], ['incast, 48 to 1', incast]] as const;

export function uetTable(): string {
  const rows = WORKLOADS.flatMap(([workload, lines]) =>
    CONTROLS.flatMap(([control, option]) =>
      FAILED.map(([condition, failed]) => {
        const matrix = `Nodes ${HOSTS}\nConnections ${lines.length}\n${lines.join('\n')}\n`;
        const { totals } = runUetReference([
          ...['-tm', 'study.cm', '-nodes', String(HOSTS), '-tiers', '2', '-linkspeed', '400000', '-hop_latency', '0.5'],
          ...['-failed', failed, '-load_balancing_algo', 'reps', option, '-end', '5000'],
        ], () => matrix);
        return tableRow([
          workload,
          control,
          condition,
          (totals.last_finish_ps / PS_PER_US).toFixed(1),
          `${(100 * totals.rtx_pkts / (totals.new_pkts + totals.rtx_pkts)).toFixed(1)} %`,
          String(totals.trims),
          String(totals.timeouts),
        ]);
      })
    )
  );
  return table(['workload', 'control', 'network', 'all, µs', 'retransmitted', 'trimmed', 'timeouts'], rows, 3);
}
