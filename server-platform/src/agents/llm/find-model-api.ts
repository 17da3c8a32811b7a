import { ANTHROPIC_MESSAGES } from './anthropic-messages.ts';
import { CHAT_COMPLETIONS } from './chat-completions.ts';
import { chatCompletionsUrl } from './chat-completions-url.ts';
import type { ModelApi } from './chat-protocol.ts';
import { RESPONSES } from './responses.ts';

/** Returns the API that an address ends in, and the address of requests. A base address means chat completions. */
export function findModelApi(address: string): { readonly api: ModelApi; readonly url: URL } {
  const url = new URL(address);
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  if (path.endsWith('/responses')) return { api: RESPONSES, url };
  if (path.endsWith('/messages')) return { api: ANTHROPIC_MESSAGES, url };
  return { api: CHAT_COMPLETIONS, url: chatCompletionsUrl(address) };
}
