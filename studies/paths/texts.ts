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
several times as long as with one path each: a packet that overtakes another is rejected, and everything from the gap on is retransmitted, twenty times
the original data.

**With selective repeat it does not.** Receivers keep packets that arrive early. If the window holds them, even the slowest flow ends in half the time that the
median takes with one path each, a sixth of the slowest one's. It is not free: each gap costs a NAK and the retransmission of a packet that was only late, nearly a
quarter of all. The default window of 128 packets is too small for some flows here: packets further ahead are dropped, and the sender
detects this by its timeout, after 8 ms and more: a goodput of 30 Gb/s, although the median is unchanged.

**Tolerant** receivers place packets in any order and never ask: nothing is retransmitted, and no window is too small.

**IRN** keeps a round trip's bytes in flight at most. Queues and depths are shorter, no packet falls out of a window, and without spray it gains most: its limit
alone takes a third off the median of one path each. With spray it retransmits more than selective repeat does, and its median is a fifth to a third longer.

**Spray against choice.** DRILL and least queue consider only their own switch, where spray leaves little to gain: they are ahead of random spray by a few per
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
  `**Receivers that accept data out of order make spraying work.** With \`tolerant\` nothing is retransmitted if nothing is lost, and the last flow is done a fifth after its
minimum. Selective repeat takes 7 % longer and retransmits a seventh of the data, all of which was only late; go-back-N retransmits thirty times the data. One path
each takes four times as long whatever the transport: the hash puts several flows on one link, and others stay empty.

**REPS avoids a slow link, spraying doesn't.** With one of 3,072 links at half rate, spray and queue classes send it nearly as many packets as any other, and its flows take up to 63 %
longer; entropies whose packets are marked are not used again, so REPS loses 3 %. It needs receivers that accept data out of order: selective repeat, with its window
of 128 packets, drops what comes too early, and waits for its timeouts.

**A link that fails** loses the packets that it holds, a dozen. Without NAKs only the timeout, 8 ms and more, finds them; with
\`hosts.tolerant.lossTimeUs\` of 60, longer than spraying delays any packet here, the failure costs 2 µs of spray and 6 µs of REPS. With one path per flow it is too short:
300 packets are retransmitted, of which 7 were lost.

**All-to-all and incast.** Where 64 of the hosts send 32 kB to each other, all messages are short, and anything but one path per flow is done in 182 to 185 µs, go-back-N
too. An incast of 16 hosts next to the permutation holds back the flows that share its last switches, whatever the path:
the run takes twice as long with spray, and \`tolerant\` is a tenth ahead of selective repeat.

**Advice.** For adapters that place data in any order: spray or REPS, with a loss time of about twice the longest delay by spraying if links may fail. If rates
of paths differ, REPS, and ECN thresholds above the queues that spraying makes. For RC of old: one path per flow. DCQCN with default thresholds marks the short queues of
spraying and slows flows down: it is left out here. In the tables above
the median of spray with \`tolerant\` is 234 µs because of it.
`;

export const DETOURS = `## Source-port changes on Fast CNPs

All with the hash; \`Fast CNP, detour\` is \`hosts.onFastCnp\` \`slow-down-and-detour\`. Permutations are means of seeds 1 to 5; depth is the most.
The first network: \`roce-cc run two-elephants-detour\`, 20 MB each.
`;

export const DETOUR_READING =
  `**Where it helps.** Two elephants on one uplink separate with the first or second Fast CNP and then have their line rate: half the time. In a
permutation the slowest flows gain, the median does not.

**Where it costs.** Each change puts some packets out of order, and go-back-N retransmits those that arrive early. At the last hop of an incast no path avoids
the congested port, the sender can't know this, and each Fast CNP moves its flow in vain: completion is an eighth longer.
`;
