// What the settings of a lossless network should be, where a path deviates from them, and how much buffer an incast of
// 1024 flows takes (RoCE network proposal).
//
//   node examples/plan-network.mjs
import { gbps, us } from 'roce-cc';
import { analyseConvergence, ecnRoomBelowXoff, ecnThresholds, portHeadroom } from 'roce-cc/analysis';
import { describeFinding, lintPath, recommendedPath } from 'roce-cc/qos';

const rateBps = gbps(100);
const { kminBytes, kmaxBytes } = ecnThresholds(rateBps);
console.log(`ECN from ${kminBytes} to ${kmaxBytes} bytes`);
console.log(`PFC headroom ${portHeadroom({ rateBps, linkDelayPs: us(1) }).totalBytes} bytes`);
const room = ecnRoomBelowXoff({ rateBps, controlLoopPs: us(22), kmaxBytes, xoffBytes: 2_000_000 });
console.log(`between Kmax and an xoff of 2 MB: ${room.roomBytes} bytes, needed ${room.neededBytes}`);

const [hostA, leaf, spine, hostB] = recommendedPath(2);
const pfc = { sendPriorities: [], honourPriorities: [3] };
for (const finding of lintPath([hostA, { ...leaf, upstream: { ...leaf.upstream, pfc } }, spine, hostB])) {
  console.log(describeFinding(finding));
}

for (const { name, equation, bufferEquation } of analyseConvergence().readings) {
  console.log(`${name}: ${equation}; ${bufferEquation}`);
}
