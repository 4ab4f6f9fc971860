/** Files of the reference simulator: changed texts. */
import { readReferenceExperiment, validateScenario } from '../../src/sim/index.js';
import { makeFuzzer } from './fuzzer.js';
import { mutateText } from './mutate.js';
import type { Random } from './random.js';

const TOPOLOGY = `4 1 3
0
0 1 100Gbps 0.001ms 0
0 2 100Gbps 1us 0.5
0 3 25Gbps 1000ns 0

First line: how many nodes, switches, links
`;
const FLOWS = `2
2 1 3 100 200000000 2
3 1 3 101 5000 2.000011
`;
const CONFIG = `ENABLE_QCN 1
USE_DYNAMIC_PFC_THRESHOLD 1
PACKET_PAYLOAD_SIZE 1000 {bytes}
TOPOLOGY_FILE mix/topology.txt
FLOW_FILE mix/flow.txt
SIMULATOR_STOP_TIME 4.00
CC_MODE 1
ALPHA_RESUME_INTERVAL 1
RATE_DECREASE_INTERVAL 4
RP_TIMER 900
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 5
RATE_AI 50Mb/s
RATE_HAI 100Mb/s
MIN_RATE 100Mb/s
ERROR_RATE_PER_LINK 0.0000
HAS_WIN 1
GLOBAL_T 1
U_TARGET 0.95
LINK_DOWN 0 0 0
KMAX_MAP 3 25000000000 400 50000000000 800 100000000000 1600
KMIN_MAP 3 25000000000 100 50000000000 200 100000000000 400
PMAX_MAP 3 25000000000 0.2 50000000000 0.2 100000000000 0.3
BUFFER_SIZE 32
`;

interface Files {
  readonly config: string;
  readonly topology: string;
  readonly flows: string;
}

function make(random: Random): Files {
  const changed = (text: string): string => (random.oneIn(2) ? mutateText(random, text) : text);
  return { config: changed(CONFIG), topology: changed(TOPOLOGY), flows: changed(FLOWS) };
}

function check({ config, topology, flows }: Files): void {
  validateScenario(readReferenceExperiment({
    config,
    readFile: (name) => (name.includes('flow') ? flows : topology),
  }));
}

export const referenceFiles = makeFuzzer('reference-files', make, check);
