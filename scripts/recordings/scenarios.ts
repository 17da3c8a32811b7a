import type { Page } from '@playwright/test';
import type { ChatPanel } from '../../e2e/page/chat-panel.ts';
import { LONG_ANSWER } from './long-answer.ts';
import { type SlowModel, startSlowModel } from './slow-model.ts';

/** Input of a scenario: an open chat in which the agent has greeted. */
export interface Stage {
  readonly chat: ChatPanel;
  readonly page: Page;
  readonly siteUrl: string;
  /** Waits until the widget has received an event of this type. */
  expectEvent(type: string): Promise<void>;
}

/** A conversation to record. */
export interface Scenario {
  readonly title: string;
  readonly offers?: readonly string[];
  /** Starts a model that answers in place of the agent, until it is closed. */
  startModel?(): Promise<SlowModel>;
  /** Changes the platform's configuration of the demo company. */
  change?(config: Record<string, unknown>, modelUrl: string): void;
  act(stage: Stage): Promise<void>;
}

/** Merges fields into an object of the configuration; makes it where it is missing. */
function set(config: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    config[name] = value;
    return;
  }
  const inner = config[name];
  const next = typeof inner === 'object' && inner !== null ? inner : {};
  config[name] = next;
  set(next as Record<string, unknown>, rest, value);
}

const PERSON = 'I want to talk to a person';

/** The curated recordings, by the names of their files. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  answer: {
    title: 'Greeting, a question and its answer',
    async act({ chat }) {
      await chat.ask('Can I bring my dog?');
    },
  },
  'hand-off': {
    title: 'A hand-off that a person answers',
    change: (config) =>
      set(config, ['handoffProviders', 'scripted'], {
        kind: 'scripted',
        stepMs: 1_200,
        typingMs: 900,
        positions: 2,
      }),
    async act({ chat }) {
      await chat.say(PERSON);
      await chat.expectAnswer(/Grace/);
      await chat.ask('I have lost my umbrella on the ferry to Tarrow.');
    },
  },
  'failed-hand-off': {
    title: 'A hand-off that fails in the queue, and the agent is back',
    change: (config) =>
      set(config, ['handoffProviders', 'scripted'], {
        kind: 'scripted',
        stepMs: 800,
        positions: 2,
        outcome: 'fails',
      }),
    async act({ chat, expectEvent }) {
      await chat.say(PERSON);
      await expectEvent('EVENT_TYPE_HANDOFF_FAILED');
      await chat.ask('When does the ferry to Tarrow leave?');
    },
  },
  'long-stream': {
    title: 'An answer of two thousand chunks, with tables, lists and code',
    startModel: () => startSlowModel(LONG_ANSWER, 60),
    change(config, url) {
      set(config, ['limits', 'agentTurnMs'], 600_000);
      set(config, ['agents', 'ada'], {
        ...{ kind: 'llm', name: 'Ada', model: 'slow', systemPrompt: 'Answer.', url },
        greeting: 'Hello, I’m Ada, an automated agent. How can I help?',
        timeouts: { totalMs: 600_000 },
      });
    },
    async act({ chat }) {
      await chat.say('Tell me everything about all routes.');
      await chat.dialog.getByText('tarrow-mewsay').waitFor({ timeout: 600_000 });
      await chat.expectQuiet();
    },
  },
  'language-change': {
    title: 'The visitor asks for another language',
    change: (config) => set(config, ['agents', 'ada', 'languages'], ['en', 'de']),
    async act({ chat }) {
      await chat.ask('Können wir bitte Deutsch sprechen?');
      await chat.ask('Danke!');
    },
  },
  reconnects: {
    title: 'The connection is lost twice in one conversation',
    async act({ chat, page, siteUrl }) {
      const drop = (): Promise<unknown> => page.request.post(new URL('/bench/faults/drop', siteUrl).href);
      await chat.ask('Can I bring my dog?');
      await drop();
      await chat.ask('And my bicycle?');
      await drop();
      await chat.ask('How do refunds work?');
    },
  },
  survey: {
    title: 'The visitor ends the chat and answers the survey',
    async act({ chat, page, expectEvent }) {
      await chat.ask('Can I bring my dog?');
      await page.evaluate('void Natter.endChat()');
      await chat.dialog.getByRole('button', { name: '4 of 5' }).click();
      await chat.dialog.getByRole('textbox', { name: 'Anything to add?' }).fill('A quick answer.');
      await chat.dialog.getByRole('button', { name: 'Send', exact: true }).click();
      await expectEvent('EVENT_TYPE_SESSION_END');
    },
  },
  cards: {
    title: 'Answers with cards, a number to call and suggestions',
    async act({ chat }) {
      await chat.ask('Where can I park?');
      await chat.ask('How do I change my booking?');
    },
  },
  payment: {
    title: 'The agent waits for a payment that is made on another page',
    async act({ chat, page, siteUrl }) {
      await chat.ask('I would like to pay my balance');
      const link = await chat.dialog.locator('a[href*="/pay/"]').getAttribute('href');
      await page.request.post(new URL(link ?? '', siteUrl).href);
      await chat.expectAnswer(/Your payment has arrived/);
    },
  },
  errors: {
    title: 'The agent cannot answer',
    change: (config) =>
      set(config, ['agents', 'ada'], {
        kind: 'llm',
        name: 'Ada',
        greeting: 'Hello, I’m Ada, an automated agent. How can I help?',
        // Nothing listens there.
        url: 'http://127.0.0.1:9/v1',
        model: 'none',
        systemPrompt: 'Answer.',
        retries: { maxAttempts: 1, baseDelayMs: 0, maxDelayMs: 0 },
      }),
    async act({ chat, expectEvent }) {
      await chat.say('When does the ferry to Tarrow leave?');
      await expectEvent('EVENT_TYPE_SYSTEM_MESSAGE');
    },
  },
};
