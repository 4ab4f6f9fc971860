/**
 * `roce-cc/tunnel`: RoCEv2 through an SRv6 WAN: ECN across tunnels (RFC 6040), and the return path of a Fast CNP by END.CON
 * (draft-hu-rtgwg-rocev2-fcn-00, section 4.2).
 *
 * @packageDocumentation
 */
export { decapsulate, locateTunnel } from './decapsulate.js';
export type { Decapsulated, DecapsulateOptions, LocatedTunnel } from './decapsulate.js';
export * from './ecn.js';
export { encapsulate, encapsulateInto, encapsulatedBytes, tunnelDefaults } from './encapsulate.js';
export type { DscpPolicy, TunnelHeader } from './encapsulate.js';
export * from './end-con.js';
export * from './ingress-pe.js';
export * from './wan-node.js';
