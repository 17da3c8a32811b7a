import type { ChatClient } from '../client/index.ts';

/** The client that was given, or else provided. Throws where there is neither. `provider` is how the framework provides one. */
export function requireClient(client: ChatClient | null | undefined, provider: string): ChatClient {
  if (!client)
    throw new Error(`There is no chat client here. Use ${provider}, or give the client as argument.`);
  return client;
}
