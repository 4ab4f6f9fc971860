import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { createDissector } from '../../src/packet/index.js';
import type { LayerKind } from '../../src/packet/index.js';
import { options, replayCapture } from './support/incast.js';

const FOLDER = new URL('../captures/carriers/', import.meta.url);
const FILES = readdirSync(FOLDER);

/** The tunnel in the frames of each file; frames of other files have tags or another link header. */
const TUNNELS: Readonly<Record<string, LayerKind>> = {
  'vxlan.pcap': 'vxlan',
  'vxlan-outer-ce.pcap': 'vxlan',
  'erspan1.pcap': 'gre',
  'erspan2.pcap': 'erspan-2',
  'erspan3sub.pcap': 'erspan-3',
  'gre-teb.pcap': 'gre',
  'gre-ip.pcap': 'gre',
  'nvgre.pcap': 'gre',
  'gre-8949.pcap': 'mellanox-mirror',
  'mpls-udp.pcap': 'mpls',
  'ipip.pcap': 'ipv4',
  'ip6ip6.pcap': 'ipv6',
  'srv6-encap4.pcap': 'ipv6',
  'srv6-l2.pcap': 'ipv6',
};
const MARKED_OUTSIDE = 'vxlan-outer-ce.pcap';

const replayed = (file: string) =>
  replayCapture(readFileSync(new URL(file, FOLDER)), [], { parameters: options.parameters });

describe('captures of mirrored frames, and of hosts', () => {
  it.each(FILES.filter((file) => file !== MARKED_OUTSIDE))('%s: two frames of data, one of them CE, and a CNP',
    async (file) => {
      const { classes, notifications, tunnels, others, streams } = await replayed(file);
      expect([classes.data.frames, classes.cnp.frames, notifications.markedFrames]).toEqual([2, 1, 1]);
      const kind = TUNNELS[file];
      expect(tunnels?.kinds).toEqual(kind === undefined ? undefined : [{ kind, frames: 3 }]);
      expect(others).toEqual([]);
      expect(streams.map(({ destQpn }) => destQpn)).toEqual([0x118, 0x200]);
    });

  it('counts frames with outer CE as marked, since decapsulation marks them', async () => {
    const { classes, notifications, tunnels } = await replayed(MARKED_OUTSIDE);
    expect([classes.data.frames, notifications.markedFrames]).toEqual([4, 4]);
    expect(tunnels).toMatchObject({ frames: 4, outerMarkedOnly: 4, dropped: 0 });
  });

  it.each(FILES)('%s has the same classes in dissect, with a correct ICRC', async (file) => {
    const { classes } = await replayed(file);
    const counts: Record<string, number> = {};
    for await (const { bytes, linkType, originalBytes } of readCapture(readFileSync(new URL(file, FOLDER)))) {
      const packet = createDissector({ linkType })(bytes, originalBytes);
      expect(packet.icrc).toBe('right');
      counts[packet.class] = (counts[packet.class] ?? 0) + 1;
    }
    expect(counts).toEqual(
      Object.fromEntries(Object.entries(classes).filter(([, { frames }]) =>
        frames > 0
      ).map(([name, { frames }]) => [name, frames])),
    );
  });
});
