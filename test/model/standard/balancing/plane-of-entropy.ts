/** The adapter of a host with several planes: the UDP source port of a packet decides on its plane; the open planes share those of closed ones. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { EgressChooser, NextHops } from './egress-chooser.js';

export class PlaneOfEntropy implements EgressChooser {
  choose({ tuple: { sourcePort } }: Packet, { all, open }: NextHops): Port {
    const own = all[sourcePort % all.length]!;
    return open.includes(own) ? own : open[Math.floor(sourcePort / all.length) % open.length]!;
  }
}
