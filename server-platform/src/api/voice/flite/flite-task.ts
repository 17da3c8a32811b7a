/** What the thread is asked to say. */
export type FliteTask = {
  /** The engine's WebAssembly file. */
  readonly engine: string;
  /** A separate folder; the WAV goes there, and the engine sees nothing else of the machine's files. */
  readonly folder: string;
  readonly text: string;
  readonly voice: string;
  /** 1 is the voice's own pace, 2 twice as long. */
  readonly stretch: number;
};

/** Name of the file that the engine writes into the task's folder. */
export const OUTPUT_FILE = 'speech.wav';
