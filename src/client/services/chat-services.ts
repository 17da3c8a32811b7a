import type { ReadonlySignal } from '@preact/signals-core';
import { callProxy } from '../session/proxy-calls.ts';
import { createPastConversations, type PastConversations } from './past-conversations.ts';
import {
  type HelpArticle,
  type HelpQuery,
  readSearchLimits,
  type SearchLimits,
  searchHelp,
} from './search-help.ts';
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
  /** Asks whether the help articles of the site can be searched; null where not, or without an answer. Never rejects. */
  readSearchLimits(): Promise<SearchLimits | null>;
  /** Searches the help articles, the best first; null without an answer. Needs no session. Never rejects. */
  searchHelp(query: HelpQuery): Promise<readonly HelpArticle[] | null>;
  /** Copies of earlier conversations in this browser. Nothing is kept unless `keep()` is called. Never rejects. */
  readonly past: PastConversations;
  /** Reads the stored data about the visitor, here and on the platform. Never rejects. */
  readVisitorData(): Promise<VisitorData>;
  /** Has the platform erase the running conversation; `logout()` does the rest. Never rejects. Source: messaging.md 3.7. */
  eraseVisitorData(): Promise<EraseOutcome>;
}

/** Makes the services of one conversation. */
export function createChatServices(options: ServicesOptions): ChatServices {
  const past = createPastConversations(options);
  return {
    past,
    readSearchLimits: () => readSearchLimits(options),
    searchHelp: (query) => searchHelp(options, query),
    visitors: options.visitors,
    async readFileLimits() {
      const { signal } = new AbortController();
      const { status, fields } = await callProxy(options, '/v1/upload', null, signal);
      const { max_bytes: maxBytes, types } = fields;
      const isRead = status === 200 && typeof maxBytes === 'number' && Array.isArray(types);
      return isRead ? { maxBytes, types: types.filter((type) => typeof type === 'string') } : null;
    },
    uploadFile: (request) => uploadFile(options, request),
    readVisitorData: () => readVisitorData(options, past),
    eraseVisitorData: () => eraseVisitorData(options),
  };
}
