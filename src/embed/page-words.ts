import { type Chat, type PageContext, retryImport } from '../client/index.ts';
import type { WidgetEmitter } from './widget-events.ts';

/** The commands with which a page says something about its visitor. */
type WordsCommand = 'identify' | 'setContext' | 'onContextRequired' | 'refreshVerifiedContext';

/** A page's words about its visitor. Most pages never say anything, so the code that takes it in is loaded then. */
export class PageWords {
  /** For the client, which reads it when the agent is asked in. */
  readonly context: Partial<PageContext> = {};
  #loading: Promise<unknown> | undefined;

  /** Runs one command, after the earlier ones. */
  async say(chat: Chat, emitter: WidgetEmitter, name: WordsCommand, value?: unknown): Promise<void> {
    this.#loading ??= retryImport(() => import('./page-context.ts')).then(({ createContext }) =>
      Object.assign(this.context, createContext(chat, emitter)),
    );
    await this.#loading;
    await (this.context[name] as (value: unknown) => unknown)(value);
  }

  /** Resolves when earlier calls of the page have been taken in, so that no visitor sees the conversation of another. */
  async settle(): Promise<void> {
    await this.#loading;
  }

  destroy(): void {
    this.context.destroy?.();
  }
}
