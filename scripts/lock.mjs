// One build or install at a time: a directory is the lock, since making one either succeeds or fails at once.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUILD_DIR } from './paths.mjs';

const LOCK_DIR = path.join(BUILD_DIR, 'lock');
const OWNER_FILE = path.join(LOCK_DIR, 'pid');
const POLL_MS = 100;
const GIVE_UP_MS = 300_000;
/** A lock without an owner's name is that young only while its owner is about to write it. */
const NAMELESS_MS = 5_000;

/** Runs `work` while no other process of this repository builds or installs. */
export async function withLock(work) {
  await takeLock();
  const release = () => rmSync(LOCK_DIR, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

async function takeLock() {
  mkdirSync(BUILD_DIR, { recursive: true });
  const since = Date.now();
  while (!tryLock()) {
    if (isAbandoned()) rmSync(LOCK_DIR, { recursive: true, force: true });
    else if (Date.now() - since < GIVE_UP_MS) await sleep(POLL_MS);
    else throw new Error(`another build holds ${LOCK_DIR}; remove it if none is running`);
  }
}

function tryLock() {
  try {
    mkdirSync(LOCK_DIR);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(OWNER_FILE, String(process.pid));
  return true;
}

function isAbandoned() {
  try {
    const owner = Number(readFileSync(OWNER_FILE, 'utf8'));
    return owner > 0 ? !isRunning(owner) : false;
  } catch {
    return lockAgeMs() > NAMELESS_MS;
  }
}

function lockAgeMs() {
  try {
    return Date.now() - statSync(LOCK_DIR).mtimeMs;
  } catch {
    return 0;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
