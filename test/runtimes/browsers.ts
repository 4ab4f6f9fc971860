/** Chromium and Firefox, headless with separate profiles: a page runs the probe and posts the facts to its server. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CHROMIUM_FLAGS, CHROMIUM_PATH } from '../package/browser-page.js';
import { serve, urlOf } from '../package/static-server.js';
import { UnavailableError } from './pinned.js';
import type { Facts } from './probe.js';
import { runProgram } from './run-program.js';

export interface Browser {
  readonly name: string;
  /** The environment variable with the path of its program. */
  readonly variable: string;
  readonly places: readonly string[];
  /** @param profile an empty folder, in which it may write settings. */
  args(profile: string, url: string): readonly string[];
}

/** The message that the page posts. */
type Report = { readonly facts: Facts } | { readonly problem: string };

const PAGE_MS = 240_000;
const VERSION_MS = 30_000;
const EXIT_INTERRUPTED = 130;
const KEPT_CHARACTERS = 2_000;

export const BROWSERS: readonly Browser[] = [
  {
    name: 'chromium',
    variable: 'CHROMIUM',
    places: [CHROMIUM_PATH],
    args: (profile, url) => [...CHROMIUM_FLAGS, `--user-data-dir=${profile}`, url],
  },
  {
    name: 'firefox',
    variable: 'FIREFOX',
    places: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
    args: (profile, url) => {
      const lines = Object.entries(FIREFOX_SETTINGS).map(([name, value]) =>
        `user_pref("${name}", ${String(value)});\n`
      );
      writeFileSync(path.join(profile, 'user.js'), lines.join(''));
      return ['--headless', '--no-remote', '--profile', profile, url];
    },
  },
];

/** Disables the welcome page, prompts, and requests to other servers. */
const FIREFOX_SETTINGS = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.max_script_run_time': 0,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.enabled': false,
};

function findBrowser({ variable, places }: Browser): string | undefined {
  const set = process.env[variable];
  return (set === undefined ? places : [set]).find((place) => existsSync(place));
}

/** Why a browser is not available for tests; undefined if it is. */
export function whyNoBrowser(browser: Browser): string | undefined {
  return findBrowser(browser) === undefined ? `${browser.name} is not installed` : undefined;
}

/** @throws UnavailableError with the paths that were searched. */
export function browserProgram(browser: Browser): string {
  const { name, variable, places } = browser;
  const program = findBrowser(browser);
  if (program !== undefined) return program;
  const set = process.env[variable];
  throw new UnavailableError(`no ${name} at ${set ?? places.join(', ')}; set ${variable} to the path of one`);
}

export async function browserVersion(program: string): Promise<string> {
  const { stdout } = await runProgram([program, '--version'], { cwd: tmpdir(), timeoutMs: VERSION_MS });
  return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim();
}

export async function factsFromPage(browser: Browser, program: string, dir: string): Promise<Facts> {
  const profile = mkdtempSync(path.join(tmpdir(), `roce-cc-${browser.name}-`));
  let post: (body: string) => void = () => undefined;
  const posted = new Promise<string>((resolve) => {
    post = resolve;
  });
  const server = await serve(dir, post);
  const child = spawn(program, browser.args(profile, urlOf(server, 'index.html')), {
    // In a separate process group, its helper processes can be ended with it.
    detached: true,
    env: { ...process.env, HOME: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Outside the process group of the terminal, it does not receive the signal of Ctrl-C.
  const stop = (): void => {
    killGroup(child);
    process.exit(EXIT_INTERRUPTED);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const report = JSON.parse(await Promise.race([posted, noReport(child)])) as Report;
    if ('problem' in report) throw new Error(report.problem);
    return report.facts;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await end(child);
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Rejects with the output of the browser when it ends, or when the page times out. */
function noReport(child: ChildProcess): Promise<never> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-KEPT_CHARACTERS);
  });
  return new Promise((_, reject) => {
    const late = setTimeout(() => {
      reject(new Error(`no report of the page in ${PAGE_MS / 1000} s\n${said}`));
    }, PAGE_MS);
    child.once('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    child.once('exit', (exitCode) => {
      clearTimeout(late);
      reject(new Error(`ended with exit code ${exitCode} before the page reported\n${said}`));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  if (killGroup(child)) await ended;
}

/** Returns whether there was a process to end. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): boolean {
  if (pid === undefined || exitCode !== null || signalCode !== null) return false;
  return process.kill(-pid, 'SIGKILL');
}
