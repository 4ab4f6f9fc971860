/** Emulated RC hosts. */
export { EmulatedHosts, type HostCounters, type HostSink, type ReceivingQp, type SendingQp } from './emulated-hosts.js';
export { hostsSettings, type FlowSettings, type HostSettings, type HostsOptions,
  type HostsSettings } from './settings.js';
