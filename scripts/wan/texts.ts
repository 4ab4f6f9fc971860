/** What docs/wan-study.md says around its tables. */

export const INTRODUCTION = `# What notifications and flow control are worth in a WAN

Written by \`npm run study\`; cases in \`scripts/wan/cases.ts\`. The network of [wan.md](wan.md): two data centres of four hosts at 25 Gb/s, provider
edges and two routers between them, three links of the WAN of equal length, tunnels without segments. The middle link has 25 Gb/s, all others
between switches 100.

Three flows of 32 MB go over the WAN at once (h0 to h4, h1 to h5, h2 to h6): 75 Gb/s into a link of 25. The *bystander*, h3 to h0 with 96 MB,
never leaves its data centre; it shares leaf and spine with them.

| notification | who notifies the senders |
|---|---|
| 1 CNP | receivers, for marks of \`r0\` |
| 2 Fast CNP, data centres | switches of the data centres by Fast CNPs; for marks of \`r0\` receivers, by CNPs |
| 3 Fast CNP, END.CON | \`r0\`, by Fast CNPs through the END.CON SID of the ingress edge |
| 4 all | all switches by Fast CNPs, \`r0\` through END.CON |

| flow control of the WAN | |
|---|---|
| none | nobody is paused; each node has the memory that PFC would need over the distance |
| none, 16 MB | the same with 16 MB a node |
| PFC | pause frames hop by hop over the long links, headroom by distance |
| ARN | ARNs hold the service; at the edge what is held fills the memory, and PFC holds the data centre |

- *First notice*: after the start, of the first flow that is notified. *Queue*: longest at a port. *Completion*: mean of the three flows.
- *Held*: time for which pauses held the bystander although its own path was free. The light alone takes 5 us per km.
- A row's scenario, to run or change: \`npx tsx scripts/wan-study.ts --scenario 1000 DCQCN "3 Fast CNP, END.CON" PFC > case.json\`, then
  \`npm start -- run case.json\`.
`;

export const READING = `## What it says

**END.CON saves two thirds of the way.** \`r0\` is a third of the distance away, so that first notice takes a third of what the receiver's CNP takes:
3.4 ms in place of 10.0 over 1,000 km. The rest is light.

**Under DCQCN the queue falls by the same factor.** From 10 to 2,000 km the longest queue with END.CON is 0.3 to 0.7 of that with CNPs, and
over 1,000 km PFC has all but nothing to do: 1 pause in place of 223. Without END.CON those 223 pauses hold the bystander for 6 ms and
double its time.

**Where it costs.** Over 1,000 and 2,000 km, with memory enough, flows under DCQCN
take *longer* with END.CON than with CNPs (71 against 60 ms): the queue that CNPs come too late for keeps the link busy. With 16 MB a node they are faster, for fewer
packets are lost.

**Where it does nothing.** Fast CNPs of the data centres alone (2) do not help: what congests is in the WAN. Under HPCC++ notice comes as early as
under DCQCN, and the queue hardly changes: routers write no telemetry into packets in tunnels ([wan.md](wan.md)), and what the sender reads of the rest
of its path says that there is room.

**PFC over the WAN is paid by others.** Whoever is paused pauses the data centre: the bystander is held where the queue of the WAN reaches its
threshold, and its memory is the headroom of the distance. ARNs of a service keep the queue a tenth shorter over 1,000 km, but hold the same hosts
in the end, and longer under HPCC++, since the edge passes on what it can't send: with one service there is no other traffic in the WAN that
they would spare.

**Without memory and without flow control, go-back-N collapses**: over 1,000 km, with CNPs alone, more packets are sent
again than the flows have.
`;
