// Compiles a scenario for the C library: the plan that roce_sim_open_file loads.
//
//   node examples/native/make-plan.mjs SCENARIO.json OUT.plan              with its flows
//   node examples/native/make-plan.mjs SCENARIO.json OUT.plan 10000       without a workload: room for 10,000 flows that roce_sim_send adds

import { readFileSync, writeFileSync } from 'node:fs';
import { nativePlan, openNativePlan } from 'roce-cc/sim';

const [scenarioFile, planFile, flows] = process.argv.slice(2);
const { workload, ...network } = JSON.parse(readFileSync(scenarioFile, 'utf8'));
const plan = flows === undefined ?
  nativePlan({ ...network, workload }) :
  openNativePlan(network, { flows: Number(flows) });
writeFileSync(planFile, plan);
console.log(`${planFile}: ${plan.length} bytes`);
