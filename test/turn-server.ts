import { type ChatHarness, isOpen, settle, until } from './chat-harness.ts';

interface TurnCall {
  readonly route: string;
  readonly chat: unknown;
  readonly text: unknown;
}

/** The proxy's end of a conversation in turns. */
export interface TurnServer {
  readonly calls: TurnCall[];
  /** Responses to the next messages, instead of the usual one. */
  readonly script: (Response | 'unreachable')[];
  /** Number of started conversations. */
  created(): number;
  /** Messages as they arrived. */
  texts(): readonly unknown[];
}

const read = (body: unknown, name: string): unknown => Object(body)[name];

/**
 * Blocks all sockets, and adds a chat without a socket to the proxy; `keepsCookie` of the platform applies to it too.
 */
export function blockSockets({ platform }: ChatHarness): TurnServer {
  const calls: TurnCall[] = [];
  const script: (Response | 'unreachable')[] = [];
  let turns = 0;
  let cookie = '';
  platform.refusals = 9_999;
  platform.probe = { handshake: 'accepted', status: 101, has_chat: true };
  platform.chat = (path, body) => {
    const route = path.slice('/v1/chat/'.length);
    calls.push({ route, chat: read(body, 'chat'), text: read(body, 'text') });
    if (route === 'close') return Response.json({ status: 'closed' });
    turns += 1;
    const chat = `sealed-${turns}`;
    const reference = { chat, resume_by: platform.options.keepsCookie ? 'cookie' : 'ticket' };
    if (route === 'create') return Response.json({ ...reference, text: 'Ahoy', is_over: false });
    const scripted = script.shift();
    if (scripted === 'unreachable') throw new TypeError('fetch failed');
    if (scripted) return scripted;
    if (!read(body, 'chat') && !cookie) return refusal(410, 'CHAT_ENDED');
    if (platform.options.keepsCookie) cookie = chat;
    return Response.json({ ...reference, text: `About ${String(read(body, 'text'))}`, is_over: false });
  };
  return {
    calls,
    script,
    created: () => calls.filter(({ route }) => route === 'create').length,
    texts: () => calls.filter(({ route }) => route === 'respond').map(({ text }) => text),
  };
}

/** Returns true if the client reports a conversation in turns. */
export const isInTurns = ({ chat }: ChatHarness): boolean =>
  chat.connection.value.status === 'open' && chat.connection.value.isTurnBased === true;

/** Advances the clock until the client has switched to turns. */
export async function turn(one: ChatHarness): Promise<void> {
  for (let step = 0; step < 20 && !isOpen(one); step++) {
    await settle();
    if (one.chat.connection.value.status === 'reconnecting') one.clock.advance(4_000);
    await settle();
  }
  await until(() => isInTurns(one));
}

/** Starts a chat in a network without sockets, and waits for the greeting. */
export async function aboard<Harness extends ChatHarness>(
  one: Harness,
): Promise<{ one: Harness; server: TurnServer }> {
  const server = blockSockets(one);
  void one.chat.start();
  await turn(one);
  await until(() => one.lines().includes('agent: Ahoy'));
  return { one, server };
}

/** Sends a message and waits for the answer. */
export async function say(one: ChatHarness, text: string): Promise<void> {
  one.chat.send(text);
  await until(
    () => one.lines().at(-1)?.startsWith('agent: ') === true && one.lines().includes(`user: ${text}`),
  );
}

/** Creates an error response of the proxy. */
export const refusal = (status: number, code: string, retryAfter?: string): Response =>
  Response.json({ code }, { status, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } });
