import { createWidget, type NatterWidget } from './create-widget.ts';
import type { WidgetOptions } from './widget-options.ts';

/**
 * Puts a widget on the page: the launcher at once, the panel when somebody is about to use it. Needs a page;
 * importing this module on a server is safe, calling `mount` there is not.
 *
 * @example
 * const widget = mount({ endpoint: 'https://chat.example.com', agentName: 'Ada' });
 * await widget.open();
 */
export function mount(options: WidgetOptions): NatterWidget {
  const host = document.createElement('natter-chat');
  // Beside the body, as the script does: what becomes of a page's content is not the widget's affair.
  document.documentElement.append(host);
  const widget = createWidget(host, options, async () => {
    const { prepareConversation } = await import('./conversation.ts');
    return prepareConversation(options);
  });
  return {
    ...widget,
    destroy: () => {
      host.remove();
      return widget.destroy();
    },
  };
}
