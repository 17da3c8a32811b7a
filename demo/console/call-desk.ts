/** An answer that was no success. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** 0: the platform could not be reached. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Calls the desk. Rejects with a {@link CallError}. */
export async function callDesk<Answer = unknown>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/desk/api${path}`, {
      method,
      headers: { 'X-Natter-Desk': '1' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch {
    throw new CallError(0, 'The platform cannot be reached.');
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new CallError(response.status, answer.error_message ?? `The platform answered ${response.status}.`);
}
