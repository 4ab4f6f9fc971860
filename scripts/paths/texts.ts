/** Words of docs/paths-study.md. What they say of numbers is asserted in test/docs/paths-page.test.ts. */
export const INTRODUCTION = `# Many paths

Written by \`npm run study\`; cases in \`scripts/paths/cases.ts\`. Each of 16 hosts sends 2 MB to another one at once (a permutation), all links have
100 Gb/s and 1 us, and switches have as much upwards as their hosts send: with its load spread evenly, each flow has its line rate and ends in
about 190 us. Fidelity \`standard\`, DCQCN, PFC and all else by the defaults of [scenarios.md](scenarios.md).

A row again: \`roce-cc run leaf-spine-permutation --set switches.loadBalancing=random --set hosts.transport=go-back-n\`, or
\`fat-tree-k4-permutation\`; with a gap also \`--set switches.flowletGapUs=0.2\`.

- *Sent again*: data packets. *Out of order*: share of data packets that came ahead of the byte expected. *Depth*: how far ahead at most.
- *Evenness*: Jain's index of what equal paths sent, 1 if all the same; with ACKs, which go by the hash.
`;

export const SPRAY_READING =
  `**Spray with go-back-N collapses.** Per packet, by whatever rule, all uplinks are used alike and queues are short, and yet the flows take
several times as long as with one path each: a packet that comes ahead of another one is refused, and all from the gap on is sent again, twenty times
as much as there is.

**With selective repeat it does not.** What comes ahead is kept. With a window that holds it, even the slowest flow ends in half the time that the
median takes with one path each, a sixth of the slowest one's. It is not free: each gap costs a NAK and a packet sent again that was only late, nearly a
quarter of all. The default window of 128 packets is too small for some flows here: what comes further ahead is dropped, and its sender
learns of it by its timeout, after 8 ms and more: a goodput of 30 Gb/s beside a median as good as before.

**IRN** keeps a round trip's bytes in flight at most. Queues and depths are shorter, no packet falls out of a window, and without spray it gains most: its limit
alone takes a third off the median of one path each. With spray it sends again more than selective repeat does, and its median is a fifth to a third longer.

**Spray against choice.** DRILL and least queue look at their own switch alone, where spray leaves little to gain: they are ahead of random spray by a few per
cent in the leaf-spine network and behind it in the fat-tree. What a second tier behind them makes of their choice they don't see.

**Flowlets hardly end.** Adapters pace packets, so a flow has no gaps of 100 or 500 us: flowlets are then one random choice per flow, and CONGA's, made
before anything is known, is the same one. With 0.2 us, two packets at line rate, flows that DCQCN has slowed down have gaps: CONGA evens load out
better than a random choice does, and what overtakes is sent again.

One seed, one traffic pattern: all flows begin at the same time. Differences of some per cent are chance.
`;

export const DETOURS = `## Detours on Fast CNPs

All with the hash; \`Fast CNP, detour\` is \`hosts.onFastCnp\` \`slow-down-and-detour\`. Permutations are means of seeds 1 to 5; depth is the most.
The first network: \`roce-cc run two-elephants-detour\`, 20 MB each.
`;

export const DETOUR_READING =
  `**Where it helps.** Two elephants on one uplink part with the first or second Fast CNP and have their line rate from then on: half the time. In a
permutation the slowest flows gain, the median does not.

**Where it costs.** Each detour puts some packets out of order, and go-back-N sends again what came ahead. At the last hop of an incast a detour can't pass
the congested port by, the sender can't know, and each Fast CNP moves its flow in vain: completion is an eighth longer.
`;
