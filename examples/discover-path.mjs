// Lossless discovery (Technical Disclosure Commons 1652) along three routers, one of which has PFC off: bytes all the
// way, as they would be on the wire.
//
//   node examples/discover-path.mjs
import { us } from 'roce-cc';
import { correlateReplies, createNode, createOriginator, deliverPacket, finishProbe, onProbeReply, reportPath,
  routePacket, startProbe } from 'roce-cc/discovery';
import { ReplyPacket, RequestPacket, parseIpAddress } from 'roce-cc/wire';

const destination = createNode({ address: parseIpAddress('10.0.9.1') });
const routers = [1, 2, 3].map((hop) =>
  createNode({
    address: parseIpAddress(`10.0.${hop}.1`),
    qos: hop === 2 ? { pfcPriorities: 0 } : {},
  })
);

const source = parseIpAddress('10.0.0.1');
const idNumber = 7;
const started = startProbe(createOriginator(source), { destination: destination.address, idNumber }, us(0));
let packet = RequestPacket.write({
  source,
  destination: destination.address,
  request: started.request,
  hopLimit: started.hopLimit,
  protocol: 17,
  payload: new Uint8Array(8),
});

const replies = [];
for (const router of routers) {
  const { replyPacket, forwardedPacket } = routePacket(router, packet);
  replies.push(replyPacket);
  packet = forwardedPacket;
}
replies.push(deliverPacket(destination, packet).replyPacket);

let { state } = started;
for (const [index, bytes] of replies.entries()) {
  const { source: from, reply } = ReplyPacket.read(bytes);
  ({ state } = onProbeReply(state, { from, reply }, us(10 * (index + 1))));
}
const { probe } = finishProbe(state, idNumber, us(50));
const { verdict, reasons, path } = reportPath(correlateReplies(probe));
console.log(`${path.hopCount} routers: ${verdict}`);
for (const reason of reasons) console.log(reason);
