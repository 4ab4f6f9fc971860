/**
 * `roce-cc/discovery`: checks whether all nodes of a path treat RoCE as lossless, and consistently. Originator, router
 * and destination as functions on state (Technical Disclosure Commons 1652), over IPv4 and, as an extension of this
 * library, IPv6.
 *
 * @packageDocumentation
 */
export { correlateReplies, nodesOfPath } from './probe.js';
export type { Path, PathNode, Probe, ProbeReply, ReceivedReply, ReplyFate } from './probe.js';
export * from './node-packets.js';
export type { AddressWords, Finding, FindingWeight, FindingNote } from './finding.js';
export type { PathAim } from './mismatches.js';
export * from './node.js';
export * from './originator.js';
export { rejectionWords } from './policy.js';
export * from './policy-push.js';
export * from './report.js';
