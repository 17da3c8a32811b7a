/** A thread's task. */
export type FliteTask = {
  /** The engine's WebAssembly file. */
  readonly engine: string;
  /** A separate folder for the WAV file; the engine can access no other files of the machine. */
  readonly folder: string;
  readonly text: string;
  readonly voice: string;
  /** Duration factor: 1 is the voice's normal pace, 2 twice as long. */
  readonly stretch: number;
};

/** Name of the file that the engine writes into the task's folder. */
export const OUTPUT_FILE = 'speech.wav';
