/** The commands of `roce-cc`, in the order of the help text. */
import type { CommandEntry } from './command-table.js';

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    usage: '[options] [scenario...]',
    summary: 'simulate scenarios and show the results (default)',
    isDefault: true,
    load: async () => (await import('./run/command.js')).defineRun,
  },
  {
    name: 'list',
    usage: '[options] [what]',
    summary: 'list the shipped scenarios, sweeps, tunings and presets',
    load: async () => (await import('./list/command.js')).defineList,
  },
  {
    name: 'sweep',
    usage: '[options] [file]',
    summary: 'run a scenario many times with different values, on all cores',
    load: async () => (await import('./sweep/command.js')).defineSweep,
  },
  {
    name: 'tune',
    usage: '[options] <file>',
    summary: 'search for parameters that minimize a metric',
    load: async () => (await import('./tune/command.js')).defineTune,
  },
  {
    name: 'gym',
    usage: '[options] <scenario>',
    summary: 'serve a scenario as an environment for reinforcement learning',
    load: async () => (await import('./gym/command.js')).defineGym,
  },
  {
    name: 'worker',
    usage: '[options]',
    summary: 'run sweep jobs queued in Redis',
    load: async () => (await import('./redis/command.js')).defineWorker,
  },
  {
    name: 'lab',
    usage: '[options]',
    summary: 'serve the lab, the simulator in a browser tab',
    load: async () => (await import('./lab/command.js')).defineLab,
  },
  {
    name: 'explain',
    usage: '[options] <result>',
    summary: 'explain the result of a simulation',
    load: async () => (await import('./explain/command.js')).defineExplain,
  },
  {
    name: 'replay',
    usage: '[options] [file]',
    summary: 'replay a capture through the engine; report marks, CNPs and rates per QP',
    load: async () => (await import('./replay/command.js')).defineReplay,
  },
  {
    name: 'dissect',
    usage: '[options] <file>',
    summary: 'print the frames of a capture, layer by layer',
    load: async () => (await import('./dissect/command.js')).defineDissect,
  },
  {
    name: 'craft',
    usage: '[options] <file>',
    summary: 'build a capture from a description of packets',
    load: async () => (await import('./craft/command.js')).defineCraft,
  },
  {
    name: 'live',
    usage: '',
    summary: 'watch, answer, forward or send frames between real hosts',
    load: async () => (await import('./live/command.js')).defineLive,
  },
  {
    name: 'lint',
    usage: '[options] <path>',
    summary: 'check QoS settings of a path, switch or host for mismatches',
    load: async () => (await import('./lint/command.js')).defineLint,
  },
  {
    name: 'settings',
    usage: '[options] <path>',
    summary: "explain a vendor's settings, or compare two files",
    load: async () => (await import('./settings/command.js')).defineSettings,
  },
  {
    name: 'headroom',
    usage: '[options]',
    summary: 'compute the buffer that a lossless port needs above xoff',
    load: async () => (await import('./plan/command.js')).defineHeadroom,
  },
  {
    name: 'plan',
    usage: '[options]',
    summary: "recommend settings of a network for RoCE, with vendors' names",
    load: async () => (await import('./plan/command.js')).definePlan,
  },
];
