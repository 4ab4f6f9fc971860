/** The workload files that the user has opened. Runs of scenarios that name them get their graphs. */
import type { GraphsByFile } from '../../protocol/run-protocol.js';
import type { WorkloadClient } from './workload-client.js';

export class WorkloadFiles {
  readonly #files = new Map<string, File>();
  #client: Promise<WorkloadClient> | undefined;

  /** The text of a scenario for that file. @throws RejectedError. */
  async open(file: File): Promise<string> {
    const text = await (await this.#reader()).scenario(file);
    this.#files.set(file.name, file);
    return text;
  }

  /** Graphs of the files that a scenario names; undefined if it names none. */
  graphsOf(text: string): Promise<GraphsByFile> | undefined {
    const named = [...this.#files.values()].filter(({ name }) => text.includes(JSON.stringify(name)));
    return named.length === 0 ? undefined : this.#reader().then((client) => client.graphs(text, named));
  }

  #reader(): Promise<WorkloadClient> {
    this.#client ??= import('./workload-client.js').then((module) => new module.WorkloadClient());
    return this.#client;
  }
}
