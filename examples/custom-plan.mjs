// A network that no scenario describes: the plan that a scenario compiles to is plain data, and may be changed before it runs.
// Here: what if the receivers' CNPs travelled in the class of the data, and what if switches marked ACKs too? (Of one seed: differences
// of some per cent are chance.)
//
//   node examples/custom-plan.mjs
import { compileScenario, runPlan, validateScenario } from 'roce-cc/sim';

const { plan } = compileScenario(validateScenario({
  name: 'random flows between twelve hosts',
  topology: { kind: 'star', hosts: 12 },
  workload: { kind: 'poisson', load: 0.8, sizes: 'WebSearch', flows: 300 },
}));

const plans = {
  'as compiled': plan,
  'CNPs among the data': { ...plan, rules: { ...plan.rules, cnpClass: 3, strictClasses: 0 } },
  'ACKs marked too': { ...plan, rules: { ...plan.rules, markable: 'all' } },
};

for (const [name, changed] of Object.entries(plans)) {
  const { flows, ports, totals } = runPlan(changed);
  const meanUs = flows.reduce((sum, { completionPs }) => sum + completionPs, 0) / flows.length / 1e6;
  const longest = Math.max(...ports.map(({ maxQueueBytes }) => maxQueueBytes));
  console.log(
    `${name}: mean completion ${meanUs.toFixed(1)} us, longest queue ${longest} bytes, ${totals.cnps} CNPs, ${
      totals.marks - totals.dataMarks
    } marks of other packets`,
  );
}
