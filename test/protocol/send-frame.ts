import { EXTENSIONS, EXTENSIONS_KEY } from 'natter/protocol';
import { type ExampleVisitor, type Frame, visit } from './example-visitor.ts';
import { findDifferences } from './find-differences.ts';

const PROBE = 'Is anybody there?';

/**
 * Sends a frame of a client in the required state: before or after the join, which names the extensions, with a message
 * for a receipt, or with an open survey. Resolves with the first frame that matches `answer`. Without `answer`,
 * resolves with the SYSTEM_MESSAGE that refuses the frame; `null` if there is none.
 */
export async function sendFrame(url: string, frame: Frame, answer: Frame | null): Promise<Frame | null> {
  const visitor = await prepare(url, frame.type);
  try {
    visitor.send(await fillIn(visitor, frame));
    if (answer !== null)
      return await visitor.next((each) => findDifferences(answer, each).length === 0, JSON.stringify(answer));
    // Frames are handled in order, so a refusal precedes the echo of this message.
    visitor.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: PROBE } });
    const first = await visitor.next(
      ({ type, payload }) =>
        type === 'EVENT_TYPE_SYSTEM_MESSAGE' || Reflect.get(Object(payload), 'text') === PROBE,
      'a refusal or the echo of a message',
    );
    return first.type === 'EVENT_TYPE_SYSTEM_MESSAGE' ? first : null;
  } finally {
    await visitor.close();
  }
}

async function prepare(url: string, type: string): Promise<ExampleVisitor> {
  const isSurvey = type === 'EVENT_TYPE_CSAT_RESPONSE';
  const connector = isSurvey ? 'survey_connector_token' : 'connector_token';
  const visitor = await visit(url, { connector });
  if (type === 'EVENT_TYPE_REQUEST_AGENT_JOIN') return visitor;
  const custom = { [EXTENSIONS_KEY]: EXTENSIONS.join(',') };
  visitor.send({ type: 'EVENT_TYPE_REQUEST_AGENT_JOIN', payload: {}, metadata: { custom } });
  const isMessage = (each: Frame): boolean => each.type === 'EVENT_TYPE_AGENT_MESSAGE';
  if (!isSurvey) return visitor;
  await visitor.next(isMessage, 'a greeting');
  visitor.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Thanks, that is all.' } });
  return visitor;
}

/** Replaces the frame's ids by the ids of this session. */
async function fillIn(visitor: ExampleVisitor, frame: Frame): Promise<Frame> {
  const payload: object = Object(frame['payload']);
  const key = ['survey_id', 'message_id'].find((each) => each in payload);
  if (key === undefined) {
    const isJoin = frame.type === 'EVENT_TYPE_REQUEST_AGENT_JOIN';
    if (!isJoin) await visitor.next(({ type }) => type === 'EVENT_TYPE_AGENT_MESSAGE', 'a greeting');
    return frame;
  }
  const type = key === 'survey_id' ? 'EVENT_TYPE_SHOW_CSAT_REQUEST' : 'EVENT_TYPE_AGENT_MESSAGE';
  const named = await visitor.next((each) => each.type === type, type);
  return { ...frame, payload: { ...payload, [key]: Reflect.get(Object(named['payload']), key) } };
}
