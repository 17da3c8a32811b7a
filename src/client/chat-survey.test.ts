import { afterEach, describe, expect, it } from 'vitest';
import { type ChatHarness, sentTypes, settle, trackHarnesses, until } from '../../test/chat-harness.ts';
import { FakeBrowser } from '../../test/fake-browser.ts';

const { greeted, harness } = trackHarnesses(afterEach);

const statusOf = ({ chat }: ChatHarness) => chat.survey.value?.status ?? null;
const answers = ({ platform }: ChatHarness): readonly unknown[] =>
  platform.sessions.flatMap(({ received }) =>
    received.flatMap(({ type, payload }) => (type === 'EVENT_TYPE_CSAT_RESPONSE' ? [payload] : [])),
  );
const socketsOf = ({ platform }: ChatHarness): number => platform.sessions[0]?.peers.size ?? 0;

/** A conversation that the visitor has ended, on a platform with a survey. */
async function asked(): Promise<ChatHarness> {
  const one = await greeted({ hasSurvey: true });
  one.chat.send('Hello Ada');
  await settle();
  void one.chat.endChat();
  await until(() => statusOf(one) === 'open');
  return one;
}

describe('the survey at the end of a conversation', () => {
  it('shows the chat as ended during the survey, and keeps the socket for the answer', async () => {
    const one = await asked();
    expect(one.chat.session.value).toEqual({ status: 'ended', by: 'user' });
    expect(one.chat.survey.value).toMatchObject({
      id: 's-1',
      title: 'Rate your chat',
      question: 'How would you rate your experience?',
    });
    one.clock.advance(30_000);
    await settle();
    expect(socketsOf(one)).toBe(1);
    one.chat.answerSurvey(4);
    expect(statusOf(one)).toBe('rated');
    await until(() => answers(one).length === 1);
    expect(answers(one)).toEqual([{ survey_id: 's-1', score: 4, skipped: false }]);
    await until(() => socketsOf(one) === 0);
    // The end of the session does not remove the thanks for the answer.
    expect(statusOf(one)).toBe('rated');
  });

  it('sends a comment if the platform accepts one (EXT-7)', async () => {
    const customs = async (extensions: readonly string[]): Promise<readonly unknown[]> => {
      const one = await greeted({ hasSurvey: true, capabilities: { extensions } });
      void one.chat.endChat();
      await until(() => statusOf(one) === 'open');
      expect(one.chat.survey.value?.canComment).toBe(extensions.length > 0);
      one.chat.answerSurvey(2, ' Too slow. ');
      await until(() => answers(one).length === 1);
      return one.platform.sessions.flatMap(({ received }) =>
        received.flatMap(({ type, custom }) => (type === 'EVENT_TYPE_CSAT_RESPONSE' ? [custom] : [])),
      );
    };
    expect(await customs(['survey_comment'])).toEqual([{ comment: 'Too slow.' }]);
    expect(await customs([])).toEqual([null]);
  });

  it('accepts one answer to the survey, including skipping', async () => {
    const one = await asked();
    one.chat.answerSurvey(null);
    one.chat.answerSurvey(5);
    await until(() => answers(one).length === 1);
    await settle();
    expect(answers(one)).toEqual([{ survey_id: 's-1', score: null, skipped: true }]);
    expect(statusOf(one)).toBe('skipped');
  });

  it('closes the survey with the session, and when the connection is lost', async () => {
    const one = await asked();
    one.platform.sessions[0]?.end('REASON_USER_END');
    await until(() => statusOf(one) === null);
    one.chat.answerSurvey(3);
    const other = await asked();
    for (const peer of other.platform.sessions[0]?.peers ?? []) peer.close(1006);
    await until(() => statusOf(other) === null);
    other.chat.answerSurvey(3);
    await settle();
    expect([...answers(one), ...answers(other)]).toEqual([]);
  });

  it('closes the survey when the tab with the socket has crashed', async () => {
    const browser = new FakeBrowser();
    const tab = browser.openTab();
    const one = harness({ hasSurvey: true }, {}, {}, tab);
    const other = harness({}, {}, one, browser.openTab());
    for (const { chat, lines } of [one, other]) {
      await chat.start();
      await until(() => lines().includes('agent: Hello'));
    }
    void other.chat.endChat();
    await until(() => statusOf(other) === 'open');
    tab.crash();
    await until(() => statusOf(other) === null);
    expect(other.chat.connection.value).toEqual({ status: 'idle' });
    expect(other.chat.session.value).toEqual({ status: 'ended', by: 'user' });
  });

  it('closes the socket if the platform does not end after the survey', async () => {
    const one = await asked();
    one.clock.advance(62_000);
    await until(() => socketsOf(one) === 0);
    expect(sentTypes(one)).not.toContain('CSAT_RESPONSE');
  });

  it('shows the survey after the agent has ended the conversation, and says so', async () => {
    const one = await greeted({ hasSurvey: true });
    one.platform.sessions[0]?.say('Goodbye!', { end_conversation: true });
    one.platform.sessions[0]?.ask();
    await until(() => statusOf(one) === 'open');
    expect(one.chat.session.value).toEqual({ status: 'ended', by: 'agent' });
    one.clock.advance(10_000);
    await settle();
    expect(socketsOf(one)).toBe(1);
  });

  it('does not block a new conversation with an open survey', async () => {
    const one = await asked();
    await one.chat.newChat();
    await until(() => one.platform.sessions.length === 2);
    expect(statusOf(one)).toBeNull();
  });
});
