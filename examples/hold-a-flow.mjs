// Precise flow control (draft-hu-rtgwg-rocev2-fcn-00, section 4.1): a congested node asks the one upstream to hold one
// flow for 20 us; another flow continues.
//
//   node examples/hold-a-flow.mjs
import { us } from 'roce-cc';
import { applyArn, arnFor, createFlowControl, expirePauses, isPaused } from 'roce-cc/flow-control';
import { Arn, parseIpAddress } from 'roce-cc/wire';

const flowFrom = (source) => ({
  inner: {
    source: parseIpAddress(source),
    destination: parseIpAddress('2001:db8:2::20'),
    protocol: 17,
    sourcePort: 49152,
    destinationPort: 4791,
  },
});
const [held, free] = [flowFrom('2001:db8:1::10'), flowFrom('2001:db8:1::11')];

const message = Arn.write(arnFor('flow', held, { kind: 'pause', timePs: us(20) }));
console.log(message.length, 'bytes');

const upstream = createFlowControl({ modes: ['flow'] });
console.log(applyArn(upstream, Arn.read(message), us(100)));
console.log(isPaused(upstream, held, us(110)), isPaused(upstream, free, us(110)));
console.log(expirePauses(upstream, us(120)).length, 'pause over');
