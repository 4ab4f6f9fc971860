/**
 * Step ECN: every packet that finds, or leaves, a queue above one threshold is marked.
 *
 *   mark  q > K        K = Kmin of the port; DCTCP's K, and the ramp with Kmin = Kmax
 *
 * q: bytes of the packet's class, with a packet that joins, without one that leaves.
 *
 * Source: Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, section 3.1. Marks on departure: H. Wu et al., "Tuning ECN for Data
 * Center Networks", CoNEXT 2012.
 */
import { defineCongestionPoint } from 'roce-cc/algorithm';

export default defineCongestionPoint({
  name: 'step-ecn',
  title: 'Step ECN',
  source: 'Alizadeh et al., SIGCOMM 2010',
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
  if (packet.isMarkable && port.queueBytes > port.kminBytes) packet.mark();
}
