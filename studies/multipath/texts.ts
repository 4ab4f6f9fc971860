/** Words of docs/studies/multipath-study.md around its findings and tables. */

export const TITLE = `# Multipath transports

RC, MRC and Ultra Ethernet over many paths: permutation, incast, all-to-all and training, with all links, a slow link, a failed link and a failed plane.
`;

export const HEALTHY = `## 1,024 hosts, all links

*All*: when the last flow is done. *Retransmitted*: share of all data packets. *Queue*: the longest one.
`;

export const FAULTS = `## Faults, 64 hosts

The slow or failed link leads from the first leaf to the first spine. The slow link is in the network with one plane, the failed plane in that with four.
`;

export const NOTIFIED = `## Who learns first

Eight senders share one port of their switch (dumbbell, 400 Gb/s); receivers are 0.5 µs or 20 µs behind it. The table has the time until the notification leaves
the switch towards the first sender, and towards half of them. Fast CNPs are notifications of DCQCN; NSCC has no reaction to them. ECN marks from 400 kB on, and
trimming begins at a bandwidth-delay product: with near receivers trimming comes before any mark.
`;

export const FAST_CNP = `## RC with and without Fast CNPs

64 hosts with one port of 400 Gb/s, all links; the messages are larger than above, where they have left before any notification arrives. Completion times differ by less
than 1 %: senders learn sooner, and the congested port stays busy either way.
`;

export const UET = `## Ultra Ethernet by uet-htsim

UET (\`standard\`) in the tables above is NSCC with the parameters of Ultra Ethernet, REPS and trimming, with the packets and the loss recovery of \`mrc\`.
The table below is from [uet-htsim](../guides/uet-reference.md) itself, to the picosecond, on another network: 128 hosts, two tiers, 400 Gb/s, REPS. Only these runs have
RCCC, control by receivers; their degraded links have a quarter of their rate.
`;

export const PUBLISHED = `## Published figures of MRC

Figures of arXiv 2605.04333, next to the simulator's, of which \`npx tsx studies/multipath/rows.ts --published R3\` computes one. The paper's adapters, switches and settings are not
known in full, so expect the same order of results, not the same digits.
`;

export const PUBLISHED_READING =
  `Except in R3 and R8, MRC is configured here as it is deployed: paths by source routes (\`switches.loadBalancing: source-route\`), \`pathSelection: entropy-states\`, no marks at the
last hop. R2, R9, R10, R11 and R13 are goodputs of endless flows in their steady state; R3, R6 and the last figure of R2 are those of 8 MB from start to last SACK, including
a round trip: 8 MB at 776 Gb/s and 5 µs are 728 Gb/s. Why the simulator's figures differ, with the [choices](../reference/sources.md) by their numbers O:

- R9: data is lost on the link of the sender. SACKs show a hole within the default \`hosts.mrc.reorderUs\` (O14), and its entropy is replaced (O29), so a loss
  costs a packet of NSCC's window; where a timeout has to find it, half of the goodput is left. Round trips of 4 µs also leave go-back-N more than was published.
- R10: the victim is not affected, but shares are less even. Which flow backs off depends on whose packets are trimmed, the more so with a SACK per packet (O9).
- R11: SACKs of the opposite direction take the rest of the rate; with the default of O9 there are fewer. Ports by hash load the paths unevenly.
- R14: each dead path of a set costs its first packet, and what is sent before the loss is known.
- R17: the map shows the losses (O14), so no timeout is needed.
`;

export const REORDERING = `## Hashed paths: late packets that count as lost

MRC with hashed paths, as in the tables above, and endless flows of a permutation in their steady state; \`npx tsx studies/multipath/rows.ts --reordering\` runs them.
*Duplicates*: both packets arrive, as the first one was late. *Entropies left*: those on which the median flow still sends after 600 µs; the active set has 128, of \`bitmap\` 64.
No packet is dropped, and there is no timeout.
`;

export const REORDERING_READING =
  `By default a hole in a SACK's map is a loss once a packet sent 0.75 base round trips later is acknowledged (O14): 3.3 µs in the small network, 4.9 in the large one. A hash
loads paths unevenly, and a queue between switches holds up to a base round trip before it trims. In the small network packets leave the last switch 1.8 to 10.6 µs after they leave
the sender, so most packets that count as lost are late. Under \`entropy-states\` each of them puts its entropy into ASSUMED_BAD (O29, with trimming); without probes
(O18) only the floor of one usable entropy (O17) brings an entropy back. Flows end up with a few entropies, some with one path, and collide as under ECMP. Under \`bitmap\` the loss is
a penalty that wears off.

With more entropies, a higher floor or probes the slowest flow gains a little and the median one loses, as the false losses continue; with SKIP after them the results are about those of \`bitmap\`.
A \`hosts.mrc.reorderUs\` of about a base round trip for each port between switches avoids them, as queues without trimming are no longer than that: 8.7 µs in the small
network, 26 in the large one, where 16 suffice. With 0, NACKs find all losses here, but silent losses are left to timers (R9). Over source routes the paths are loaded evenly, and the
default is long enough (R11).
`;

export const HOW = `## How it was made

\`npm run study -- multipath\`, some minutes; cases in \`studies/multipath/cases.ts\`. Numbers are simulated, so every machine computes the same.
\`npx tsx studies/multipath/rows.ts --scenario healthy permutation 1 mrc 32\` prints the scenario of a row: condition, workload, planes (1 or 4), transport, leaves.

- **Networks**: leaf-spine, as many leaves, spines and hosts per leaf (32, with faults 8), links of 0.5 µs, MTU 4,096. A host has one port of 400 Gb/s, or four of
  100 Gb/s into four planes.
- **Workloads**: a permutation of 1 MB each; an incast of 48 hosts, 250 kB each; an all-to-all of 64 ranks, 16 kB per pair; rings of 8 hosts, one per leaf, that reduce 1 MB
  each. Sizes are chosen for the time that the runs take.
- **Transports**: RC has PFC and preset \`dcqcn-connectx\`; selective repeat a window of 1,024 packets, and the default timeout of \`standard\`. MRC and UET have no PFC, trimming
  with its default limits, a SACK per packet (\`hosts.mrc.sackBytes\` 4096) and a timeout of 66 µs; MRC \`pathSelection: bitmap\` and \`nscc-mrc\`, UET \`reps\` and \`nscc-uet\`.
- **Faults** begin at 10 µs and last. Adapters and switches know of a dead port at once; packets on their way to it are lost.

Known limits. Only the runs of uet-htsim have RCCC. Except in the published figures and the table of hashed paths, MRC's paths are those of a hash, without states of entropies, and switches mark also at the last
hop, where MRC has no ECN. NSCC's window may shrink below what is in flight while no packet asks for a SACK: the flow then stalls until its timeout. With the default \`sackBytes\` of 16,384 that is
frequent in an incast, hence the SACK per packet. One seed, one traffic pattern: differences of a few per cent are chance.
`;
