import { pageDocument, type WidgetChanges, type WidgetOptions } from '../widget/index.ts';
import { checkHandlers } from './check-handlers.ts';
import { createWidget, type NatterWidget } from './create-widget.ts';
import { createInertWidget } from './inert-widget.ts';
import { canDraw } from './page/can-draw.ts';

/**
 * Puts a widget on the page: the launcher at once, the panel when the visitor is about to open it. A server can import
 * this module but not call `mount`. In a simulated browser such as jsdom, and in browsers that are too old, `mount`
 * does nothing, and the commands resolve. An inline chat is at the end of `container`, or of the body.
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
    const element = typeof container === 'function' ? container() : container;
    // Beside the body, as with the script tag, so that changes of the page do not remove the widget.
    const parent = renderMode === 'inline' ? (element ?? pageDocument.body) : pageDocument.documentElement;
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
  // Assigned to the widget, because a copy would fix the values of the getters `isOpen` and `unread`.
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
