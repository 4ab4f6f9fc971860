/**
 * How far live and simulated lie apart: `npm run live-study`, as root, prints the tables and with `--write` writes docs/studies/live-study.md. It
 * takes two minutes, most of them real links.
 */
import { cpus } from 'node:os';
import { writeFileSync } from 'node:fs';
import { incastRow, livePage } from './page.js';
import { MODES, real, replayed } from './runs.js';
import { withRepositoryLinks } from '../../scripts/repository-links.js';

const SENDERS = 16;
const OVER = { udp: 'UDP sockets', namespaces: 'namespaces, veth' } as const;

const rows: string[] = [];
for (const over of ['udp', 'namespaces'] as const) {
  for (const mode of MODES) rows.push(incastRow(SENDERS, mode, OVER[over], await real(mode, over)));
}
const machine = `${cpus().length} cores of ${cpus()[0]?.model.replace(/ \d+-Core Processor/, '') ?? 'an unknown CPU'}`;
const page = livePage({ machine, rows, replay: await replayed() });
process.stdout.write(page);
if (process.argv.includes('--write'))
  writeFileSync(new URL('../../docs/studies/live-study.md', import.meta.url), withRepositoryLinks(page));
