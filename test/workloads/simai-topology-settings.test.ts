/** The settings of collectives in a topology file of SimAI. */
import { expect, it } from 'vitest';
import { ncclSettingsOfTopology } from '../../src/workloads/index.js';
import { rejectionOf } from '../support/rejection.js';
import { railsOf } from './support/simai-collectives.js';

it.each([
  ['A100', 'A100'],
  ['H800', 'H800'],
  ['B300', 'none'],
])('of %s: GPUs per server, their type, NVLink and NIC', async (word, gpuType) => {
  const topology = await railsOf({ servers: 2, perServer: 4, spines: 1, gpuType: word });
  expect(ncclSettingsOfTopology(topology)).toEqual({
    gpusPerServer: 4,
    gpuType,
    nvlinkGbps: 2400,
    nvlinkLatencyNs: 25,
    nicGbps: 100,
  });
});

it.each([
  [undefined, 'topology'],
  [{ nvSwitches: 1 }, 'topology.nvSwitches'],
  [{ nvSwitches: [], topology: { links: [3] } }, 'topology.topology.links[0]'],
])('%j is rejected by name', (value, where) => {
  expect(rejectionOf(() => ncclSettingsOfTopology(value as never)).where).toBe(where);
});

it('has no NVLink without NVSwitches', async () => {
  const topology = await railsOf({ servers: 2, perServer: 4, spines: 1 });
  expect(ncclSettingsOfTopology({ ...topology, nvSwitches: [] })).toMatchObject({ gpusPerServer: 4, gpuType: 'A100' });
  expect(ncclSettingsOfTopology({ ...topology, nvSwitches: [] }).nicGbps).toBe(2400);
});
