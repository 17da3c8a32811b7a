import { CHAT_MESSAGE_MAX_BYTES } from '@natter/sdk';
import * as v from 'valibot';
import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { authorizeRequest } from '../http/authorize-request.ts';
import { connectorField, readBody } from '../http/read-body.ts';
import { requireConnector } from '../http/require-connector.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { chooseVariant } from '../sessions/choose-variant.ts';
import { callChat } from './call-chat.ts';
import { referenceFields } from './chat-references.ts';

/** Body of the response to a turn. */
export interface ChatBody {
  /** The encrypted conversation, which only this proxy can read. Send it with the next turn. */
  readonly chat: string;
  /** Where it survives a reload: in a cookie set by each turn, or with the caller. */
  readonly resume_by: 'cookie' | 'ticket';
  /** The agent's answer; possibly empty. */
  readonly text: string;
  /** Whether the conversation has ended. */
  readonly is_over: boolean;
  /** Set on hand-off; a REST chat cannot reach the human agent. */
  readonly handoff?: { readonly destination: string; readonly reason: string };
}

const createSchema = v.strictObject({ connector: connectorField });
/** The body of `POST /v1/chat/respond`. */
export const respondSchema = v.strictObject({
  ...referenceFields,
  text: v.pipe(
    v.string(),
    v.regex(/\S/),
    v.maxBytes(CHAT_MESSAGE_MAX_BYTES),
    v.description(`what the visitor wrote, not blank and at most ${CHAT_MESSAGE_MAX_BYTES} bytes`),
  ),
});
const closeSchema = v.strictObject(referenceFields);

const MAX_CREATE_BYTES = 4_096;
// 128 kB of text, with every character escaped in JSON in the worst case, and the reference.
const MAX_RESPOND_BYTES = 1_048_576;
const MAX_CLOSE_BYTES = 8_192;

/** Answers `POST /v1/chat/create`: begins a conversation without a socket. Source: rest.md 3. */
export async function handleChatCreate(
  { options, connectors, upstream, chats }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { request, origin } = admitted;
  const { connector: name } = await readBody(admitted, createSchema, MAX_CREATE_BYTES);
  const connector = requireConnector(connectors, name);
  const logFields = { route: 'chat', connector: name } as const;
  await authorizeRequest(options, admitted, logFields);
  const variantId = await chooseVariant(options, admitted, logFields);
  const created = await callChat(upstream, connector, admitted, (chat, call) =>
    chat.create({ channel: 'webchat', ...(variantId !== null && { variant_id: variantId }) }, call),
  );
  const isKept = chats.cookie.isPossible(request.headers, origin);
  const body: ChatBody = {
    chat: await chats.seal(created.conversation_id, name, origin),
    resume_by: isKept ? 'cookie' : 'ticket',
    text: created.response,
    is_over: false,
  };
  // Nothing is stored in the browser before the visitor uses the chat: the first turn sets the cookie. An existing
  // cookie belongs to a conversation that the page has abandoned.
  const isStale = isKept && (await chats.cookie.read(request.headers, origin, name)) !== null;
  return { body, cookies: isStale ? [await chats.cookie.clear(origin, name)] : [] };
}

/** Answers `POST /v1/chat/respond`: one turn of the conversation. Source: rest.md 3. */
export async function handleChatRespond(
  { options, upstream, chats }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { request, origin } = admitted;
  const said = await readBody(admitted, respondSchema, MAX_RESPOND_BYTES);
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
  const { request, origin } = admitted;
  const asked = await readBody(admitted, closeSchema, MAX_CLOSE_BYTES);
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
