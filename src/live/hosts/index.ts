/** Emulated RC hosts. */
export { EmulatedHosts } from './emulated-hosts.js';
export type { HostsOptions } from './settings.js';
