/**
 * The Fast CNP generator of `switches.fastCnp`: where a data packet would be marked, its sender gets a Fast CNP instead.
 *
 *   congested  by the ramp of ramp.js
 *   able       the sender accepts Fast CNPs: one, if the buckets of its flow at this switch and of the port both have a token;
 *              else nothing, or a mark under markWhenLimited. A mark never goes with a Fast CNP.
 *   unable     a mark
 *
 * Switches that do not send Fast CNPs mark, as in ramp-ecn.js. Token buckets: token-bucket.js.
 *
 * Source: draft-xiao-rtgwg-rocev2-fast-cnp-01, sections 4 and 5. It leaves open when a switch sends a Fast CNP, and asks for a limit;
 * condition and limits are this project's (docs/reference/sources.md, "Rate limits of Fast CNPs").
 */
import { defineCongestionPoint } from 'roce-cc/algorithm';
import { isCongested } from './ramp.js';
import { FULL, refill, spend } from './token-bucket.js';

const RATE = { min: 0, max: 1e12, unit: '1/s' };
const BURST = { min: 1, max: 1e9 };
const FLAG = { min: 0, max: 1, whole: true };

export default defineCongestionPoint({
  name: 'fast-cnp',
  title: 'Fast CNPs with token buckets',
  source: 'draft-xiao-rtgwg-rocev2-fast-cnp-01',
  parameters: {
    sendsFastCnps: {
      ...FLAG,
      default: ({ fastCnp }) => Number(fastCnp),
      description: '1: the switch sends Fast CNPs; 0: it marks',
    },
    markAt: { default: ({ markAt }) => markAt, values: ['dequeue', 'enqueue'], description: 'the queue that counts' },
    flowRatePerSecond: {
      ...RATE,
      default: ({ flowRatePerSecond }) => flowRatePerSecond,
      description: 'Fast CNPs of a flow',
    },
    flowBurst: { ...BURST, default: ({ flowBurst }) => flowBurst, description: 'Fast CNPs of a flow at once' },
    portRatePerSecond: {
      ...RATE,
      default: ({ portRatePerSecond }) => portRatePerSecond,
      description: 'Fast CNPs of a port',
    },
    portBurst: { ...BURST, default: ({ portBurst }) => portBurst, description: 'Fast CNPs of a port at once' },
    markWhenLimited: {
      ...FLAG,
      default: ({ markWhenLimited }) => Number(markWhenLimited),
      description: '1: mark instead of a Fast CNP that the buckets hold back',
    },
  },
  portState: FULL,
  flowState: FULL,

  enqueue(port, packet) {
    if (port.parameters.markAt === 'enqueue') decide(port, packet);
  },
  dequeue(port, packet) {
    if (port.parameters.markAt === 'dequeue') decide(port, packet);
  },
});

function decide(port, packet) {
  const { parameters: p } = port;
  if (!p.sendsFastCnps) {
    if (packet.isMarkable && isCongested(port)) packet.mark();
    return;
  }
  if (!packet.isData || !isCongested(port)) return;
  if (!packet.acceptsFastCnps) packet.mark();
  else if (mayNotify(port, packet)) packet.sendFastCnp();
  else if (p.markWhenLimited) packet.mark();
}

function mayNotify({ timePs, portState, parameters: p }, { flowState }) {
  refill(flowState, timePs, p.flowRatePerSecond, p.flowBurst);
  refill(portState, timePs, p.portRatePerSecond, p.portBurst);
  return spend(flowState, portState);
}
