/**
 * Requirements of tests on the machine: programs that they compare with, browsers, Python modules, permissions.
 *
 * Without one, its tests are skipped with the reason in the title; if CI is set they fail instead, so that no
 * comparison goes missing unseen. Nothing else is skipped. Under Debian: `tshark` (brings `editcap` and `capinfos`),
 * `python3-scapy`; for modules in C and Rust `clang`, `lld`, `make`, `rustc`, `libstd-rust-dev-wasm32`.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it, type TestOptions } from 'vitest';

/** The path of a tool, or undefined when it is not installed. */
export function foreignTool(name: string): string | undefined {
  return candidates(name)[0];
}

/** The path of the first tool of that name for which `isFit` holds and does not throw, or undefined. */
export function foreignToolThat(name: string, isFit: (path: string) => boolean): string | undefined {
  return candidates(name).find((path) => {
    try {
      return isFit(path);
    } catch {
      return false;
    }
  });
}

/** The path of a Python 3 that can import `module`, or undefined. Tries every `python3` on the PATH, in order. */
export function foreignPython(module: string): string | undefined {
  return candidates('python3').find((python) => canImport(python, module));
}

/** Output of the tool on stdout, in English and with times in UTC; throws when it fails, with its stderr. */
export function runTool(path: string, args: readonly string[], input?: Uint8Array): string {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const limits = { timeout: 60_000, maxBuffer: 256 * 1024 * 1024 };
  return execFileSync(path, args, { ...limits, env, input: input ?? '', encoding: 'utf8', stdio: 'pipe' });
}

/**
 * A `describe` for tests that need a tool; `body` gets its path.
 *
 * @example
 * describeWithTool('editcap', 'editcap converts written files', (editcap) => {
 *   it('from pcap to pcapng', () => { runTool(editcap, ['-F', 'pcapng', source, target]); });
 * });
 */
export function describeWithTool(name: string, title: string, body: (path: string) => void): void {
  const path = foreignTool(name);
  describeNeeding(path === undefined ? `${name} is not installed` : undefined, title, () => {
    body(path!);
  });
}

/** A `describe` for tests that need a Python module; `body` gets the path of a Python that has it. */
export function describeWithPython(module: string, title: string, body: (python: string) => void): void {
  const path = foreignPython(module);
  describeNeeding(path === undefined ? `no python3 can import ${module}` : undefined, title, () => {
    body(path!);
  });
}

/**
 * A `describe` for tests with a requirement on the machine.
 *
 * @param missing why it is not met, such as `tshark is not installed`; undefined if it is.
 */
export function describeNeeding(missing: string | undefined, title: string, body: () => void,
  options: TestOptions = {}): void {
  if (missing === undefined) {
    describe(title, options, body);
  } else if (isContinuousIntegration()) {
    describe(title, () => {
      it('has what it needs', () => {
        throw new Error(`${missing}, and CI is set, so nothing may be skipped`);
      });
    });
  } else {
    describe(`${title} (skipped: ${missing})`, () => {
      it('runs where that is there', ({ skip }) => {
        skip(missing);
      });
    });
  }
}

function isContinuousIntegration(): boolean {
  return (process.env['CI'] ?? '') !== '';
}

function candidates(name: string): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function canImport(python: string, module: string): boolean {
  try {
    execFileSync(python, ['-c', `import ${module}`], { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}
