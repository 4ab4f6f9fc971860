/**
 * `roce-cc/tunnel`: RoCEv2 through an SRv6 WAN: ECN across tunnels (RFC 6040), and the return path of a Fast CNP by END.CON
 * (draft-hu-rtgwg-rocev2-fcn-00, section 4.2).
 *
 * @packageDocumentation
 */
export { decapsulate, locateTunnel, encapsulate, encapsulateInto, encapsulatedBytes, tunnelDefaults, type Decapsulated,
  type DecapsulateOptions, type LocatedTunnel, type DscpPolicy, type TunnelHeader } from './encapsulation.js';
export * from './ecn.js';
export * from './provider-edge.js';
export * from './wan-node.js';
