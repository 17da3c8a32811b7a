import type { Platform } from '@natter/platform';
import { type ExampleVisitor, type Frame, type VisitOptions, visit } from './example-visitor.ts';

const name = (type: string): string => `EVENT_TYPE_${type}`;

/** Waits for a type; for messages of the agent and of people as often as they arrive. */
const until = (visitor: ExampleVisitor, type: string): Promise<Frame> =>
  visitor.next((frame) => frame.type === name(type), type);

/** Runs conversations in which a platform sends every possible frame, and returns all frames. */
export async function holdConversations(platform: Platform): Promise<readonly Frame[]> {
  const visitors: ExampleVisitor[] = [];
  const join = async (options?: VisitOptions, custom?: object): Promise<ExampleVisitor> => {
    const visitor = await visit(platform.url, options);
    visitors.push(visitor);
    visitor.send({ type: name('REQUEST_AGENT_JOIN'), payload: {}, ...(custom && { metadata: { custom } }) });
    await visitor.next(({ type }) => /AGENT_MESSAGE/.test(type), 'a greeting');
    return visitor;
  };
  const say = (visitor: ExampleVisitor, text: string, custom: Readonly<Record<string, string>> = {}): void =>
    visitor.send({ type: name('USER_MESSAGE'), payload: { text }, metadata: { custom } });

  const talker = await join();
  say(talker, 'When does the last ferry leave?', { client_event_id: 'draft-1' });
  await until(talker, 'AGENT_MESSAGE');
  say(talker, 'À quelle heure part le dernier ferry ?');
  await until(talker, 'LANGUAGE_CHANGED');
  await until(talker, 'AGENT_MESSAGE');
  say(talker, 'Can I talk to a person?');
  await until(talker, 'HANDOFF_QUEUE_STATUS');
  say(talker, 'I wish to change my booking.');
  await until(talker, 'LIVE_AGENT_MESSAGE');
  say(talker, 'Goodbye!');
  await until(talker, 'SESSION_END');

  const reader = await join({ isStreaming: true });
  say(reader, 'When does the last ferry leave?');
  await until(reader, 'AGENT_MESSAGE_CHUNK');
  say(reader, 'Call me, please.');
  await until(reader, 'CLIENT_HANDOFF_REQUIRED');

  const caller = await join();
  say(caller, 'Is the night desk open?');
  await until(caller, 'HANDOFF_FAILED');
  await until(caller, 'AGENT_JOINED');
  caller.send({ type: name('HEARTBEAT'), payload: {} });
  await until(caller, 'HEARTBEAT');
  caller.send({ type: name('USER_END_SESSION'), payload: {} });
  await until(caller, 'SESSION_END');

  const rater = await join({ connector: 'survey_connector_token' });
  say(rater, 'When does the last ferry leave?');
  await until(rater, 'AGENT_MESSAGE');
  await until(rater, 'SESSION_IDLE_WARNING');
  say(rater, 'Is the island desk open?');
  await until(rater, 'HANDOFF_TIMEOUT');
  await until(rater, 'AGENT_JOINED');
  say(rater, 'Thanks, that is all.');
  const { payload } = await until(rater, 'SHOW_CSAT_REQUEST');
  const survey_id: unknown = Reflect.get(Object(payload), 'survey_id');
  rater.send({ type: name('CSAT_RESPONSE'), payload: { survey_id, score: 5, skipped: false } });
  await until(rater, 'SESSION_END');

  const critic = await join({}, { natter_extensions: 'feedback' });
  say(critic, 'When does the last ferry leave?');
  const { payload: answer } = await until(critic, 'AGENT_MESSAGE');
  const message_id: unknown = Reflect.get(Object(answer), 'message_id');
  critic.send({
    type: name('X_FEEDBACK'),
    payload: { message_id, rating: 'down', reason: 'The sailing at 9:20 is missing.' },
  });
  await until(critic, 'X_FEEDBACK');

  const silent = await join();
  await platform.expireSessions();
  await until(silent, 'SESSION_END');

  await Promise.all(visitors.map((visitor) => visitor.close()));
  return visitors.flatMap(({ received }) => received);
}
