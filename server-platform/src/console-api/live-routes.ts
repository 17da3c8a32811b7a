import { clientEnvironmentSchema } from '@natter/sdk';
import * as v from 'valibot';
import {
  answerStream,
  followRights,
  makeRoomForStream,
  openPersonStream,
  readCursor,
} from '../desk/index.ts';
import { findSessionOf } from '../realtime/event-log/index.ts';
import { hasConversation, listLive, MAX_LIVE } from '../records/conversations/index.ts';
import { DeskError } from '../staff/index.ts';
import { type ConsoleCall, type ConsoleRoute, consoleRoute } from './console-call.ts';

// No event announces new conversations: the list is polled at this interval while a page shows it.
const EVERY_MS = 2_000;

const liveQuery = v.object({
  client_env: v.optional(clientEnvironmentSchema, 'live'),
  language: v.optional(v.string()),
  variant_id: v.optional(v.string()),
  state: v.optional(v.picklist(['agent', 'waiting', 'person'], 'must be one of: agent, waiting, person')),
  conversation_id: v.optional(v.string()),
  after: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
});

async function openStream(call: ConsoleCall<undefined, v.InferOutput<typeof liveQuery>>): Promise<Response> {
  const { server, person, signIn, query, headers } = call;
  const { database, clock, bus, log, desk, onFailure, streams, personCalls } = server;
  const project = await call.findProject();
  const id = query.conversation_id ?? null;
  const isOwn = id !== null && (await hasConversation(database, project.id, id));
  const sessionId = isOwn ? ((await findSessionOf(database, id))?.id ?? null) : null;
  if (id !== null && sessionId === null)
    throw new DeskError(
      404,
      'NOT_FOUND',
      'This conversation is not in the project or has no log. Leave conversation_id out.',
    );
  const scope = {
    projectId: project.id,
    environment: query.client_env,
    language: query.language ?? null,
    variantId: query.variant_id ?? null,
    state: query.state ?? null,
  };
  makeRoomForStream(streams, person.id);
  const stream = openPersonStream({
    ...{ clock, bus, log, onFailure, personCalls, personId: person.id, beatMs: EVERY_MS },
    shown:
      id === null || sessionId === null
        ? null
        : { id, sessionId, cursor: readCursor(headers, id, query.after) },
    list: { event: 'list', read: ({ mayRead }) => listLive(database, { ...scope, showsWords: mayRead }) },
    listen: (look, send) => [
      desk.onChange(person.accountId, look),
      ...(sessionId === null ? [] : listenToTyping(call, sessionId, (data) => send('typing', data))),
    ],
    ...followRights(server, { signIn, role: 'supervisor', projectId: project.id }),
    onSlowReader: server.countSlowReader,
    onClose: () => streams.delete(stream),
  });
  streams.add(stream);
  return answerStream(stream);
}

/** Who types in a session: a visitor once a person was asked for, and the person. */
interface Typing {
  readonly author: 'visitor' | 'person';
  readonly name: string;
  readonly is_typing: boolean;
}

function listenToTyping(
  { server: { bus, desk } }: Pick<ConsoleCall, 'server'>,
  sessionId: string,
  send: (typing: Typing) => void,
): readonly (() => void)[] {
  return [
    desk.onTyping(sessionId, (isTyping) => send({ author: 'visitor', name: '', is_typing: isTyping })),
    bus.subscribe(sessionId, (message) => {
      if (message.kind !== 'events') return;
      for (const { type, payload } of message.events)
        if (type === 'EVENT_TYPE_LIVE_AGENT_TYPING')
          send({
            author: 'person',
            name: String(Reflect.get(payload, 'agent_name')),
            is_typing: Reflect.get(payload, 'state') === 'TYPING_STATE_STARTED',
          });
    }),
  ];
}

/** The call about conversations as they happen. */
export const LIVE_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleLive', method: 'GET', path: '/live', streams: 'text/event-stream' },
      summary: `Server-sent events: \`list\` (open conversations, the newest first, at most ${MAX_LIVE}, when it has changed), and of the conversation of \`conversation_id\`: \`entry\` (its log, after \`Last-Event-ID\` or \`after\`) and \`typing\` (of the visitor once a person was asked for, and of that person). \`closed\` has a reason and is the last one: of more than five streams of a person, those of the desk among them, the oldest is closed.`,
      query: liveQuery,
    },
    openStream,
  ),
];
