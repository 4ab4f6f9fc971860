/**
 * Ramp ECN, the rule of `switches.ecn`: a packet is marked with the probability of ramp.js.
 *
 * Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3.1. Known deviation: under fidelity
 * `reference` the built-in rule draws a number for each queue on the ramp, also where p is 0 (Pmax 0) or 1.
 */
import { defineCongestionPoint } from 'roce-cc/algorithm';
import { isCongested } from './ramp.js';

export default defineCongestionPoint({
  name: 'ramp-ecn',
  title: 'Ramp ECN',
  source: 'Zhu et al., SIGCOMM 2015',
  parameters: {
    markAt: {
      default: ({ markAt }) => markAt,
      values: ['dequeue', 'enqueue'],
      description: 'the queue that counts: the one that a packet joins, or the one that it leaves',
    },
  },

  enqueue(port, packet) {
    if (port.parameters.markAt === 'enqueue') mark(port, packet);
  },
  dequeue(port, packet) {
    if (port.parameters.markAt === 'dequeue') mark(port, packet);
  },
});

function mark(port, packet) {
  if (packet.isMarkable && isCongested(port)) packet.mark();
}
