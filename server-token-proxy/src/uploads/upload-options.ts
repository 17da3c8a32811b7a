/** A visitor's file while it arrives. */
export interface IncomingFile {
  /** For display: one path segment of at most 100 characters, with an extension of `type`. */
  readonly name: string;
  /** One of the allowed types. For pictures and PDF determined by the content, never by the name. */
  readonly type: string;
  /**
   * The content as it arrives. Errors when the visitor disconnects, at the time limit, and at the first byte beyond
   * `maxBytes`; then remove the bytes stored so far.
   */
  readonly body: ReadableStream<Uint8Array>;
  readonly sessionId: string;
  /** Name of the connector. */
  readonly connector: string;
  /** The page's origin; null when the caller sent none. */
  readonly origin: string | null;
  /** Aborts when the visitor disconnects and at the time limit. */
  readonly signal: AbortSignal;
}

/** Files and pictures from visitors. */
export interface Uploads {
  /**
   * Stores the file and resolves with its address for the visitor's message: `https`, hard to guess, and readable by
   * the people who answer. Resolves with null to refuse the file. Add your site's own checks here: a virus scanner, a
   * quota, removal after a time.
   */
  readonly onUpload: (file: IncomingFile) => Promise<string | null>;
  /** Longest file in bytes. Default 10485760. */
  readonly maxBytes?: number;
  /** Accepted media types. Default PNG, JPEG, GIF, WebP, PDF and plain text. */
  readonly types?: readonly string[];
  /** Time limit of one upload, storing included. Default 120000. */
  readonly deadlineMs?: number;
}

/** Defaults of `uploads`. */
export const DEFAULT_UPLOADS: Required<Omit<Uploads, 'onUpload'>> = {
  maxBytes: 10_485_760,
  types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf', 'text/plain'],
  deadlineMs: 120_000,
};
