/** An error response. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** 0: the platform could not be reached. */
  readonly status: number;
  /** Such as `NOT_FOUND`; empty without an answer. */
  readonly code: string;
  /** From `Retry-After`; null without one. */
  readonly retryAfterMs: number | null;

  constructor(status: number, code: string, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Options of a call besides its path. */
export interface CallOptions {
  readonly body?: object | undefined;
  /** Sent as it is, with its name, in place of `body`. */
  readonly file?: File | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Calls the console below `/console/api`. Rejects with a {@link CallError}. */
export function callConsole<Answer = unknown>(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  return readAnswer(fetchPlatform(method, `/console/api${path}`, options));
}

/** Calls the desk below `/desk/api`. Rejects with a {@link CallError}. */
export function callDesk<Answer = unknown>(
  method: Method,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Answer> {
  return readAnswer(fetchPlatform(method, `/desk/api${path}`, { body, signal }));
}

/** Sends a file to the desk below `/desk/api`. Rejects with a {@link CallError}. */
export function sendToDesk<Answer = unknown>(path: string, file: File): Promise<Answer> {
  return readAnswer(fetchPlatform('POST', `/desk/api${path}`, { file }));
}

/** The answer of a success, its body not read; for streams and files. Rejects with a {@link CallError}. */
export async function fetchPlatform(
  method: Method,
  path: string,
  { body, file, signal }: CallOptions = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        'X-Natter-Desk': '1',
        ...(file !== undefined && {
          'Content-Type': 'application/octet-stream',
          'X-Natter-File-Name': encodeURIComponent(file.name),
        }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file !== undefined && { body: file }),
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new CallError(0, '', 'The platform is unreachable.');
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  const message = answer.error_message ?? `The platform answered ${response.status}.`;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : null;
  throw new CallError(response.status, answer.error_code ?? '', message, retryAfterMs);
}

async function readAnswer<Answer>(response: Promise<Response>): Promise<Answer> {
  return await (await response).json();
}
