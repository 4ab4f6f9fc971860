/** Input of a report: the result, and the command line's additions. */
import type { NoteRecord } from '../../note-record.js';
import type { ReplayReport } from '../../replay/index.js';

/** Where flows come from. */
export type FlowsFrom = 'list' | 'connections' | 'none';

export interface Report {
  readonly result: ReplayReport;
  /** Title above it; undefined = the command and the file. */
  readonly title?: string;
  /** Path of the capture as given; `-` = standard input. */
  readonly file: string;
  /** Path of the flow list; undefined = none. */
  readonly flowsFile: string | undefined;
  /** Where the flows come from: a list, the connections found in the capture, or nowhere. */
  readonly flowsFrom: FlowsFrom;
  readonly flowCount: number;
  /** Whether it is the main job on the bundled capture. */
  readonly bundled: boolean;
  /** How this program was called, for hints: `npm start --` or its name. */
  readonly program: string;
  /** Source of the reaction point's parameters: a preset or a settings file. */
  readonly origin: string;
  /** Decisions made when importing settings. */
  readonly notes: readonly NoteRecord[];
  readonly warnings: readonly NoteRecord[];
}

/** Whether there is anything to follow: marks, CNPs or Fast CNPs. */
export function hasNotifications({ notifications, fastCnps }: ReplayReport): boolean {
  return notifications.markedFrames + notifications.cnpsSeen + fastCnps.seen > 0;
}
