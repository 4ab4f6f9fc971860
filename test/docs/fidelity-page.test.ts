/** docs/reference/fidelity.md documents each rule, with the numbers of the current simulator. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CASES, planOf, referenceSpec, standardSpec } from '../../studies/fidelity/cases.js';
import { OTHER_DIFFERENCES } from '../../studies/fidelity/differences.js';
import { measureCase, measure } from '../../studies/fidelity/measure.js';
import { caseTable } from '../../studies/fidelity/page.js';
import { RULES } from '../../src/sim/compile/rules.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { GOLDEN_SYSTEM, readGolden } from '../support/golden.js';

const PAGE = readFileSync(new URL('../../docs/reference/fidelity.md', import.meta.url), 'utf8');

/** First cells between two headings. */
function firstCells(from: string, to: string): string[] {
  const part = PAGE.slice(PAGE.indexOf(from), PAGE.indexOf(to));
  return part.split('\n').filter((line) => line.startsWith('| ')).map((line) => line.split(' | ')[0]!.slice(2)).slice(
    1,
  );
}

/** Names of the fields that differ between the parts of two plans. */
function differing(a: NetworkPlan, b: NetworkPlan): string[] {
  const fields = (part: 'ports' | 'flows' | 'nodes' | 'parameterSets') => {
    const others = [...b[part]];
    const pairs = [...a[part]].map((one, index) =>
      [one, others[index]] as unknown as [Record<string, unknown>, Record<string, unknown>]
    );
    return [
      ...new Set(
        pairs.flatMap(([one, other]) =>
          Object.keys(one).filter((key) => one[key] !== undefined && one[key] !== other[key])
        ),
      ),
    ];
  };
  return [...fields('ports'), ...fields('flows'), ...fields('nodes'), ...fields('parameterSets')].sort();
}

describe('docs/reference/fidelity.md', () => {
  it('has a row for each field of Rules', () => {
    const fields = new Set(CASES.flatMap((one) => [
      ...Object.keys(planOf(referenceSpec(one)).rules),
      ...Object.keys(RULES.standard),
      'pintRttPs',
      'delayedAck',
      'guaranteedClasses',
    ]));
    expect(firstCells('## Rules', '## Beyond').sort()).toEqual([...fields].map((field) => `\`${field}\``).sort());
  });

  it('has a row for each other difference', () => {
    expect(firstCells('## Beyond', '## Findings')).toEqual(OTHER_DIFFERENCES.map(({ name }) => name));
  });

  it.each(CASES.map((one) => [one.name, one] as const))('%s: plans differ only in the documented fields', (_, one) => {
    const documented = [
      'ackBytes',
      'baseRttPs',
      'headerBytes',
      'headroomBytes',
      'idealPs',
      'intMultiplier',
      'records',
      'windowBytes',
    ];
    expect(
      differing(planOf(referenceSpec(one)), planOf(standardSpec(one))).filter((field) => !documented.includes(field)),
    )
      .toEqual([]);
  });

  it.each(CASES.slice(0, 2).map((one) => [one.name, one] as const))(
    '%s: the page has the table that is measured today (npm run study)',
    (_, one) => {
      expect(PAGE).toContain(`### ${one.name}\n\n${caseTable(measureCase(one))}\n`);
    },
    60_000,
  );

  it('measures only a case whose run matches the reference simulator', () => {
    const [one] = CASES;
    const other = { ...one!, golden: { ...one!.golden!, marks: 9188 } };
    expect(() => measureCase(other)).toThrow("16-to-1 incast, DCQCN: marks is 9189, the reference simulator's is 9188");
    expect(measure(planOf(referenceSpec(one!)))).toMatchObject(one!.golden!);
  });

  it("has the reference simulator's numbers", () => {
    const folders = { incast16: 'incast16_1MB', leafspine32: 'leafspine32_48f', fattree4: 'fattree4_32f' };
    const configs = { dcqcn: 'dcqcn_step', 'dcqcn-paper': 'dcqcn_paper_step', hpcc: 'hpcc' };
    const rows = readGolden(GOLDEN_SYSTEM, 'summary.csv');
    for (const { network, config, bufferMiB, golden } of CASES) {
      if (golden === undefined) continue;
      const scenario = `${folders[network]}${bufferMiB === undefined ? '' : `_buf${bufferMiB}MB`}`;
      const row = rows.find(({ scenario: name, cc }) => name === scenario && cc === configs[config])!;
      const { fct_mean: meanNs, maxEgressBytes: maxQueueBytes, ecnMarks: marks, pfcPause: pauses } = row;
      expect(golden).toEqual(
        Object.fromEntries(
          Object.entries({ meanNs, maxQueueBytes, marks, pauses }).map(([key, value]) => [key, Number(value)]),
        ),
      );
    }
  });
});
