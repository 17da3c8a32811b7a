/** A text to speak. */
export type SpeechRequest = {
  readonly text: string;
  /** BCP-47. */
  readonly language: string;
  /** The caller's settings; each provider reads those it knows. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
};

/** Audio. */
export type Speech = {
  readonly audio: Uint8Array<ArrayBuffer>;
  /** Such as `audio/wav`. */
  readonly contentType: string;
  /** What really spoke, for the log. */
  readonly engine: string;
};

/** Something that turns text into speech. Fails with a {@link SpeechError}, or with the signal's reason. */
export interface SpeechProvider {
  speak(request: SpeechRequest): Promise<Speech>;
}

/**
 * Why nothing was said:
 * - `refused`: the request is not one that this provider can meet; `field` says which part of it.
 * - `busy`: too much waits already; try again in a moment.
 * - `failed`: the provider did not do its work.
 */
export type SpeechErrorCode = 'refused' | 'busy' | 'failed';

/** A provider said nothing. Recognise it with {@link isSpeechError}. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
  readonly code: SpeechErrorCode;
  /** `text`, `language` or `config`, when that is at fault. */
  readonly field: string;
  readonly retryable: boolean;

  constructor(
    code: SpeechErrorCode,
    message: string,
    { field = '', cause }: { field?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.field = field;
    this.retryable = code !== 'refused';
  }
}

/** Whether a caught value is a {@link SpeechError}. */
export function isSpeechError(error: unknown): error is SpeechError {
  return error instanceof Error && error.name === 'SpeechError';
}

/** A setting out of `config`: absent, or of the kind it must be. Fails with a `SpeechError`. */
export function readConfig<Value>(
  config: Readonly<Record<string, unknown>>,
  name: string,
  isFit: (value: unknown) => value is Value,
  mustBe: string,
): Value | undefined {
  const value = config[name];
  if (value === undefined || value === null) return undefined;
  if (isFit(value)) return value;
  throw new SpeechError('refused', `${name} must be ${mustBe}`, { field: 'config' });
}

/** For `readConfig`: a number within limits. */
export const isNumberBetween =
  (least: number, most: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && value >= least && value <= most;
