/** The text of docs/studies/wan-study.md around its tables. */

export const INTRODUCTION = `# Notifications and flow control in a WAN

Written by \`npm run study\`; the runs are those of the sweep \`studies/wan/sweep.json\`. The network is that of [wan.md](../guides/wan.md): two data centres of four hosts at 25 Gb/s, provider
edges and two routers between them, three WAN links of equal length, tunnels without segments. The middle link has 25 Gb/s, all other links
between switches have 100.

Three flows of 32 MB go over the WAN at once (h0 to h4, h1 to h5, h2 to h6): 75 Gb/s into a link of 25. The *bystander*, h3 to h0 with 96 MB,
never leaves its data centre; it shares leaf and spine with them.

| notification | source of the notifications |
|---|---|
| 1 CNP | receivers, for marks of \`r0\` |
| 2 Fast CNP, data centres | switches of the data centres, by Fast CNPs; receivers, by CNPs for marks of \`r0\` |
| 3 Fast CNP, END.CON | \`r0\`, by Fast CNPs through the END.CON SID of the ingress edge |
| 4 all | all switches by Fast CNPs, \`r0\` through END.CON |

| flow control of the WAN | |
|---|---|
| none | no pauses; each node has the memory that PFC would need over the distance |
| none, 16 MB | the same with 16 MB a node |
| PFC | pause frames hop by hop over the long links, headroom by distance |
| ARN | ARNs pause the service; at the edge the paused packets fill the memory, and PFC pauses the data centre |

- *First notice*: time from the start until the first flow is notified. *Queue*: longest at a port. *Completion*: mean of the three flows.
- *Held*: time for which pauses held the bystander although its own path was free. Propagation delay alone is 5 µs per km.
- To repeat the runs: \`npx roce-cc sweep studies/wan/sweep.json --csv rows.csv\`; one of them, with HASH from the column \`scenario\`:
  \`npx roce-cc run studies/wan/sweep.json#HASH --report run.html\`.
`;

export const READING = `## Findings

**END.CON saves two thirds of the distance.** \`r0\` is a third of the distance away, so the first notice takes a third of the time of the receiver's CNP:
3.4 ms instead of 10.0 over 1,000 km. The rest is propagation delay.

**Under DCQCN the queue falls by the same factor.** From 10 to 2,000 km the longest queue with END.CON is 0.3 to 0.7 of that with CNPs, and
over 1,000 km PFC hardly acts: 1 pause instead of 223. Without END.CON those 223 pauses hold the bystander for 6 ms and
double its time.

**Where it costs.** Over 1,000 and 2,000 km, with enough memory, flows under DCQCN
take *longer* with END.CON than with CNPs (71 against 60 ms): the CNPs arrive late, and until then the queue keeps the link busy. With 16 MB a node END.CON is faster, as fewer
packets are lost.

**Where it has no effect.** Fast CNPs of the data centres alone (2) do not help: the congestion is in the WAN. Under HPCC++ the first notice is as early as
under DCQCN, but the queue hardly changes: routers write no telemetry into packets in tunnels ([wan.md](../guides/wan.md)), and the telemetry of the rest
of the path shows free capacity.

**Other traffic pays for PFC over the WAN.** A paused node pauses the data centre: once the queue of the WAN reaches its threshold, the bystander is
paused too, and the headroom grows with the distance. ARNs of a service keep the queue a tenth shorter over 1,000 km, but pause the same hosts
in the end, and for longer under HPCC++, since the edge passes the pause on. With one service the WAN has no other traffic that an ARN could
spare.

**Without memory and without flow control, go-back-N collapses**: over 1,000 km, with CNPs only, the number of
retransmissions exceeds the number of packets of the flows.
`;
