import type { AdmittedRequest, Authorize, RouteAnswer } from './admitted-request.ts';
import { callChat, refuseEndedChat } from './call-chat.ts';
import type { Upstream } from './call-upstream.ts';
import type { Connector, TokenProxyOptions } from './options.ts';
import {
  type ChatReference,
  parseChatCloseRequest,
  parseChatCreateRequest,
  parseChatRespondRequest,
} from './parse-request.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { readJsonRequest } from './read-json-request.ts';
import { createResumeCookie, type ResumeCookie } from './resume-cookie.ts';
import { createSealedBox } from './sealed-box.ts';

/** Body of a turn's answer. */
export interface ChatBody {
  /** The conversation, sealed: it means something to this proxy alone. To be sent with the next turn. */
  readonly chat: string;
  /** Where that is kept across a reload: in a cookie that each turn sets, or with the caller. */
  readonly resume_by: 'cookie' | 'ticket';
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

/** The cookie with the conversation, beside the session's. */
export const createChatCookie = (basePath: string): ResumeCookie =>
  createResumeCookie(`${basePath}/v1/chat`, LIFETIME_SECONDS);

/** Binds the routes to their settings. The options have been checked. */
export function createChatRoutes(
  options: TokenProxyOptions,
  upstream: Upstream,
  authorize: Authorize,
  cookie: ResumeCookie,
): ChatRoutes {
  const connectors = new Map(Object.entries(options.connectors));
  const box = createSealedBox({
    keys: options.ticketKeys,
    audience: 'natter-chat',
    nowMs: () => upstream.clock.now(),
  });
  const seal = (conversationId: string, connector: string, origin: string | null): Promise<string> =>
    box.seal({ conversation_id: conversationId, connector, origin }, LIFETIME_SECONDS);

  /** The conversation that is named, else the one in the cookie of this connector. */
  const open = async ({ request, origin }: AdmittedRequest, asked: ChatReference): Promise<OpenedChat> => {
    const isKept = cookie.isPossible(request.headers, origin);
    const sealed =
      asked.chat ?? (isKept ? await cookie.read(request.headers, origin, asked.connector) : null);
    const payload = sealed === null ? null : await box.open(sealed);
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
      const isKept = cookie.isPossible(request.headers, origin);
      const body: ChatBody = {
        chat: await seal(created.conversation_id, name, origin),
        resume_by: isKept ? 'cookie' : 'ticket',
        text: created.response,
        is_over: false,
      };
      // Nothing is kept in the browser before the visitor uses the chat: the first turn sets the cookie. One that is there
      // belongs to a conversation that the page has given up.
      const isStale = isKept && (await cookie.read(request.headers, origin, name)) !== null;
      return { body, cookies: isStale ? [await cookie.clear(origin, name)] : [] };
    },

    async chatRespond(admitted) {
      const { request, budget, origin } = admitted;
      const said = parseChatRespondRequest(await readJsonRequest(request, MAX_RESPOND_BYTES, budget.signal));
      const { conversationId, connectorName, connector } = await open(admitted, said);
      await authorize(admitted, { route: 'chat', connector: connectorName });
      const reply = await callChat(upstream, connector, admitted, (chat, call) =>
        chat.respond({ conversation_id: conversationId, message: said.text }, call),
      );
      const { handoff } = reply;
      const sealed = await seal(conversationId, connectorName, origin);
      const isOver = reply.end_conversation;
      const setCookie = cookie.isPossible(request.headers, origin)
        ? await (isOver ? cookie.clear(origin, connectorName) : cookie.keep(sealed, origin, connectorName))
        : null;
      const body: ChatBody = {
        chat: sealed,
        resume_by: setCookie === null ? 'ticket' : 'cookie',
        text: reply.response,
        is_over: isOver,
        ...(handoff && { handoff: { destination: handoff.destination, reason: handoff.reason } }),
      };
      return { body, cookies: setCookie === null ? [] : [setCookie] };
    },

    async chatClose(admitted) {
      const { request, budget, origin } = admitted;
      const asked = parseChatCloseRequest(await readJsonRequest(request, MAX_CLOSE_BYTES, budget.signal));
      const { conversationId, connectorName, connector } = await open(admitted, asked);
      await callChat(upstream, connector, admitted, (chat, call) =>
        chat.close({ conversation_id: conversationId }, call),
      );
      const isKept = cookie.isPossible(request.headers, origin);
      return {
        body: { status: 'closed' },
        cookies: isKept ? [await cookie.clear(origin, connectorName)] : [],
      };
    },
  };
}
