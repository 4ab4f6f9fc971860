/** Builds a report's entry for a stream. */
import type { StreamView } from './marks/findings.js';
import type { PsnSummary } from './psn/psn-counts.js';
import type { StreamSummary } from './report.js';
import type { Stream } from './stream.js';

const NO_PSNS: PsnSummary = { packets: 0, gaps: 0, missing: 0, recovered: 0, repeated: 0 };

export function summaryOf(stream: Stream): StreamSummary {
  const { source, destination, counts, marks, psns } = stream;
  const requests = psns?.requests.counts.summary ?? NO_PSNS;
  const responses = psns?.responses.counts.summary ?? NO_PSNS;
  return {
    source,
    destination,
    ...counts,
    psnGaps: requests.gaps + responses.gaps,
    psnsMissing: requests.missing + responses.missing,
    psnsRepeated: requests.repeated + responses.repeated,
    psnsRecovered: requests.recovered + responses.recovered,
    requests,
    responses,
    marks: marks.summaries,
  };
}

/** The properties of a stream that findings are based on. */
export function streamView({ counts, marks, direction, psns }: Stream): StreamView {
  return {
    destQpn: counts.destQpn,
    marks: marks.summaries,
    hosts: direction.hosts,
    isAlone: direction.reverse === undefined && psns?.expectsOpposite === true,
  };
}
