import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { buildEmbed } from '../demo/build/build-embed.ts';
import { fieldOf, type ReplayStep, readSteps, typeOf } from '../demo/recording/read-steps.ts';
import { parseRecording } from '../demo/recording/recording.ts';
import { startReplay } from '../demo/recording/replay-server.ts';
import { ChatPanel } from './page/chat-panel.ts';
import { fixFonts } from './page/fixed-fonts.ts';
import { runProcess } from './stack/run-process.ts';

/**
 * Pictures of the widget at the end of the recordings in `recordings`, or at a certain time, compared with those in
 * docs/pictures. `npm run generate -- pictures` accepts an intended change of the look.
 */
const PICTURES: readonly Picture[] = [
  { name: 'answer', screen: 'desktop', scheme: 'light' },
  { name: 'hand-off', screen: 'desktop', scheme: 'dark' },
  { name: 'failed-hand-off', screen: 'desktop', scheme: 'light' },
  { name: 'long-stream', screen: 'phone', scheme: 'light' },
  { name: 'language-change', screen: 'phone', scheme: 'dark' },
  { name: 'reconnects', screen: 'desktop', scheme: 'light' },
  { name: 'survey', screen: 'desktop', scheme: 'dark' },
  { name: 'cards', screen: 'phone', scheme: 'light' },
  { name: 'payment', screen: 'desktop', scheme: 'light' },
  { name: 'errors', screen: 'phone', scheme: 'dark' },
];

interface Picture {
  readonly name: string;
  readonly screen: keyof typeof SCREENS;
  readonly scheme: 'light' | 'dark';
}

const SCREENS = {
  phone: { width: 360, height: 680 },
  desktop: { width: 1280, height: 720 },
} as const;
/** The visible part of a wide page: the widget's corner. */
const CORNER = { x: 832, y: 0, width: 448, height: 720 } as const;
const SAYS = /^EVENT_TYPE_(?:LIVE_)?AGENT_MESSAGE(?:_CHUNK)?$/;

test.describe.configure({ mode: 'parallel' });
test.use({ trace: 'off', locale: 'en-GB', timezoneId: 'Europe/London', bypassCSP: true });

/** Returns the number of messages from the company up to a step. */
function countMessages(steps: readonly ReplayStep[]): number {
  const ids = steps.flatMap((step) =>
    step.kind === 'event' && SAYS.test(typeOf(step.event))
      ? [fieldOf(step.event['payload'], 'message_id')]
      : [],
  );
  return new Set(ids).size;
}

/** Repeats an action of the recording's visitor. */
async function act(
  page: Page,
  chat: ChatPanel,
  { type, sent }: Extract<ReplayStep, { kind: 'wait' }>,
): Promise<void> {
  switch (type) {
    case 'EVENT_TYPE_REQUEST_AGENT_JOIN':
      return chat.open();
    case 'EVENT_TYPE_USER_MESSAGE':
      return chat.say(String(fieldOf(sent['payload'], 'text')));
    case 'EVENT_TYPE_USER_END_SESSION':
      return page.evaluate(() => void Reflect.get(window, 'Natter').endChat());
    case 'EVENT_TYPE_CSAT_RESPONSE':
      await chat.dialog.getByRole('button', { name: `${fieldOf(sent['payload'], 'score')} of 5` }).click();
      return chat.dialog.getByRole('button', { name: 'Send', exact: true }).click();
    default:
      throw new Error(`The test does not know how a visitor does ${type}.`);
  }
}

for (const { name, screen, scheme } of PICTURES) {
  test(`the recording ${name} is replayed, and looks as in docs/pictures/recording-${name}.png`, async ({
    page,
  }) => {
    const file = fileURLToPath(new URL(`recordings/${name}.json`, import.meta.url));
    const recording = parseRecording(readFileSync(file, 'utf8'));
    const steps = readSteps(recording);
    const replay = await startReplay(recording, {
      port: 0,
      speed: Number.POSITIVE_INFINITY,
      untilMs: Number.POSITIVE_INFINITY,
      embedDir: buildEmbed(),
    });
    try {
      await page.setViewportSize(SCREENS[screen]);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.clock.setFixedTime(recording.recordedAt);
      await page.goto(replay.url);
      await fixFonts(page);
      const chat = new ChatPanel(page);
      for (const [index, step] of steps.entries()) {
        if (step.kind !== 'wait') continue;
        await expect(chat.messages('agent')).toHaveCount(countMessages(steps.slice(0, index)));
        await act(page, chat, step);
      }
      await expect(chat.messages('agent')).toHaveCount(countMessages(steps));
      await expect(chat.dialog.locator('[data-streaming="true"]')).toHaveCount(0);
      // An error does not end typing (IND-1): the dots appear late, and stay because the clock is stopped.
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('.typing { visibility: hidden; }');
        document.querySelector('natter-chat')?.shadowRoot?.adoptedStyleSheets.push(sheet);
      });
      // Moves the pointer off the last button, because a hovered element looks different.
      await page.mouse.move(1, 1);
      await expect(page).toHaveScreenshot(
        `recording-${name}.png`,
        screen === 'desktop' ? { clip: CORNER } : {},
      );
    } finally {
      await replay.close();
    }
  });
}

test('the program that replays a recording prints the address of its page', async ({ page }) => {
  const file = fileURLToPath(new URL('recordings/answer.json', import.meta.url));
  const replay = runProcess('demo/recording/replay.ts', [file, '--speed', '0']);
  try {
    await page.goto((await replay.waitForLine(/^page: (.+)$/))[1] ?? '');
    await expect(new ChatPanel(page).launcher).toBeVisible();
  } finally {
    await replay.stop();
  }
});
