import { type Chat, type PageContext, retryImport, type WidgetContextProvider } from '../../client/index.ts';
import type { WidgetEmitter } from '../widget-events.ts';
import type { WidgetContext } from './page-context.ts';

/** The metadata of a page. Its code is loaded by the first command, because most pages give none. */
export class LazyPageContext {
  /** For the client, which reads it when the agent is asked in. Empty until the code has loaded. */
  readonly context: Partial<PageContext> & WidgetContextProvider = {};
  #loading: Promise<WidgetContext> | undefined;

  /** Runs one command, after the earlier ones. */
  async run(chat: Chat, emitter: WidgetEmitter, command: (context: WidgetContext) => unknown): Promise<void> {
    this.#loading ??= retryImport(() => import('./page-context.ts')).then(({ createContext }) =>
      createContext(chat, emitter, this.context),
    );
    await command(await this.#loading);
  }

  /**
   * Resolves when the code of earlier commands has loaded. A conversation that started before them could be that of an
   * earlier visitor.
   */
  async settle(): Promise<void> {
    await this.#loading;
  }

  destroy(): void {
    this.context.destroy?.();
  }
}
