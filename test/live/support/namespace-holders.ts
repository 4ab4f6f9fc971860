/**
 * Holders of network namespaces: processes in them, and descriptors. A namespace without holders is removed with its
 * interfaces.
 */
import { readdirSync, readlinkSync } from 'node:fs';

/**
 * Network namespaces that a process has descriptors of: `net:[4026532000]`. That of this process is excluded, since
 * other tests keep a descriptor of it to return to.
 */
export function namespacesHeldBy(pid: number | 'self'): string[] {
  const own = ownNamespace();
  return [...new Set(linksIn(`/proc/${pid}/fd`).filter((target) => target.startsWith('net:[') && target !== own))];
}

/** Processes that are in one of these namespaces, or hold a descriptor of it. */
export function holdersOf(namespaces: readonly string[]): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
    const held = [...linksIn(`/proc/${pid}/fd`), linkOf(`/proc/${pid}/ns/net`)];
    return held.some((target) => namespaces.includes(target));
  });
}

/** The namespace of this process. */
export function ownNamespace(): string {
  return linkOf('/proc/self/ns/net');
}

function linksIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => linkOf(`${folder}/${name}`));
  } catch {
    // The process has ended.
    return [];
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
