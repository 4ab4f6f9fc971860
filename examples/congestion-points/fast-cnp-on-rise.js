/**
 * Fast CNPs while a queue rises: an idea to try, not a proposal of anybody's.
 *
 * The draft leaves open when a switch sends a Fast CNP. Here it does so before the queue is long, and as long as it is too long, to one
 * flow at a time:
 *
 *   slope     (q - q0) / (t - t0) over at least an interval
 *   rising    slope > 0, and q + slope horizon > Kmin: within the horizon the queue would pass the threshold
 *   when      rising, or q > Kmax
 *   to whom   the flow with the most bytes in the queue, when a packet of it leaves, at most once per gap
 *   unable    senders that accept no Fast CNPs get marks by the ramp of ramp.js
 *
 * State: per queue q0 and t0, whether it rises, and the flow with the most bytes as far as known: it is found when it passes the one
 * before it, and compared with what has left since. Per flow its bytes in the queue and the next time of a Fast CNP.
 *
 * Known limits: packets that a cut link loses stay counted; a flow whose packets leave by several ports is counted as one.
 */
import { defineCongestionPoint } from 'roce-cc/algorithm';
import { isCongested } from './ramp.js';

const NONE = -1;

export default defineCongestionPoint({
  name: 'fast-cnp-on-rise',
  title: 'Fast CNPs while the queue rises',
  parameters: {
    intervalPs: {
      default: 2e6,
      min: 1,
      max: 1e12,
      unit: 'ps',
      description: 'least time between two measures of the slope',
    },
    horizonPs: { default: 10e6, min: 0, max: 1e12, unit: 'ps', description: 'how far the slope is extended' },
    gapPs: { default: 50e6, min: 0, max: 1e12, unit: 'ps', description: 'least time between two Fast CNPs of a flow' },
  },
  state: { sincePs: 0, sinceBytes: 0, isRising: 0, topFlow: NONE, topBytes: 0 },
  flowState: { queuedBytes: 0, nextPs: 0 },

  enqueue({ state }, packet) {
    if (!packet.isData) return;
    const { flowState } = packet;
    flowState.queuedBytes += packet.lenBytes;
    if (packet.flow !== state.topFlow && flowState.queuedBytes <= state.topBytes) return;
    state.topFlow = packet.flow;
    state.topBytes = flowState.queuedBytes;
  },

  dequeue(port, packet) {
    const { state } = port;
    measure(port);
    if (!packet.isData) return;
    const { flowState } = packet;
    flowState.queuedBytes -= packet.lenBytes;
    if (packet.flow === state.topFlow) state.topBytes = flowState.queuedBytes;
    if (!packet.acceptsFastCnps) {
      if (isCongested(port)) packet.mark();
    } else if (
      (state.isRising || port.queueBytes > port.kmaxBytes) && packet.flow === state.topFlow &&
      port.timePs >= flowState.nextPs
    ) {
      packet.sendFastCnp();
      flowState.nextPs = port.timePs + port.parameters.gapPs;
    }
  },
});

function measure({ timePs, queueBytes, kminBytes, state, parameters: p }) {
  const elapsedPs = timePs - state.sincePs;
  if (elapsedPs < p.intervalPs) return;
  const bytesPerPs = (queueBytes - state.sinceBytes) / elapsedPs;
  state.isRising = Number(bytesPerPs > 0 && queueBytes + bytesPerPs * p.horizonPs > kminBytes);
  state.sincePs = timePs;
  state.sinceBytes = queueBytes;
}
