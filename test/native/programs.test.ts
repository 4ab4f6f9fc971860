/**
 * The library as users get it: the source archive builds with make and with CMake, misuse returns error codes, and
 * sanitizers find no fault in random events and frames. `ROCE_NATIVE_EVENTS` sets their number (10000000: 7 minutes).
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { caseCount } from '../support/effort.js';
import { describeNeeding, foreignTool } from '../support/foreign-tools.js';
import { ensureLibrary, MISSING, NATIVE_DIR, NATIVE_NAME } from './support/library.js';
import { buildLibrary, buildProgram, run, SANITIZED, temporaryFolder } from './support/programs.js';

const EVENTS = caseCount('ROCE_NATIVE_EVENTS', { few: 1_000_000, all: 1_000_000 });
const TIME_LIMIT_MS = 900_000;
const MISSING_CMAKE = MISSING ?? (foreignTool('cmake') === undefined ? 'cmake is not installed' : undefined);

ensureLibrary();

describeNeeding(MISSING, 'The source archive', () => {
  it('builds with make, and programs link to it', { timeout: TIME_LIMIT_MS }, () => {
    const folder = temporaryFolder('archive');
    run('tar', ['xzf', join(NATIVE_DIR, `${NATIVE_NAME}.tar.gz`), '-C', folder]);
    const archive = buildLibrary(join(folder, 'out'), ['CFLAGS=-O1'], join(folder, NATIVE_NAME));
    expect(run(buildProgram('test/native/c/misuse.c', folder, { archive }), [])).toBe('ok\n');
  });

  it('contains the licence, the build files and the headers', () => {
    const listed = run('tar', ['tzf', join(NATIVE_DIR, `${NATIVE_NAME}.tar.gz`)]).split('\n');
    for (const file of ['LICENSE', 'NOTICE', 'Makefile', 'CMakeLists.txt', 'include/roce_cc.h', 'include/roce_cc.hpp'])
      expect(listed).toContain(`${NATIVE_NAME}/${file}`);
  });
});

describeNeeding(MISSING_CMAKE, 'The source archive with CMake', () => {
  it('builds', { timeout: TIME_LIMIT_MS }, () => {
    const folder = temporaryFolder('cmake');
    run('tar', ['xzf', join(NATIVE_DIR, `${NATIVE_NAME}.tar.gz`), '-C', folder]);
    run('cmake', ['-S', join(folder, NATIVE_NAME), '-B', join(folder, 'build'), '-DCMAKE_BUILD_TYPE=Debug']);
    run('cmake', ['--build', join(folder, 'build'), '--target', 'roce_cc', '-j2']);
    const archive = join(folder, 'build', 'libroce_cc.a');
    expect(run(buildProgram('test/native/c/misuse.c', folder, { archive }), [])).toBe('ok\n');
  });
});

describeNeeding(MISSING, 'Under AddressSanitizer and UndefinedBehaviorSanitizer', () => {
  it.each([['with guard pages', []], ['with checked memory', ['CPPFLAGS=-DROCE_CHECKED_MEMORY']]])(
    `${EVENTS} random events and frames and all misuse run clean, %s`,
    { timeout: TIME_LIMIT_MS },
    (_name, variables) => {
      const folder = temporaryFolder('sanitized');
      const archive = buildLibrary(folder, [`CFLAGS=${SANITIZED}`, ...variables]);
      const options = SANITIZED.split(' ');
      expect(run(buildProgram('test/native/c/misuse.c', folder, { archive, options }), [])).toBe('ok\n');
      const program = buildProgram('test/native/c/random.c', folder, { archive, options });
      const wanted = run(buildProgram('test/native/c/random.c', temporaryFolder('plain')), [String(EVENTS), '7']);
      expect(run(program, [String(EVENTS), '7'])).toBe(wanted);
    },
  );
});
