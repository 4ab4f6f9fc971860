/** `npm run sweep-kills -- 50`: kills a sweep 50 times, and reports what was lost. */
import { CongestionPointRandom } from '../../src/reference/cp/random.js';
import { killSweep } from './kill-sweep.js';

const DEFAULT_KILLS = 50;

const kills = Number(process.argv[2] ?? DEFAULT_KILLS);
const random = new CongestionPointRandom(1);
const { ended, problems } = await killSweep(kills, () => random.next());
process.stdout.write(`${kills} kills, ${ended} sweeps ended between them, ${problems.length} problems\n`);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
