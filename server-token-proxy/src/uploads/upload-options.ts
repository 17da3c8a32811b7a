/** A file that a visitor sends, while it arrives. */
export interface IncomingFile {
  /** For display: one path segment of at most 100 characters, with the ending that belongs to `type`. */
  readonly name: string;
  /** One of the allowed types. Of a picture and of a PDF it is read from the content, never from the name. */
  readonly type: string;
  /**
   * The content as it arrives. Errors when the visitor goes away, when the time is over, and at the first byte beyond
   * `maxBytes`; remove the bytes stored until then.
   */
  readonly body: ReadableStream<Uint8Array>;
  readonly sessionId: string;
  /** Name of the connector. */
  readonly connector: string;
  /** The page's origin; null when the caller sent none. */
  readonly origin: string | null;
  /** Aborts when the visitor goes away or the time is over. */
  readonly signal: AbortSignal;
}

/** Files and pictures from visitors. */
export interface Uploads {
  /**
   * Stores the file and resolves with its address, which goes into the visitor's message: `https`, hard to guess, and readable
   * for the people who answer. Resolves with null to refuse the file. Put what your site needs before that here: a virus
   * scanner, a quota, the removal after a time.
   */
  readonly onUpload: (file: IncomingFile) => Promise<string | null>;
  /** Longest file in bytes. Default 10485760. */
  readonly maxBytes?: number;
  /** Media types that are taken. Default PNG, JPEG, GIF, WebP, PDF and plain text. */
  readonly types?: readonly string[];
  /** Longest time that one upload may take, storing included. Default 120000. */
  readonly deadlineMs?: number;
}

/** Defaults of `uploads`. */
export const DEFAULT_UPLOADS: Required<Omit<Uploads, 'onUpload'>> = {
  maxBytes: 10_485_760,
  types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf', 'text/plain'],
  deadlineMs: 120_000,
};
