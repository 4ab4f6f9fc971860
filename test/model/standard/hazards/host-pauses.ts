/** The classes that a host port pauses at its switch, for its receive buffer or by a storm. */
import type { PauseFrame } from '../../parts.js';

export class HostPauses {
  /** The classes that a storm currently pauses. */
  stormClasses: readonly number[] = [];
  /** Whether the receive buffer keeps a class paused. */
  keptBy: () => boolean = () => false;
  readonly #asked = new Set<number>();

  asks(trafficClass: number): boolean {
    return this.#asked.has(trafficClass);
  }

  /** Frames that pause these classes, even if they are already paused. */
  begin(classes: readonly number[]): PauseFrame[] {
    for (const trafficClass of classes) this.#asked.add(trafficClass);
    return classes.map((trafficClass) => ({ kind: 'pause', trafficClass }));
  }

  /** Frames that resume those of these classes that are paused. */
  end(classes: readonly number[]): PauseFrame[] {
    const ended = classes.filter((trafficClass) => this.#asked.delete(trafficClass));
    return ended.map((trafficClass) => ({ kind: 'resume', trafficClass }));
  }

  endAllButStorm(): PauseFrame[] {
    const others = [...this.#asked].filter((trafficClass) => !this.stormClasses.includes(trafficClass));
    return this.end(others.sort((a, b) => a - b));
  }

  /** The link has changed: no pause is in effect. */
  forget(): void {
    this.#asked.clear();
  }
}
