/** The text of docs/studies/loss-study.md around its tables. */

export const INTRODUCTION = `# What losses cost

Written by \`npm run study\`; the runs are those of the sweeps \`studies/loss/sweep.json\` and \`studies/loss/claims.json\`. They compare the configurations of "RoCE Network Proposal" (slides 7 to 10) under the
transports of [scenarios.md](../guides/scenarios.md#transports), and test the claims of the IRN paper (R. Mittal et al., SIGCOMM 2018).

The network is a leaf-spine of 16 hosts at 100 Gb/s, 4 leaves, 2 spines, 200 Gb/s between them, so that no leaf is oversubscribed; links take 1 µs.
Switches have 1.3 MB, two BDPs of the longest path (0.11 MB) for each port. The traffic is 150 flows of WebSearch's sizes between random pairs, or 15 hosts
that each send 1 MB to one at the same time, under DCQCN with the paper's parameters. Runs end after 100 ms.

| configuration | PFC | ECN | effect of a loss |
|---|---|---|---|
| lossless | all | yes | |
| semi-lossless | adapter to switch only | yes | |
| lossy-1 | none | yes | |
| lossy-2 | none | no | cuts the rate as a CNP does (\`lossReaction: cnp\`) |

Each is a \`network\` of [scenarios.md](../guides/scenarios.md#network-configurations). Semi-lossless and lossy-1 differ only in the pauses of a slow receiver's
adapter: they share a row where no receiver is slow. Under *slow receivers* one host of each leaf accepts half the rate of its link.

- *Completion* and *slowdown* count completed flows; slowdown is completion divided by that of the flow alone in the network. *Goodput* counts all
  data until the last flow ends, so a single straggler lowers it.
- *Retransmitted*: share of data packets. *Drops*: packets that did not fit into the memory of switches.
- To repeat the runs: \`npx roce-cc sweep studies/loss/sweep.json --csv rows.csv\`; one of them, with HASH from the column \`scenario\`:
  \`npx roce-cc run studies/loss/sweep.json#HASH --report run.html\`.
`;

export const READING =
  `**Bounded flows hardly lose packets.** The limit on bytes in flight matters more than how losses are retransmitted. IRN, and selective repeat
with a window of one BDP, retransmit at most 0.1 % of their packets at either load. Without a bound, up to nine tenths (go-back-N)
or half (selective repeat) of the packets sent are retransmissions: DCQCN needs a round trip to detect a queue and tens of microseconds to drain it.

**Selective repeat without a bound is worse than go-back-N.** It repairs one gap per round trip. Meanwhile the sender continues, beyond the window
of its receiver (128 packets here, 12 µs of line rate): those packets are dropped there, and make the next gaps. A burst of losses thus takes as many round trips as it
has packets, and then a timeout. With a window of one BDP the receiver's window is never exceeded and selective repeat performs like IRN, with ECN. Under lossy-2 it
still falls behind: each gap there is a separate loss, and cuts the rate; IRN is notified once per recovery.

**Lossy-2 suits only IRN.** Without marks, losses are the only notification of congestion. Under go-back-N a fifth to nine tenths of the
packets sent are retransmissions. IRN's cap keeps losses few and its rates, cut once per recovery, high: it has the highest goodput of all rows at both loads.

**PFC is costly in an incast.** With 15 senders to one port, pauses reach their leaves' other ports and the spines, and completion is twice that of IRN without
PFC, although nothing is lost. Go-back-N without PFC sends half of its packets twice and is still faster than with PFC.

**Semi-lossless is for slow receivers.** The adapter's pauses move the queue into the switch, which marks it. Under lossy-1 the adapter itself drops the packets
that it can't accept, without marks, and unbounded senders are notified only by losses: nine tenths of the packets of go-back-N are retransmissions. Where flows are
bounded by a BDP the difference is small. Compared with lossless it saves the pauses between switches: 350 pauses instead of 898 under go-back-N. Slowdown is within 1 % of
that of lossless under go-back-N or a bound; selective repeat without a bound makes it half as large again.
`;

export const CLAIMS_READING = `Load 0.8, by mean slowdown; less than 2 % counts as no difference.

- Without congestion control all claims hold but one: IRN with PFC is 5 % better than without. Its cap leaves 234 pauses, too few to spread,
  and they save 438 losses and 2 timeouts. The paper finds that PFC costs IRN more in larger networks; this one has 16 hosts.
- With DCQCN the differences are below a tenth. With the BDP cap 6 packets are lost; the transport that recovers them makes no difference.
- Without congestion control RoCE's need for PFC is the largest effect: without PFC 96 % of the packets of go-back-N are retransmissions, and 9 flows don't
  end. With DCQCN the mean slowdown without PFC is only 6 % higher.

One seed, one small network. Flows are few, so p99 is the second longest of 150; a mean slowdown varies by a few per cent from seed to seed.
`;
