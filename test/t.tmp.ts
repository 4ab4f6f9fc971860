import { openSimulation, runScenarioSync } from '/work/wt-native/src/sim/index.js';
const S: any = { name: 'star', topology: { kind: 'star', hosts: 6 } };
const flows = [
  { from: 'h0', to: 'h1', sizeBytes: 5000, startPs: 0 },
  { from: 'h2', to: 'h1', sizeBytes: 7000, startPs: 1000000 },
  { from: 'h3', to: 'h4', sizeBytes: 100000, startPs: 30000000 },
  { from: 'h0', to: 'h4', sizeBytes: 100000, startPs: 31000000 },
];
const sim = openSimulation(S, { flows: 64 });
for (const f of flows) {
  sim.advance(f.startPs);
  sim.send(f);
}
while (sim.next() !== undefined);
const g: any = sim.result();
const w: any = runScenarioSync({ ...g.scenario });
for (const k of Object.keys(w)) if (JSON.stringify(w[k]) !== JSON.stringify(g[k])) console.log(k);
for (const k of Object.keys(w.series))
  if (JSON.stringify(w.series[k]) !== JSON.stringify(g.series[k]))
    console.log(k, JSON.stringify(w.series[k]), JSON.stringify(g.series[k]));
