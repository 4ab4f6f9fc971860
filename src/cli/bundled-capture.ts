/**
 * The capture of the main job: a synthetic incast of 16 senders into one 100 Gb/s port, over IPv6, with background
 * flows that share its destination QPNs. See examples/data/README.md.
 *
 * This file must stay in src/cli/: the files of dist/cli are as deep as it is.
 */
import { fileURLToPath } from 'node:url';

export const BUNDLED_CAPTURE = fileURLToPath(new URL('../../examples/data/incast.pcap.gz', import.meta.url));
export const BUNDLED_FLOWS = fileURLToPath(new URL('../../examples/data/incast-flows.csv', import.meta.url));
/** Offsets of HPCC++'s data in its IOAM traces. */
export const BUNDLED_TELEMETRY = fileURLToPath(new URL('../../examples/data/incast-telemetry.json', import.meta.url));
/** The only switch that sends Fast CNPs there. */
export const BUNDLED_SWITCH = '2001:db8:ffff::5';
