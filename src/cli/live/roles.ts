/** The commands of `roce-cc live`: one for each role, in the order of the help text. */
import type { CommandEntry } from '../command-table.js';

export const ROLES: readonly CommandEntry[] = [
  {
    name: 'watch',
    usage: '[options] <source>',
    summary: 'count frames as they arrive: classes, marks, CNPs due and seen, rates',
    load: async () => (await import('./watch/command.js')).defineWatch,
  },
  {
    name: 'notification-point',
    usage: '[options] <port>',
    summary: 'answer CE-marked data with CNPs',
    load: async () => (await import('./notification-point/command.js')).defineNotificationPoint,
  },
  {
    name: 'switch',
    usage: '[options] <port...>',
    summary: 'forward frames as a switch of a scenario does: queues, marks, Fast CNPs, PFC, losses',
    load: async () => (await import('./switch/command.js')).defineSwitch,
  },
  {
    name: 'hosts',
    usage: '[options] <host=port...>',
    summary: 'emulate hosts of a scenario: send its flows, paced by their algorithm, answer with ACKs, NAKs and CNPs',
    load: async () => (await import('./hosts/command.js')).defineHosts,
  },
  {
    name: 'edge',
    usage: '[options] <inside> <outside>',
    summary: 'emulate a provider edge of a scenario: tunnels, END.CON, access lists',
    load: async () => (await import('./edge/command.js')).defineEdge,
  },
  {
    name: 'demo',
    usage: '[options]',
    summary: 'run an incast of 16 senders through the emulated switch, between network namespaces or over UDP',
    load: async () => (await import('./demo/command.js')).defineDemo,
  },
];
