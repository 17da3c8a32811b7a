import type { ChatClient } from '../client/index.ts';

/** Returns the client; throws without one. `provider` names how the framework provides a client. */
export function requireClient(client: ChatClient | null | undefined, provider: string): ChatClient {
  if (!client)
    throw new Error(`There is no chat client here. Use ${provider}, or pass the client as an argument.`);
  return client;
}
