import { HEAD_BYTES, identifyFile } from '@natter/server-kit/file-types';
import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { callHook } from '../http/call-hook.ts';
import type { TicketRequest } from '../http/read-body.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { openSession } from '../sessions/open-session.ts';
import { isForVisitors } from '../upstream/upstream-url.ts';
import { boundBody, tooLarge } from './bound-body.ts';
import { DEFAULT_UPLOADS, type IncomingFile, type Uploads } from './upload-options.ts';

/** Further headers of an upload, whose body is the file. */
export const UPLOAD_HEADERS = ['Authorization', 'X-Natter-Connector', 'X-Natter-File-Name'] as const;

/** Body of the answer to an upload. */
export interface UploadBody {
  readonly url: string;
  readonly name: string;
  readonly type: string;
}

/** Response of `GET /v1/upload`: the accepted input. */
export interface UploadLimitsBody {
  readonly max_bytes: number;
  readonly types: readonly string[];
}

/** Body of `GET /v1/upload`: the limits of a file. Throws `UPLOADS_NOT_ENABLED` without uploads. */
export function describeUploads(uploads: Uploads | undefined): UploadLimitsBody {
  const { maxBytes, types } = { ...DEFAULT_UPLOADS, ...requireUploads(uploads) };
  return { max_bytes: maxBytes, types };
}

function requireUploads(uploads: Uploads | undefined): Uploads {
  if (uploads !== undefined) return uploads;
  throw new ProxyFailure(
    'UPLOADS_NOT_ENABLED',
    'Uploads are not enabled here. The operator of the token proxy can add an upload hook.',
  );
}

/** Throws `UNSUPPORTED_MEDIA_TYPE` for a type that a page could send without a preflight. */
export function requireFileContentType(headers: Headers): void {
  if (headers.get('content-type') === 'application/octet-stream') return;
  throw new ProxyFailure(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the file as it is, with Content-Type: application/octet-stream.',
  );
}

function readName(headers: Headers): string {
  try {
    return decodeURIComponent(headers.get('x-natter-file-name') ?? '').slice(0, 1_000);
  } catch {
    throw new ProxyFailure('INVALID_REQUEST', 'The header X-Natter-File-Name is not URL-encoded text.');
  }
}

const readAsked = (headers: Headers): TicketRequest => ({
  connector: headers.get('x-natter-connector') || 'default',
  resume_ticket: /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1],
});

const tooSlow = (): ProxyFailure =>
  new ProxyFailure('REQUEST_TIMEOUT', 'The file did not arrive in time. Send it again.');

/** Handles `POST /v1/upload`: passes the file to the hook as it arrives, for the session of a ticket. */
export async function handleUpload(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const { options, limits } = proxy;
  const uploads = requireUploads(options.uploads);
  const { maxBytes, types } = { ...DEFAULT_UPLOADS, ...uploads };
  const { request, origin, budget } = admitted;
  const { headers, body } = request;
  const contents = await openSession(proxy, admitted, readAsked(headers), 'upload');
  // One ticket may be used from many addresses.
  await limits.admitFileOf(contents.sessionId);
  if (Number(headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
  if (body === null) throw new ProxyFailure('INVALID_REQUEST', 'The file is empty.');
  const { head, stream, failure, cancel } = await boundBody(body, HEAD_BYTES, maxBytes, budget.signal);
  try {
    if (head.byteLength === 0) throw new ProxyFailure('INVALID_REQUEST', 'The file is empty.');
    const file = identifyFile(readName(headers), head);
    if (file === null || !types.includes(file.type)) {
      throw new ProxyFailure(
        'UNSUPPORTED_MEDIA_TYPE',
        `This file type is not accepted. Accepted types: ${types.join(', ')}.`,
      );
    }
    const { sessionId, connector } = contents;
    const incoming: IncomingFile = {
      ...file,
      body: stream,
      sessionId,
      connector,
      origin,
      signal: budget.signal,
    };
    const url = await callHook(() => uploads.onUpload(incoming), budget.signal);
    if (failure() !== null) throw failure();
    return { body: readStored(url, file) };
  } catch (error) {
    // The hook's own error is less useful than the body's.
    const cause = failure() ?? error;
    if (budget.signal.aborted && !request.signal.aborted) throw tooSlow();
    throw cause;
  } finally {
    cancel();
  }
}

function readStored(url: string | null, file: Omit<UploadBody, 'url'>): UploadBody {
  if (url === null) throw new ProxyFailure('UPLOAD_REFUSED', 'This file was refused. Choose another one.');
  if (!isForVisitors(new URL(url)))
    throw new Error('onUpload returned an address that is not https or contains a user name.');
  return { url, ...file };
}
