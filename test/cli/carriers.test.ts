/** The output of `replay` and `dissect` on tunnels, and on captures without RoCE. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { start } from './support/process.js';

const capture = (name: string): string => fileURLToPath(new URL(`../captures/carriers/${name}.pcap`, import.meta.url));

describe('Captures of tunnels on the command line', () => {
  it('have their tunnels and marks in a section', () => {
    const { status, stdout } = start(['replay', capture('vxlan-outer-ce')]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/Tunnels\n +4 frames in a tunnel: VXLAN 4\./);
    expect(stdout).toMatch(/Outer ECN is CE and inner is not: 4 frames; decapsulation marks 4/);
  });

  it.each(['192.0.2.1', '198.51.100.2'])('are found by inner and outer address: %s', (address) => {
    const { stdout } = start(['dissect', capture('vxlan'), '--address', address, '--limit', '1']);
    expect(stdout).toContain('in VXLAN 198.51.100.1 > 198.51.100.2');
  });
});
