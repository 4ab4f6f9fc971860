/** What a report is about: the result, and what the command line added to it. */
import type { ReplayReport } from '../../replay/index.js';

export interface Report {
  readonly result: ReplayReport;
  /** Title above it; undefined = the command and the file. */
  readonly title?: string;
  /** Path of the capture as given; `-` = standard input. */
  readonly file: string;
  /** Path of the flow list; undefined = none. */
  readonly flowsFile: string | undefined;
  readonly flowCount: number;
  /** Is it the main job on the bundled capture? */
  readonly bundled: boolean;
  /** How this program was called, for hints: `npm start --` or its name. */
  readonly program: string;
  /** Where the reaction point's parameters are from: a preset or a settings file. */
  readonly origin: string;
  /** What importing settings had to decide. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}
