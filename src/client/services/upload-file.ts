import { isFields } from '../../protocol/index.ts';
import { IN_COOKIE } from '../session/credentials.ts';
import type { ServicesOptions } from './services-options.ts';

/** A file to upload. */
export interface UploadRequest {
  readonly file: Blob;
  readonly name: string;
  /** Aborts the upload; the site's server discards it. */
  readonly signal: AbortSignal;
  /** Receives the sent share, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/** Result of an upload. Only `unavailable` may succeed later. */
export type UploadOutcome =
  | { readonly status: 'uploaded'; readonly url: string }
  | {
      readonly status: 'failed';
      readonly reason: 'too_large' | 'wrong_type' | 'refused' | 'unavailable';
    };

const REASONS: ReadonlyMap<unknown, Extract<UploadOutcome, { status: 'failed' }>['reason']> = new Map([
  ['PAYLOAD_TOO_LARGE', 'too_large'],
  ['UNSUPPORTED_MEDIA_TYPE', 'wrong_type'],
  ['UPLOAD_REFUSED', 'refused'],
  ['INVALID_REQUEST', 'refused'],
]);

const UNAVAILABLE: UploadOutcome = { status: 'failed', reason: 'unavailable' };

/** Sends the file as the body of one request. With `XMLHttpRequest`, because `fetch` reports no progress. */
export function uploadFile(
  { endpoint, chat, ticket }: ServicesOptions,
  { file, name, signal, onProgress }: UploadRequest,
): Promise<UploadOutcome> {
  const held = ticket();
  // Before the session exists, and outside of browsers.
  if (!held || signal.aborted || !globalThis.XMLHttpRequest) return Promise.resolve(UNAVAILABLE);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${endpoint}/v1/upload`);
    // Sends the cookie with the ticket.
    request.withCredentials = true;
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.setRequestHeader('X-Natter-File-Name', encodeURIComponent(name.slice(-200)));
    if (chat.connector) request.setRequestHeader('X-Natter-Connector', chat.connector);
    if (held !== IN_COOKIE) request.setRequestHeader('Authorization', `Bearer ${held}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onloadend = () => {
      const { url, code } = readFields(request.responseText);
      // Status 0 means no response, or the caller's abort.
      const isDone = request.status === 200 && typeof url === 'string';
      resolve(
        isDone
          ? { status: 'uploaded', url }
          : { status: 'failed', reason: REASONS.get(code) ?? 'unavailable' },
      );
    };
    signal.addEventListener('abort', () => request.abort(), { once: true });
    // A copy without a type, which some browsers would use instead of the header.
    request.send(file.slice(0, file.size, ''));
  });
}

/** Parses the fields of a JSON text; empty for anything else. */
function readFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(text);
    return isFields(fields) ? fields : {};
  } catch {
    return {};
  }
}
