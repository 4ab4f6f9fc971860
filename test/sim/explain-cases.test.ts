/** Explanations of experiments that users asked about. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explainResult, readReferenceExperiment, runScenarioSync } from '../../src/sim/index.js';

const textOf = (path: string): string => readFileSync(new URL(`cases/${path}`, import.meta.url), 'utf8');

function answersOf(name: string): ReadonlyMap<string, string> {
  const spec = readReferenceExperiment({
    config: textOf(`${name}/config.txt`),
    readFile: (file) => textOf(`${name}/${file}`),
  });
  return new Map(explainResult(runScenarioSync(spec)).map(({ topic, answer }) => [topic, answer]));
}

describe('Explanations under fidelity reference', () => {
  it('mention no timeout if hosts have none', () => {
    expect(answersOf('ns3-linkdown').get('unfinished')).toMatch(
      /72 packets of all flows were lost for such reasons; hosts have no retransmission timeout, so none retransmits them\.$/,
    );
  });

  it('do not credit congestion control that lowers no rate', () => {
    expect(answersOf('ns3-hpcc-6-switches').get('work')).toMatch(
      /^PFC alone: congestion control \(hpcc\) lowered the rate of no sender\. 1,851 pauses/,
    );
  });

  it("name a rate that HPCC's records cannot express as the cause of the slowest flow", () => {
    expect(answersOf('ns3-hpcc-800').get('slow')).toMatch(
      /allowed it 24\.7 Gb\/s on average, of 800 Gb\/s\. HPCC's records .* no code for the 800 Gb\/s of s4:h1: .* 25 Gb\/s/,
    );
  });
});
