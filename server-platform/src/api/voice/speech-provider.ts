/** A text to speak. */
export type SpeechRequest = {
  readonly text: string;
  /** BCP-47. */
  readonly language: string;
  /** The caller's settings; each provider reads those that it supports. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
};

/** Audio. */
export type Speech = {
  readonly audio: Uint8Array<ArrayBuffer>;
  /** For example `audio/wav`. */
  readonly contentType: string;
  /** The engine that was used, for the log. */
  readonly engine: string;
};

/** Converts text to speech. Fails with a {@link SpeechError}, or with the signal's reason. */
export interface SpeechProvider {
  speak(request: SpeechRequest): Promise<Speech>;
}

/**
 * Why speech could not be produced:
 * - `refused`: the provider cannot fulfil the request; `field` names the reason.
 * - `busy`: too many requests are waiting; try again in a moment.
 * - `failed`: the provider failed.
 */
export type SpeechErrorCode = 'refused' | 'busy' | 'failed';

/** A provider produced no speech. Recognise it with {@link isSpeechError}. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
  readonly code: SpeechErrorCode;
  /** `text`, `language` or `config`, if that is the reason. */
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

/** Reads a setting from `config`: absent, or of the required type. Fails with a `SpeechError`. */
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

/** For `readConfig`: a number within a range. */
export const isNumberBetween =
  (least: number, most: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && value >= least && value <= most;
