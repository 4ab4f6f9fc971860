/** Address checks for discovery. */
export { sameFamily } from '../ip/ip-address.js';
