// A Fast CNP out of an SRv6 WAN (draft-hu-rtgwg-rocev2-fcn-00, section 4.2): the ingress PE puts a data packet into a
// tunnel, a congested node inside responds with a Fast CNP, and the PE forwards it to the sender.
//
//   node examples/fast-cnp-through-wan.mjs
import { build, completeStack, describe, dissect } from 'roce-cc/packet';
import { answerFromWan, configureEndCon, configureIngressPe, createEndConCounters, endConReceive,
  ingressEncapsulate } from 'roce-cc/tunnel';
import { parseIpAddress, parsePrefix } from 'roce-cc/wire';

const RAW_IP = { linkType: 101 };
const address = (text) => parseIpAddress(text);
const show = (where, packet) => console.log(`${where}  ${describe(dissect(packet, RAW_IP))}`);

const endConSid = address('2001:db8:f000::c0');
const pe = configureIngressPe({ endConSid, destination: address('2001:db8:f000::e9') });
const endCon = configureEndCon({
  localSids: [endConSid],
  accept: 'fast-cnp',
  allowedSources: [parsePrefix('2001:db8:f000::/48')],
});
const counters = createEndConCounters();

const data = build(completeStack([
  {
    kind: 'ipv6',
    value: { source: address('2001:db8:1::10'), destination: address('2001:db8:2::20'), dscp: 26, ecn: 2 },
  },
  { kind: 'udp' },
  { kind: 'bth', value: { opcode: 0x04, destQpn: 42 } }, // RC SEND only
  { kind: 'payload', value: { bytes: new Uint8Array(1024) } },
]));
show('in the data centre ', data);

const inTunnel = ingressEncapsulate(pe, data);
const answer = answerFromWan(inTunnel, { switchAddress: address('2001:db8:f000::5') });
if (answer.action !== 'send') throw new Error(answer.reason);
const received = endConReceive(endCon, counters, answer.packet);
if (received.action !== 'forward') throw new Error(received.reason);
show('back behind the PE ', received.packet);
console.log(counters.forwarded, 'forwarded of', counters.received);
