/** Words of docs/studies/paths-study.md. What they say of numbers is asserted in test/docs/paths-page.test.ts. */
export const INTRODUCTION = `# Many paths

Written by \`npm run study\`; the runs of the first two tables are those of the sweeps \`studies/paths/leaf-spine.json\` and \`studies/paths/fat-tree.json\`. Each of 16 hosts sends 2 MB to another one at once (a permutation), all links have
100 Gb/s and 1 µs, and the uplinks of a switch match the rates of its hosts: with evenly spread load, each flow has its line rate and ends in
about 190 µs. Fidelity \`standard\`, DCQCN, PFC; everything else has its [default](../reference/settings.md).

To repeat a row: \`roce-cc run leaf-spine-permutation --set switches.loadBalancing=random --set hosts.transport=go-back-n\`, or
\`fat-tree-k4-permutation\`; with a gap also \`--set switches.flowletGapUs=0.2\`.

- *Retransmitted*: data packets. *Out of order*: share of data packets ahead of the expected byte. *Depth*: the largest distance ahead.
- *Evenness*: Jain's index of the bytes sent over equal paths, 1 if all are the same; ACKs, which follow the hash, are included.
`;

export const SPRAY_READING =
  `**Spray with go-back-N collapses.** With any per-packet rule all uplinks are used evenly and queues are short, and yet the flows take
several times as long as with one path per flow: a packet that overtakes another is rejected, and everything from the gap on is retransmitted, twenty times
the original data.

**With selective repeat it does not.** Receivers keep packets that arrive early. If the window holds them, even the slowest flow ends in half the time that the
median takes with one path per flow, and a sixth of the slowest flow's time there. It is not free: each gap costs a NAK and the retransmission of a packet that was only late: nearly a
quarter of all packets. The default window of 128 packets is too small for some flows here: packets further ahead are dropped, and the sender
detects this only by its timeout, after 8 ms or more. Goodput falls to 30 Gb/s, although the median is unchanged.

**Tolerant** receivers place packets in any order and never send NAKs: nothing is retransmitted, and no window is too small.

**IRN** keeps at most one bandwidth-delay product in flight. Queues and depths are shorter, no packet falls out of a window, and without spray it gains most: the limit
alone shortens the median with one path per flow by a third. With spray it retransmits more than selective repeat does, and its median is a fifth to a third longer.

**Spray compared with choice by queue.** DRILL and least queue consider only their own switch, where spray leaves little to gain: they are ahead of random spray by a few per
cent in the leaf-spine network and behind it in the fat-tree. They don't see the effect of their choice on a second tier.

**Flowlets hardly end.** Adapters pace packets, so a flow has no gaps of 100 or 500 µs: flowlets are then one random choice per flow, and CONGA, which
chooses before it has any measurement, makes the same one. With 0.2 µs, two packets at line rate, flows slowed down by DCQCN have gaps: CONGA balances load
better than a random choice does, and packets that overtake others are retransmitted.

One seed, one traffic pattern: all flows begin at the same time. Differences of a few per cent are chance.
`;

export const LARGE = `## Fat-tree, k = 16, 1,024 hosts

Each host sends 2 MB to another one at once, 100 Gb/s, 1 µs, MTU 4,096, PFC, no congestion control (preset \`none\`): \`roce-cc run fat-tree-k16-sprayed\`, with
\`--set switches.loadBalancing=ecmp --set hosts.transport=go-back-n\` and the like; \`reps\` is \`hosts.pathSelection\` with \`ecmp\` in switches. A flow needs at
least 178 µs. The slow link and the one that fails lead from edge0 to agg0. *All*: when the last flow is done. *Lost*: packets of any kind. A gap
of 0.2 µs is shorter than a packet here, so each packet is a flowlet.
`;

export const LARGE_READING =
  `**Receivers that accept data out of order make spraying work.** With \`tolerant\` nothing is retransmitted if nothing is lost, and the last flow ends a fifth later than the
minimum. Selective repeat takes 7 % longer and retransmits a seventh of the data, all of which was only late; go-back-N retransmits thirty times the data. One path
per flow takes four times as long whatever the transport: the hash puts several flows on one link, and others stay empty.

**REPS avoids a slow link, spraying doesn't.** With one of 3,072 links at half rate, spray and queue classes send it nearly as many packets as any other, and its flows take up to 63 %
longer; entropies whose packets are marked are not used again, so REPS loses 3 %. It needs receivers that accept data out of order: selective repeat, with its window
of 128 packets, drops what comes too early, and waits for its timeouts.

**A link that fails** loses the packets that it holds, a dozen. Without NAKs only the timeout, 8 ms and more, finds them; with
\`hosts.tolerant.lossTimeUs\` of 60, longer than spraying delays any packet here, the failure costs spray 2 µs and REPS 6 µs. With one path per flow this time is too short:
300 packets are retransmitted, of which 7 were lost.

**All-to-all and incast.** Where 64 of the hosts send 32 kB to each other, all messages are short, and all rules but one path per flow end in 182 to 185 µs, with go-back-N
too. An incast of 16 hosts next to the permutation holds back the flows that share its last switches, whatever the path:
the run takes twice as long with spray, and \`tolerant\` is a tenth ahead of selective repeat.

**Advice.** For adapters that place data in any order, use spray or REPS, and if links may fail, a loss time of about twice the longest delay that spraying causes. If rates
of paths differ, use REPS, and ECN thresholds above the queues that spraying causes. For conventional RC, use one path per flow. DCQCN is left out here, since with default thresholds it
marks the short queues of spraying and slows flows down: in the tables above
the median of spray with \`tolerant\` is 234 µs because of it.
`;

export const DETOURS = `## Source-port changes on Fast CNPs

Switches choose paths by the hash; \`Fast CNP, detour\` is \`hosts.onFastCnp\` \`slow-down-and-detour\`. Rows of permutations are means over seeds 1 to 5, with the largest depth.
The first network is that of \`roce-cc run two-elephants-detour\`, with 20 MB per flow.
`;

export const DETOUR_READING =
  `**Where it helps.** Two elephants on one uplink separate at the first or second Fast CNP and then run at line rate, which halves their time. In a
permutation the slowest flows gain, the median does not.

**Where it costs.** Each change puts some packets out of order, and go-back-N retransmits those that arrive early. At the last hop of an incast no path avoids
the congested port, which the sender can't know, so each Fast CNP moves its flow in vain: completion takes an eighth longer.
`;
