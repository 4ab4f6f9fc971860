/** Checks of the addresses that discovery is about. */
export { sameFamily } from '../ip/ip-address.js';
