/** Packs this repository and installs the tarball, offline, into a separate project. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { npmCommand } from './npm-command.js';
import { exampleIncasts, RANDOM_SCENARIO } from '../support/determinism-scenarios.js';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const HERE = path.join(REPOSITORY, 'test', 'package');

export interface InstalledPackage {
  /** The project that uses the package: app.ts, app.js and their bundles. */
  readonly projectDir: string;
  /** The folder of that project with the application of the simulator. */
  readonly simDir: string;
  /** The folder of the installed package. */
  readonly packageDir: string;
  remove(): void;
}

export function installPackedPackage(): InstalledPackage {
  const project = installIntoProject();
  const simDir = path.join(project.projectDir, 'sim');
  writeApp(project.projectDir);
  writeSimApp(simDir, project.packageDir);
  return { ...project, simDir };
}

/** Creates a project that contains only the package. */
export function installIntoProject(): Omit<InstalledPackage, 'simDir'> {
  const projectDir = mkdtempSync(path.join(tmpdir(), 'roce-cc-package-'));
  const tarball = pack(projectDir);
  writeFileSync(path.join(projectDir, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  npm(['install', '--offline', '--ignore-scripts', `./${tarball}`], projectDir);
  return {
    projectDir,
    packageDir: path.join(projectDir, 'node_modules', 'roce-cc'),
    remove: () => {
      rmSync(projectDir, { recursive: true, force: true });
    },
  };
}

/** The output of a program of the project. */
export function runNode(installed: InstalledPackage, args: readonly string[]): string {
  return execFileSync(process.execPath, args, { cwd: installed.projectDir, encoding: 'utf8' }).trim();
}

function pack(into: string): string {
  const report = npm(['pack', '--ignore-scripts', '--json', '--pack-destination', into], REPOSITORY);
  const [packed] = JSON.parse(report) as { filename: string }[];
  return packed!.filename;
}

function npm(args: readonly string[], cwd: string): string {
  const [command, ...words] = npmCommand(args);
  return execFileSync(command, words, { cwd, encoding: 'utf8' });
}

function writeApp(projectDir: string): void {
  const source = readFileSync(path.join(HERE, 'app.ts'), 'utf8');
  copyFileSync(path.join(HERE, 'app.ts'), path.join(projectDir, 'app.ts'));
  writeFileSync(path.join(projectDir, 'app.js'), transformSync(source, { loader: 'ts', format: 'esm' }).code);
  writeFileSync(path.join(projectDir, 'node-main.js'), NODE_MAIN);
  writeFileSync(path.join(projectDir, 'page-main.js'), PAGE_MAIN);
  writeFileSync(path.join(projectDir, 'index.html'), pageOf('<script type="module" src="./page-main.js"></script>'));
}

const NODE_MAIN = `import { stateHashOfWorkload } from './app.js';
console.log(stateHashOfWorkload());
`;

const PAGE_MAIN = `import { stateHashOfWorkload } from './app.js';
document.body.dataset.hash = stateHashOfWorkload();
`;

/** Writes the application with the package's example scenarios and a random one. */
function writeSimApp(simDir: string, packageDir: string): void {
  mkdirSync(simDir);
  const write = (name: string, text: string): void => {
    writeFileSync(path.join(simDir, name), text);
  };
  const source = readFileSync(path.join(HERE, 'sim-app.ts'), 'utf8');
  const examples = exampleIncasts(pathToFileURL(path.join(packageDir, 'examples', 'scenarios', path.sep)));
  write('sim-app.ts', source);
  write('sim-app.js', transformSync(source, { loader: 'ts', format: 'esm' }).code);
  write('scenarios.js', `export const SCENARIOS = ${JSON.stringify([...examples, RANDOM_SCENARIO])};\n`);
  write('node-main.js', SIM_NODE_MAIN);
  write('page-main.js', SIM_PAGE_MAIN);
  write('index.html', pageOf('<script type="module" src="./page-main.js"></script>'));
}

const SIM_NODE_MAIN = `import { codeOfRejection, hashesOf } from './sim-app.js';
import { SCENARIOS } from './scenarios.js';
console.log(codeOfRejection() + ' ' + hashesOf(SCENARIOS));
`;

const SIM_PAGE_MAIN = `import { codeOfRejection, hashesOf } from './sim-app.js';
import { SCENARIOS } from './scenarios.js';
document.body.dataset.hash = codeOfRejection() + ' ' + hashesOf(SCENARIOS);
`;

/** An HTML page around one script element. */
export function pageOf(script: string): string {
  const head = '<meta charset="utf-8"><title>roce-cc</title>';
  return `<!doctype html><html lang="en"><head>${head}</head><body>${script}</body></html>`;
}
