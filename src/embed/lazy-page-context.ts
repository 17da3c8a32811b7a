import { type Chat, type PageContext, retryImport } from '../client/index.ts';
import type { WidgetEmitter } from './widget-events.ts';

/** The commands with which a page describes its visitor. */
type ContextCommand = 'identify' | 'setContext' | 'onContextRequired' | 'refreshVerifiedContext';

/** The context of a page, whose code is loaded by the first command, because most pages give none. */
export class LazyPageContext {
  /** For the client, which reads it when the agent is asked in. Empty until the code has loaded. */
  readonly context: Partial<PageContext> = {};
  #loading: Promise<unknown> | undefined;

  /** Runs one command, after the earlier ones. */
  async run(chat: Chat, emitter: WidgetEmitter, name: ContextCommand, value?: unknown): Promise<void> {
    this.#loading ??= retryImport(() => import('./page-context.ts')).then(({ createContext }) =>
      Object.assign(this.context, createContext(chat, emitter)),
    );
    await this.#loading;
    await (this.context[name] as (value: unknown) => unknown)(value);
  }

  /** Resolves when the code of earlier commands has loaded, so that no visitor sees the conversation of another. */
  async settle(): Promise<void> {
    await this.#loading;
  }

  destroy(): void {
    this.context.destroy?.();
  }
}
