/** Where previews are kept until their address runs out. */
export interface AudioStore {
  /** Stores the audio for good and resolves with an address that anybody who has it can open, until `expiresAtMs`. */
  keep(audio: Uint8Array<ArrayBuffer>, options: KeepOptions): Promise<string>;
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
