import { type ReadonlySignal, signal } from '@preact/signals';
import { Recorder } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import { writeRecording } from '../../recording/write-recording.ts';
import { type LogLine, LogLines } from './log-lines.ts';
import { applySettings, DEFAULTS, type Settings } from './settings.ts';
import { type PageMessage, WidgetLink } from './widget-link.ts';

/** A recording that is replayed in the widget. */
export interface Replay {
  readonly recording: Recording;
  /** Speed of the replay, as a multiple of the recorded speed. */
  readonly speed: number;
  /** Differs for every start, so that the page is loaded again. */
  readonly run: number;
}

/** The displayed log. */
interface Shown {
  readonly lines: readonly LogLine[];
  readonly total: number;
}

/** One visit of the test bench: the page in the frame, its log, and its settings. */
export class BenchModel {
  readonly link: WidgetLink = new WidgetLink((message) => this.#take(message));
  readonly settings = signal<Settings>(DEFAULTS);
  readonly replay = signal<Replay | null>(null);
  /** Result of the last command to the widget. */
  readonly status = signal('');
  /** Raised to load the page again. */
  readonly loads = signal(0);
  readonly #log = new LogLines();
  readonly #shown = signal<Shown>({ lines: [], total: 0 });
  #recorder = new Recorder();
  #isUpdating = false;

  get shown(): ReadonlySignal<Shown> {
    return this.#shown;
  }

  /** Runs a command of the widget, and shows the reason if it fails. */
  async call(name: string, ...values: readonly unknown[]): Promise<string | null> {
    this.status.value = '';
    try {
      return await this.link.call(name, ...values);
    } catch (error) {
      this.status.value = error instanceof Error ? error.message : String(error);
      return null;
    }
  }

  set(changes: Partial<Settings>): void {
    const before = this.settings.value;
    this.settings.value = { ...before, ...changes };
    void this.#apply(before);
  }

  startReplay(recording: Recording, speed: number): void {
    this.clear();
    this.replay.value = { recording, speed, run: (this.replay.value?.run ?? 0) + 1 };
  }

  stopReplay(): void {
    this.clear();
    this.replay.value = null;
  }

  reload(): void {
    this.loads.value += 1;
  }

  /** The frames in the log as a recording, without secrets. Throws while there is none. */
  finishRecording(title: string): Recording {
    return this.#recorder.finish(title);
  }

  clear(): void {
    this.#log.clear();
    this.#recorder = new Recorder();
    this.#show();
  }

  #take(message: PageMessage): void {
    if (message.bench === 'waiting') {
      const replay = this.replay.value;
      if (replay !== null) this.link.giveRecording(writeRecording(replay.recording), replay.speed);
    } else if (message.bench === 'ready') {
      this.status.value = message.hasWidget ? '' : 'The widget did not load. Is the token proxy running?';
      void this.#apply(DEFAULTS);
    } else {
      if (message.bench === 'frame') {
        this.#recorder.take(message.frame);
        this.#log.takeFrame(message.frame);
      } else this.#log.takeEvent(message.type, message.atMs, message.detail);
      this.#showSoon();
    }
  }

  async #apply(before: Settings): Promise<void> {
    try {
      await applySettings(this.link, this.settings.value, before);
    } catch (error) {
      this.status.value = error instanceof Error ? error.message : String(error);
    }
  }

  /** Chunks arrive faster than a screen draws. */
  #showSoon(): void {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    requestAnimationFrame(() => {
      this.#isUpdating = false;
      this.#show();
    });
  }

  #show(): void {
    this.#shown.value = { lines: this.#log.lines, total: this.#log.total };
  }
}
