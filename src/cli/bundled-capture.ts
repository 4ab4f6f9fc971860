/**
 * The capture that `roce-cc replay` reads by default: a synthetic incast of 16 senders into one 100 Gb/s port, over
 * IPv6, with background flows that share its destination QPNs. See examples/data/README.md.
 *
 * This file must stay in src/cli/: its relative paths must also be right from dist/cli.
 */
import { fileURLToPath } from 'node:url';

export const BUNDLED_CAPTURE = fileURLToPath(new URL('../../examples/data/incast.pcap.gz', import.meta.url));
export const BUNDLED_FLOWS = fileURLToPath(new URL('../../examples/data/incast-flows.csv', import.meta.url));
/** JSON file with the offsets of HPCC++'s data in this capture's IOAM traces. */
export const BUNDLED_TELEMETRY = fileURLToPath(new URL('../../examples/data/incast-telemetry.json', import.meta.url));
/** The only switch that sends Fast CNPs in this capture. */
export const BUNDLED_SWITCH = '2001:db8:ffff::5';
