/** Stores previews until their address expires. */
export interface AudioStore {
  /** Creates a name that cannot be guessed. */
  createName(options: Pick<KeepOptions, 'nowMs' | 'lifetimeSeconds'>): string;
  /** Stores audio and resolves with an address that gives access without a key until it expires. */
  keep(name: string, audio: Uint8Array<ArrayBuffer>, options: KeepOptions): Promise<string>;
  /** Removes audio; false when it does not exist. */
  remove(name: string): Promise<boolean>;
}

/** Options for storing audio. */
export type KeepOptions = {
  readonly contentType: string;
  readonly nowMs: number;
  /** In whole seconds, rounded up. */
  readonly lifetimeSeconds: number;
  /** Public address of this deployment, such as `https://api.example.com`. */
  readonly origin: string;
};
