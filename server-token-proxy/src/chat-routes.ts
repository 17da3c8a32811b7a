import type { AdmittedRequest, Authorize, RouteAnswer } from './admitted-request.ts';
import { callChat, refuseEndedChat } from './call-chat.ts';
import type { Upstream } from './call-upstream.ts';
import type { Connector, TokenProxyOptions } from './options.ts';
import { parseChatCloseRequest, parseChatCreateRequest, parseChatRespondRequest } from './parse-request.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { readJsonRequest } from './read-json-request.ts';
import { createSealedBox } from './sealed-box.ts';

/** Body of a turn's answer. */
export interface ChatBody {
  /** The conversation, sealed: it means something to this proxy alone. To be sent with the next turn. */
  readonly chat: string;
  /** What the agent says; possibly empty. */
  readonly text: string;
  /** True: nothing more can be said here. */
  readonly is_over: boolean;
  /** There when somebody else takes over; this conversation cannot reach them. */
  readonly handoff?: { readonly destination: string; readonly reason: string };
}

/** The routes of a chat without a socket. All throw `ProxyFailure`, or the signal's reason. */
export interface ChatRoutes {
  chatCreate(admitted: AdmittedRequest): Promise<RouteAnswer>;
  chatRespond(admitted: AdmittedRequest): Promise<RouteAnswer>;
  chatClose(admitted: AdmittedRequest): Promise<RouteAnswer>;
}

interface OpenedChat {
  readonly conversationId: string;
  readonly connectorName: string;
  readonly connector: Connector;
}

const MAX_CREATE_BYTES = 4_096;
// 128 kB of text, written in JSON with every character escaped at worst, and the reference.
const MAX_RESPOND_BYTES = 1_048_576;
const MAX_CLOSE_BYTES = 8_192;
// rest.md 3.4: how long the platform keeps a conversation in which nothing is said.
const LIFETIME_SECONDS = 1_800;

/** Binds the routes to their settings. The options have been checked. */
export function createChatRoutes(
  options: TokenProxyOptions,
  upstream: Upstream,
  authorize: Authorize,
): ChatRoutes {
  const connectors = new Map(Object.entries(options.connectors));
  const box = createSealedBox({
    keys: options.ticketKeys,
    audience: 'natter-chat',
    nowMs: () => upstream.clock.now(),
  });
  const seal = (conversationId: string, connector: string, origin: string | null): Promise<string> =>
    box.seal({ conversation_id: conversationId, connector, origin }, LIFETIME_SECONDS);

  const open = async (sealed: string, origin: string | null): Promise<OpenedChat> => {
    const payload = await box.open(sealed);
    if (payload === null || payload['origin'] !== origin) throw refuseEndedChat();
    const { conversation_id: conversationId, connector: connectorName } = payload;
    const connector = typeof connectorName === 'string' ? connectors.get(connectorName) : undefined;
    if (typeof connectorName !== 'string' || typeof conversationId !== 'string' || connector === undefined)
      throw refuseEndedChat();
    return { conversationId, connectorName, connector };
  };

  return {
    async chatCreate(admitted) {
      const { request, budget, origin } = admitted;
      const name = parseChatCreateRequest(await readJsonRequest(request, MAX_CREATE_BYTES, budget.signal));
      const connector = connectors.get(name);
      if (connector === undefined) {
        throw new ProxyFailure(
          'INVALID_REQUEST',
          `The field "connector" names ${JSON.stringify(name)}, which is not configured at this proxy.`,
        );
      }
      await authorize(admitted, { route: 'chat', connector: name });
      const created = await callChat(upstream, connector, admitted, (chat, call) =>
        chat.create({ channel: 'webchat' }, call),
      );
      const sealed = await seal(created.conversation_id, name, origin);
      const body: ChatBody = { chat: sealed, text: created.response, is_over: false };
      return { body, setCookie: null };
    },

    async chatRespond(admitted) {
      const { request, budget, origin } = admitted;
      const said = parseChatRespondRequest(await readJsonRequest(request, MAX_RESPOND_BYTES, budget.signal));
      const { conversationId, connectorName, connector } = await open(said.chat, origin);
      await authorize(admitted, { route: 'chat', connector: connectorName });
      const reply = await callChat(upstream, connector, admitted, (chat, call) =>
        chat.respond({ conversation_id: conversationId, message: said.text }, call),
      );
      const { handoff } = reply;
      const body: ChatBody = {
        chat: await seal(conversationId, connectorName, origin),
        text: reply.response,
        is_over: reply.end_conversation,
        ...(handoff && { handoff: { destination: handoff.destination, reason: handoff.reason } }),
      };
      return { body, setCookie: null };
    },

    async chatClose(admitted) {
      const { request, budget, origin } = admitted;
      const sealed = parseChatCloseRequest(await readJsonRequest(request, MAX_CLOSE_BYTES, budget.signal));
      const { conversationId, connector } = await open(sealed, origin);
      await callChat(upstream, connector, admitted, (chat, call) =>
        chat.close({ conversation_id: conversationId }, call),
      );
      return { body: { status: 'closed' }, setCookie: null };
    },
  };
}
