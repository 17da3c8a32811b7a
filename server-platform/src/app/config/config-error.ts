/** One thing to correct in the configuration. Never holds a value that may be a secret. */
export type ConfigProblem = {
  /** Where: `accounts[0].slug`, `NATTER_PORT`. */
  readonly field: string;
  /** The fault, and the remedy. */
  readonly message: string;
};

/** The configuration cannot be used. The message lists every problem. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly code = 'invalid_config' as const;
  readonly retryable: boolean = false;
  readonly problems: readonly ConfigProblem[];

  constructor(source: string, problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ field, message }) => `  ${field === '' ? '' : `${field}: `}${message}`);
    super(`Correct ${source}:\n${lines.join('\n')}`);
    this.problems = problems;
  }
}

/** Whether something thrown is a {@link ConfigError}. */
export function isConfigError(error: unknown): error is ConfigError {
  return error instanceof Error && error.name === 'ConfigError' && 'problems' in error;
}
