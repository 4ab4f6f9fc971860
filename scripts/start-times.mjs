// What it costs to start the command line, compared with `node -e 0`: CPU time and peak memory of whole processes.
//
//   npm run start-times
//   npm run start-times -- --rounds 41
//   npm run start-times -- --main ../other/dist/cli/main.js    another build
//
// Every round runs each command once, in order. Values are medians; a ratio is the median of the ratios of all rounds. Each
// process reports its own time and memory when it ends. At the end the packed package is installed in an empty folder and
// started by npx.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, at } from './paths.mjs';

const OWN_MAIN = at('dist', 'cli', 'main.js');
const SMALL_CAPTURE_FRAMES = 50;
/** Done, and findings of lint. */
const EXPECTED = [0, 3];
/** Preloaded into each process. Descriptor 3 is a pipe to this one. */
const REPORT_USAGE = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  require('node:fs').writeSync(3, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1e3, memoryMB: maxRSS / 1024 }));
});
`;

const { values: { rounds, main } } = parseArgs({
  options: { rounds: { type: 'string', default: '21' }, main: { type: 'string', default: OWN_MAIN } },
});
const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-start-times-'));
try {
  const cases = casesOf(path.resolve(main), makeSmallCapture());
  printUsage(cases, measure(cases, Number(rounds)));
  if (main === OWN_MAIN) printPacked();
} finally {
  rmSync(folder, { recursive: true });
}

/** The first frames of the bundled capture. */
function makeSmallCapture() {
  const file = path.join(folder, 'small.pcapng');
  const roceCc = (args, input) => spawnSync(process.execPath, [OWN_MAIN, ...args], { input, encoding: 'utf8' });
  const source = at('examples', 'data', 'incast.pcap.gz');
  const { stdout } = roceCc(['dissect', source, '--json', '--limit', String(SMALL_CAPTURE_FRAMES)]);
  const { status, stderr } = roceCc(['craft', '-', '--output', file], stdout);
  if (status !== 0) throw new Error(stderr);
  return file;
}

function casesOf(executable, smallCapture) {
  const roceCc = (words, ...files) => {
    const name = ['roce-cc', ...words, ...files.map(() => 'FILE')].join(' ');
    return { name, args: [executable, ...words, ...files] };
  };
  return [
    { name: 'node -e 0', args: ['-e', '0'] },
    roceCc(['--version']),
    roceCc(['--help']),
    roceCc(['lint', '--help']),
    roceCc(['lint'], at('examples', 'operators', 'path.json')),
    roceCc(['dissect'], smallCapture),
    roceCc(['headroom']),
    roceCc(['plan']),
    roceCc(['settings'], at('test', 'data', 'settings', 'mlxconfig-query.txt')),
    roceCc(['replay'], smallCapture),
  ];
}

function measure(cases, rounds) {
  const preload = path.join(folder, 'report-usage.cjs');
  writeFileSync(preload, REPORT_USAGE);
  const usages = cases.map(() => []);
  // The first round warms the caches of the system, and does not count.
  for (let round = -1; round < rounds; round++) {
    for (const [index, { args }] of cases.entries()) {
      const usage = usageOf(['--require', preload, ...args]);
      if (round >= 0) usages[index].push(usage);
    }
  }
  return usages;
}

function usageOf(args) {
  const { output, status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  if (!EXPECTED.includes(status)) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  return JSON.parse(output[3].toString());
}

function printUsage(cases, usages) {
  const [base] = usages;
  print('| command | CPU, ms | of node | peak memory, MB | of node |');
  print('|---|---:|---:|---:|---:|');
  for (const [index, { name }] of cases.entries()) {
    const cells = ['cpuMs', 'memoryMB'].flatMap((key) => [
      median(usages[index].map((usage) => usage[key])).toFixed(1),
      median(usages[index].map((usage, round) => usage[key] / base[round][key])).toFixed(2),
    ]);
    print(`| \`${name}\` | ${cells.join(' | ')} |`);
  }
}

/** Commands of a user who installs the tarball in an empty folder. */
function printPacked() {
  const [{ filename, size, unpackedSize }] = JSON.parse(
    npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], ROOT).stdout,
  );
  print(`\n${filename}: ${size} bytes, ${unpackedSize} unpacked`);
  npm(['init', '--yes'], folder);
  npm(['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], folder);
  for (const which of ['first', 'second']) {
    const begin = performance.now();
    const { stdout } = npm(['exec', '--offline', '--', 'roce-cc', '--version'], folder);
    print(`npx roce-cc --version, ${which}: ${((performance.now() - begin) / 1e3).toFixed(2)} s, ${stdout.trim()}`);
  }
}

/** `npm exec` is npx. */
function npm(args, cwd) {
  const cli = process.env.npm_execpath;
  const [command, ...words] = cli?.endsWith('npm-cli.js') ? [process.execPath, cli, ...args] : ['npm', ...args];
  const done = spawnSync(command, words, { cwd, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`npm ${args.join(' ')}: ${done.stderr}`);
  return done;
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
