/** The texts of docs/reference/fidelity.md without numbers. */

export const INTRODUCTION = `# Fidelities

Written by \`npm run study\`.

\`reference\` does what the ns-3 simulator of HPCC's authors does (alibaba-edu/High-Precision-Congestion-Control at 9f4be2a), with its
roundings, sizes, orders and omissions, so that results can be compared with that simulator's. \`standard\` follows standards and
papers. \`reference-lossy\` does what ConWeave's ns-3 simulator does (conweave-project/conweave-ns3 at 236a801), a descendant of the former
with losses and several paths; it has a section at the end. A scenario selects one with \`"fidelity"\`; the default is \`standard\`. Sections are those
of [specs/reference.md](../specs/reference.md), which describes that simulator in full.

\`reference-uet\` does what uet-htsim, the Ultra Ethernet Consortium's simulator, does (commit 40ccb05), to the picosecond. It has its own network,
settings and kernel, and shares no rule with the others: [uet-htsim](../guides/uet-reference.md#as-a-scenario) has it, and this page compares the other three.

The fidelity concerns the network and its hosts. The preset (\`dcqcn-ns3\`, \`dcqcn-sigcomm15\`, …) determines the algorithm, its parameters
and its rounding under each fidelity; the scenario determines the marking thresholds and the buffer.
`;

export const LOSSY = `## Differences of \`reference-lossy\` from \`reference\`

\`roce-cc run --reference CONFIG\` recognises configs of ConWeave's simulator by their keys (\`FLOWGEN_START_TIME\`, \`ENABLE_IRN\`, \`LB_MODE\`, …) and
takes its files unchanged: topology, flows of five columns, all keys. All 375 stored runs of it are reproduced, the completion of each
flow to the nanosecond, and every counter (\`npx vitest run test/sim/golden-lossy\`).

[specs/reference-lossy.md](../specs/reference-lossy.md) has its rules, and marks those that look like errors of that program; they are kept, as
results depend on them. The main differences from \`reference\`, with the section there:

| part | difference | section |
|---|---|---|
| ACKs, NAKs | before data; never paused, marked or dropped | 2 |
| losses | cut the rate, as a NAK for an out-of-order packet counts as marked | 3 |
| \`go-back-n\` | a timeout of 4 ms; a NAK for a gap is repeated after 4 µs; duplicates are acknowledged | 4 |
| \`irn\` | retransmits packets that are still in flight; under PFC it has no timeout, so that a lost tail ends a flow's progress | 3, 5 |
| memory | limits that shrink as pools fill; nothing is lossless by construction | 6 |
| pauses | end 5 µs after the last frame, so that a slow port overflows behind them | 7 |
| next hops | the lowest node first | 9 |
| \`drill\`, \`letflow\`, \`conga\`, \`conweave\` | for data; ACKs and NAKs use the hash | 9 |

Not modelled: SW_MONITORING_INTERVAL, whose monitor in that program moves a sender past what is known to be received (runs with it are
reproduced all the same); HPCC with \`drill\`, where that program divides by zero.
`;

export const READING = `## Findings

- **Notification is the difference that matters.** In the reference every marked packet's ACK is a notification, so its DCQCN is notified of congestion
  in every check period (4 µs in its \`run.py\`). With one CNP in 50 µs, as in the paper, these parameters cut
  at most every 50 µs: flows end sooner and queues are several times longer. Without coalescing, CNP packets change little. With the
  paper's timers (50 µs themselves) the difference is gone. Parameters tuned for one kind of notification are not valid for the other.
- **The cost of sizes is proportional.** IPv6, ICRC, FCS, preamble and gap add 54 bytes to a packet of 1,048: 5 %. HPCC's IOAM trace
  is the largest single cost under \`standard\`: 176 bytes per packet through five switches, in ACKs too.
- **Rounding moves single runs by about one per cent**, up or down: a nanosecond less per packet is about 1 % of 83 ns, and
  a threshold crossed one packet earlier changes every later cut. Effects of that size in a comparison of algorithms mean nothing.
- **Strict priority of CNPs has no effect here**, as all data is in one class: in a round-robin a CNP is next, too. It has an effect if several classes
  are full.
- **Pacing counts a packet's bytes without preamble and gap** under both: rates of congestion control refer to the bytes that switches count (HPCC's
  telemetry, DCQCN's byte counter, ECN's queues), and no vendor states rates that include the 20 bytes. With packets of
  1,106 bytes a flow takes 1.8 % more of the wire than its rate, and its port slows it down at line rate.
- **Timeouts and NAKs matter only with losses.** In the reference a flow whose last packet is lost never ends.
`;

export const LIMITS = `## Limits of \`reference\`

- **HPCC-PINT** agrees in the mean completion, not to the nanosecond: within 1.6 % in five of the six golden runs; in the one of two flows, where
  a single draw scatters more, 6.4 % (seed 1). The reference's switches compute utilisation with fixed-point logarithms that are rounded at
  random at each step, in an unknown order of draws; this kernel uses a double, and only the choice between two
  powers is random (\`assembly/simulator/pint.ts\`). The sender's side, decoding included, is exact.
- **Marks on the ramp** (Kmin < Kmax) are drawn from the reference's generator (MRG32k3a) in its order, each decision from a separate stream. The
  streams that other parts of that program take first were inferred from the golden runs, all of which match; a program built with
  other parts may assign other streams.
- Of **several links between two nodes** only the last one is used, as the reference's map of neighbours holds one; routing prefers neighbours of
  higher ids, while the reference orders by pointers and may differ.
- **\`L2_BACK_TO_ZERO\` 1** (go-back-0 by chunk) is not modelled: a NAK goes back to the expected byte. The reader of its files reports
  the option.
- **Losses**: no golden run has one. NAKs, going back and the missing ACKs of duplicates follow only the description of the program, and
  lost packets are drawn from another generator.
- Flows of 4 GiB or more, which break in the reference (section 2), work here.
- Timers that a first CNP on a flow's last ACK starts never stop in the reference (section 2). Here they stop with the flow; no result
  depends on it.
`;
