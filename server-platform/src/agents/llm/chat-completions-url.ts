/** The chat-completions address of an OpenAI-compatible API, given its base address or that address itself. */
export function chatCompletionsUrl(url: string): URL {
  const result = new URL(url);
  const path = result.pathname.replace(/(?<!\/)\/+$/, '');
  result.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  return result;
}
