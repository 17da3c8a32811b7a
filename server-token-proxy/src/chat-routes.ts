import type { AdmittedRequest, RouteAnswer } from './admitted-request.ts';
import { authorizeRequest } from './authorize-request.ts';
import { callChat } from './call-chat.ts';
import { parseChatCloseRequest, parseChatCreateRequest, parseChatRespondRequest } from './parse-request.ts';
import type { ProxyContext } from './proxy-context.ts';
import { readJsonRequest } from './read-json-request.ts';
import { requireConnector } from './require-connector.ts';

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

const MAX_CREATE_BYTES = 4_096;
// 128 kB of text, written in JSON with every character escaped at worst, and the reference.
const MAX_RESPOND_BYTES = 1_048_576;
const MAX_CLOSE_BYTES = 8_192;

/** Answers `POST /v1/chat/create`: begins a conversation without a socket. Source: rest.md 3. */
export async function handleChatCreate(
  { options, connectors, upstream, chats }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { request, budget, origin } = admitted;
  const name = parseChatCreateRequest(await readJsonRequest(request, MAX_CREATE_BYTES, budget.signal));
  const connector = requireConnector(connectors, name);
  await authorizeRequest(options, admitted, { route: 'chat', connector: name });
  const created = await callChat(upstream, connector, admitted, (chat, call) =>
    chat.create({ channel: 'webchat' }, call),
  );
  const isKept = chats.cookie.isPossible(request.headers, origin);
  const body: ChatBody = {
    chat: await chats.seal(created.conversation_id, name, origin),
    resume_by: isKept ? 'cookie' : 'ticket',
    text: created.response,
    is_over: false,
  };
  // Nothing is kept in the browser before the visitor uses the chat: the first turn sets the cookie. One that is there
  // belongs to a conversation that the page has given up.
  const isStale = isKept && (await chats.cookie.read(request.headers, origin, name)) !== null;
  return { body, cookies: isStale ? [await chats.cookie.clear(origin, name)] : [] };
}

/** Answers `POST /v1/chat/respond`: one turn of the conversation. Source: rest.md 3. */
export async function handleChatRespond(
  { options, upstream, chats }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { request, budget, origin } = admitted;
  const said = parseChatRespondRequest(await readJsonRequest(request, MAX_RESPOND_BYTES, budget.signal));
  const { conversationId, connectorName, connector } = await chats.open(admitted, said);
  await authorizeRequest(options, admitted, { route: 'chat', connector: connectorName });
  const reply = await callChat(upstream, connector, admitted, (chat, call) =>
    chat.respond({ conversation_id: conversationId, message: said.text }, call),
  );
  const { handoff, end_conversation: isOver } = reply;
  const sealed = await chats.seal(conversationId, connectorName, origin);
  const setCookie = chats.cookie.isPossible(request.headers, origin)
    ? await (isOver
        ? chats.cookie.clear(origin, connectorName)
        : chats.cookie.keep(sealed, origin, connectorName))
    : null;
  const body: ChatBody = {
    chat: sealed,
    resume_by: setCookie === null ? 'ticket' : 'cookie',
    text: reply.response,
    is_over: isOver,
    ...(handoff && { handoff: { destination: handoff.destination, reason: handoff.reason } }),
  };
  return { body, cookies: setCookie === null ? [] : [setCookie] };
}

/** Answers `POST /v1/chat/close`: ends the conversation. Source: rest.md 3. */
export async function handleChatClose(
  { upstream, chats }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { request, budget, origin } = admitted;
  const asked = parseChatCloseRequest(await readJsonRequest(request, MAX_CLOSE_BYTES, budget.signal));
  const { conversationId, connectorName, connector } = await chats.open(admitted, asked);
  await callChat(upstream, connector, admitted, (chat, call) =>
    chat.close({ conversation_id: conversationId }, call),
  );
  const isKept = chats.cookie.isPossible(request.headers, origin);
  return {
    body: { status: 'closed' },
    cookies: isKept ? [await chats.cookie.clear(origin, connectorName)] : [],
  };
}
