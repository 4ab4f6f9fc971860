/** The words of docs/fidelity.md that no number stands in. */

export const INTRODUCTION = `# Fidelities

Written by \`npm run study\`.

\`reference\` does what the ns-3 simulator of HPCC's authors does (alibaba-edu/High-Precision-Congestion-Control at 9f4be2a), with its
roundings, sizes, orders and omissions, so that results can be compared with those that it gave. \`standard\` does what standards and
papers say. \`reference-lossy\` does what ConWeave's ns-3 simulator does (conweave-project/conweave-ns3 at 236a801), a descendant of the former
with losses and several paths; it has a section at the end. \`"fidelity"\` of a scenario chooses; default \`standard\`. Sections are those of the behaviour of that simulator: 1 numbers,
2 sender, 3 receiver, 5 HPCC, 6 HPCC-PINT, 9 switch, 10 parameters.

The fidelity is about the network and its hosts. Which algorithm runs, with which parameters and roundings of its own, is the
preset's (\`dcqcn-ns3\`, \`dcqcn-sigcomm15\`, …) under both; thresholds of marking and the buffer are the scenario's.
`;

export const LOSSY = `## What \`reference-lossy\` does otherwise than \`reference\`

\`roce-cc run --reference CONFIG\` knows configs of ConWeave's simulator by their keys (\`FLOWGEN_START_TIME\`, \`ENABLE_IRN\`, \`LB_MODE\`, …) and
takes its files unchanged: topology, flows of five columns, all keys. All 375 runs of it that are kept come out equal, in the completion of each
flow to the nanosecond and in each counter (\`npx vitest run test/sim/golden-lossy\`). "Unintended" is what looks like an error of that
program; it is here too, as results depend on it.

| part | what it does | unintended, but kept |
|---|---|---|
| ACKs, NAKs | class 0 throughout: before data, never paused, marked or dropped; 60 bytes, HPCC 94 | |
| marks | an ACK repeats its packet's mark; a NAK of a packet that came ahead counts as marked, so losses cut the rate | |
| \`go-back-n\` | a NAK per gap, again after 4 us; duplicates are acknowledged; timeout 4 ms from the last packet or ACK | with L2_BACK_TO_ZERO a flow whose size is no multiple of the chunk never ends |
| \`irn\` | a NAK names the packet that came ahead; the sender goes back to the first byte missing and passes over what it knows to be held; window of one bandwidth-delay product; timeouts 100 us with up to three packets in flight, else 320 us | packets still in flight are sent again (the paper sends what is known to be lost); with pauses there is no timeout, so a lost tail ends a flow's progress; the count of packets in flight wraps once all is acknowledged |
| memory | pools of arrivals and of departures, limits that shrink as the pools fill; nothing is lossless by construction | the pool of arrivals counts the headroom of a port that no switch has in place of its last one; a memory below that makes the limit wrap |
| pauses | a frame with each packet that gives reason; a pause ends 5 us behind its last frame | a slow port overflows behind a pause that has ended |
| marking | by what waits beyond 1,049 bytes; each switch draws from a generator of its own, all of which begin alike | |
| link errors | any frame, pauses too; a generator per link with a rate of its own, one for all others | a host draws a number more than it uses |
| next hops | the lowest node first | |
| \`drill\`, \`letflow\`, \`conga\`, \`conweave\` | for data; answers go by the hash | flows of one leaf to one host whose ports differ in the low two bits share a flowlet; CONGA's congestion is not capped at 7 |
| end | looked for each 100 us: once all flows are done the run stops 1 ns later | |

Not done: SW_MONITORING_INTERVAL, whose monitor in that program moves a sender past what is held (runs with it come out equal all the same);
HPCC with \`drill\`, where that program divides by zero.
`;

export const READING = `## What to make of it

- **Notification is the difference that counts.** In the reference every marked packet's ACK is a notification, so its DCQCN is notified of congestion
  in every check period (4 us in its \`run.py\`). One CNP in 50 us, as the paper has it, lets these parameters cut
  at most every 50 us: flows end sooner and queues are several times longer. Without coalescing, CNP packets change little. With the
  paper's timers (50 us themselves) the difference is gone. Parameters tuned under one kind of notification don't carry over to the other.
- **Sizes cost what they weigh.** IPv6, ICRC, FCS, preamble and gap add 54 bytes to a packet of 1,048: 5 %. HPCC's IOAM trace
  is the largest single cost under \`standard\`: 176 bytes per packet through five switches, in ACKs too.
- **Roundings move single runs by a per cent or so**, up or down: a nanosecond less per packet is about 1 % of 83 ns, and
  a threshold that is met one packet earlier changes every cut behind it. Effects of that size in a comparison of algorithms mean nothing.
- **Strict priority of CNPs shows nothing here**, as all data is in one class: in turns, a CNP comes next too. It shows where several classes
  are full.
- **Pacing counts a packet's bytes without preamble and gap** under both: rates of congestion control are of bytes that switches count too (HPCC's
  telemetry, DCQCN's byte counter, ECN's queues), and vendors state none that include the 20 bytes. At packets of
  1,106 bytes a flow takes 1.8 % more of the wire than its rate says, and its port slows it at line rate.
- **Timeouts and NAKs matter with losses alone.** In the reference a flow whose last packet is lost never ends.
`;

export const LIMITS = `## Limits of \`reference\`

- **HPCC-PINT** agrees in the mean completion, not to the nanosecond: within 1.6 % in five of the six golden runs; in the one of two flows, where
  a single draw scatters more, 6.4 % (seed 1). The reference's switches work utilisation out with fixed-point logarithms that are rounded at
  random at each step, in an order of draws that isn't known here; this kernel has a double, and only the choice between two
  powers is random (\`assembly/simulator/pint.ts\`). The sender's side, decoding included, is exact.
- **Marks on the ramp** (Kmin < Kmax) are drawn from the reference's generator (MRG32k3a) in its order, each decision from a stream of its own. Which
  streams other parts of that program take first was found from the golden runs, all of which come out equal; a program built with
  other parts may hand out others.
- Of **several links between two nodes** the last one alone is used, as the reference's map of neighbours holds one; routing prefers neighbours of
  higher ids, which there is an order of pointers and may differ.
- **\`L2_BACK_TO_ZERO\` 1** (begin the chunk again) is not modelled: a NAK goes back to the expected byte. The reader of its files
  shows it.
- **Losses**: no golden run has one. NAKs, going back and the silence on duplicates follow the description of the program alone, and
  which packets are lost is drawn from another generator.
- Flows of 4 GiB or more break in the reference, as its sequence numbers have 32 bits; here they don't.
- A first CNP on a flow's last ACK starts timers that never stop in the reference. Here they stop with the flow; no result depends on it.
`;
