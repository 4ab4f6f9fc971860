/**
 * `roce-cc/tunnel`: RoCEv2 through an SRv6 WAN: ECN across tunnels (RFC 6040), and the return path of a Fast CNP by END.CON
 * (draft-hu-rtgwg-rocev2-fcn-00, section 4.2).
 *
 * @packageDocumentation
 */
export { decapsulate, locateTunnel, encapsulate, encapsulateInto, encapsulatedBytes,
  tunnelDefaults } from './encapsulation.js';
export type { Decapsulated, DecapsulateOptions, LocatedTunnel, DscpPolicy, TunnelHeader } from './encapsulation.js';
export * from './ecn.js';
export * from './end-con.js';
export * from './ingress-pe.js';
export * from './wan-node.js';
