import type { ReadonlySignal } from '@preact/signals-core';
import { callProxy } from '../session/proxy-calls.ts';
import { createPastConversations, type PastConversations } from './past-conversations.ts';
import {
  type ArticleQuery,
  type ArticleText,
  type HelpArticle,
  type HelpQuery,
  readArticle,
  readSearchLimits,
  type SearchLimits,
  searchHelp,
} from './search-help.ts';
import type { ServicesOptions } from './services-options.ts';
import { type UploadOutcome, type UploadRequest, uploadFile } from './upload-file.ts';
import { type EraseOutcome, eraseVisitorData, readVisitorData, type VisitorData } from './visitor-data.ts';

/** Limits of files that the token proxy accepts. */
export interface FileLimits {
  readonly maxBytes: number;
  /** Media types. */
  readonly types: readonly string[];
}

/** Rarely used services of the token proxy. */
export interface ChatServices {
  /** Incremented by every logout and change of user, upon which views must clear the previous visitor's data. */
  readonly visitors: ReadonlySignal<number>;
  /** Reads the proxy's limits of files; null if it accepts none or does not respond. Never rejects. */
  readFileLimits(): Promise<FileLimits | null>;
  /** Uploads a file to the site's server. The caller must send the message with its address. Never rejects. */
  uploadFile(request: UploadRequest): Promise<UploadOutcome>;
  /**
   * Reads the limits of searching the site's help articles; null if unavailable or without a response. Never rejects.
   */
  readSearchLimits(): Promise<SearchLimits | null>;
  /** Searches the help articles, best first; null without a response. Needs no session. Never rejects. */
  searchHelp(query: HelpQuery): Promise<readonly HelpArticle[] | null>;
  /** Reads an article that the search has named; null for an unknown one, and without a response. Never rejects. */
  readArticle(query: ArticleQuery): Promise<ArticleText | null>;
  /** Copies of earlier conversations in this browser. None is stored unless `keep()` is called. Never rejects. */
  readonly past: PastConversations;
  /** Reads the stored data about the visitor, here and on the platform. Never rejects. */
  readVisitorData(): Promise<VisitorData>;
  /**
   * Erases the current conversation on the platform; `logout()` does the rest. Never rejects. Source: messaging.md 3.7.
   */
  eraseVisitorData(): Promise<EraseOutcome>;
}

/** Creates the services of one conversation. */
export function createChatServices(options: ServicesOptions): ChatServices {
  const past = createPastConversations(options);
  return {
    past,
    readSearchLimits: () => readSearchLimits(options),
    searchHelp: (query) => searchHelp(options, query),
    readArticle: (query) => readArticle(options, query),
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
