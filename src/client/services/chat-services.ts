import type { ReadonlySignal } from '@preact/signals-core';
import { callProxy } from '../session/proxy-calls.ts';
import type { ServicesOptions } from './services-options.ts';
import { type UploadOutcome, type UploadRequest, uploadFile } from './upload-file.ts';
import { type EraseOutcome, eraseVisitorData, readVisitorData, type VisitorData } from './visitor-data.ts';

/** What the token proxy takes as files. */
export interface FileLimits {
  readonly maxBytes: number;
  /** Media types. */
  readonly types: readonly string[];
}

/** Rarely used services of the token proxy. */
export interface ChatServices {
  /** Counts logouts and changes of the user: with each, forget what belongs to the visitor before. */
  readonly visitors: ReadonlySignal<number>;
  /** Asks what the proxy takes as files; null where it takes none, or does not answer. Never rejects. */
  readFileLimits(): Promise<FileLimits | null>;
  /** Sends a file to the site's own server. The message that names its address is the caller's to send. Never rejects. */
  uploadFile(request: UploadRequest): Promise<UploadOutcome>;
  /** Reads what is stored about the visitor, here and on the platform. Never rejects. */
  readVisitorData(): Promise<VisitorData>;
  /** Has the platform erase the running conversation; `logout()` does the rest. Never rejects. Source: messaging.md 3.7. */
  eraseVisitorData(): Promise<EraseOutcome>;
}

/** Makes the services of one conversation. */
export function createChatServices(options: ServicesOptions): ChatServices {
  return {
    visitors: options.visitors,
    async readFileLimits() {
      const { signal } = new AbortController();
      const { status, fields } = await callProxy(options, '/v1/upload', null, signal);
      const { max_bytes: maxBytes, types } = fields;
      const isRead = status === 200 && typeof maxBytes === 'number' && Array.isArray(types);
      return isRead ? { maxBytes, types: types.filter((type) => typeof type === 'string') } : null;
    },
    uploadFile: (request) => uploadFile(options, request),
    readVisitorData: () => readVisitorData(options),
    eraseVisitorData: () => eraseVisitorData(options),
  };
}
