/** Where previews are kept until their address runs out. */
export interface AudioStore {
  /** A new name that cannot be guessed. */
  createName(options: Pick<KeepOptions, 'nowMs' | 'lifetimeSeconds'>): string;
  /** Stores the audio and resolves with an address that opens it without a key, for its lifetime. */
  keep(name: string, audio: Uint8Array<ArrayBuffer>, options: KeepOptions): Promise<string>;
  /** Removes the audio; false when it is not there. */
  remove(name: string): Promise<boolean>;
}

/** How audio is kept. */
export type KeepOptions = {
  readonly contentType: string;
  readonly nowMs: number;
  /** Whole seconds count; part of a second is given on top. */
  readonly lifetimeSeconds: number;
  /** How callers reach this deployment, such as `https://api.example.com`. */
  readonly origin: string;
};
