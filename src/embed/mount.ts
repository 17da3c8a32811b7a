import { pageDocument, type WidgetChanges, type WidgetOptions } from '../widget/index.ts';
import { checkHandlers } from './check-handlers.ts';
import { createWidget, type NatterWidget } from './create-widget.ts';
import { createInertWidget } from './inert-widget.ts';
import { canDraw } from './page/can-draw.ts';

/**
 * Puts a widget on the page: the launcher at once, the panel when the visitor is about to open it. Needs a page;
 * importing this module on a server is safe, calling `mount` there is not. In a simulated browser such as jsdom, and in browsers
 * that are too old, it does nothing, and the commands resolve. An inline chat stands at the end of `container`, or of the page's body.
 *
 * @example
 * const widget = mount({ endpoint: 'https://chat.example.com', agentName: 'Ada' });
 * await widget.open();
 */
export function mount(
  options: WidgetOptions,
  container?: Element | null | (() => Element | null),
): NatterWidget {
  if (typeof window === 'undefined')
    throw new Error(
      'mount() needs a browser. On a server, call it in code that runs only in the page, such as an effect.',
    );
  if (!canDraw()) return createInertWidget();
  let { renderMode } = options;
  const host = pageDocument.createElement('natter-chat');
  const attach = (): void => {
    const given = typeof container === 'function' ? container() : container;
    // Beside the body, as the script does: what becomes of a page's content is not the widget's affair.
    const parent = renderMode === 'inline' ? (given ?? pageDocument.body) : pageDocument.documentElement;
    if (host.parentNode !== parent) parent?.append(host);
  };
  const widget = checkHandlers(
    createWidget(
      host,
      options,
      async (settings) => {
        const { prepareConversation } = await import('./conversation/conversation.ts');
        return prepareConversation(settings as WidgetOptions);
      },
      () => import('./loader/early.ts'),
      attach,
    ),
  );
  attach();
  const { update, destroy } = widget;
  // Into the widget and not into a copy, in which `isOpen` and `unread` would stay as they are now.
  return Object.assign(widget, {
    update: async (changes: WidgetChanges) => {
      const done = update(changes);
      if ('renderMode' in changes) {
        renderMode = changes.renderMode;
        attach();
      }
      return done;
    },
    destroy: () => {
      const done = destroy();
      host.remove();
      return done;
    },
  });
}
