import type { Page } from '@playwright/test';
import { expect, type Gallery, test } from './page/gallery.ts';

let gallery: Gallery;
test.beforeAll(({ gallery: started }) => {
  gallery = started;
});

/** Returns the role of the focused element, or its tag, and its name. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const active = document.querySelector('natter-chat')?.shadowRoot?.activeElement;
    if (!active) return 'nothing';
    const name = active.getAttribute('aria-label') ?? active.textContent?.trim() ?? '';
    return `${active.role ?? active.localName} ${name.replace(/\s+/g, ' ')}`;
  });
}

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/**
 * Waits for the part `history`, which handles the keys of the transcript. The first Tab or the focus on the transcript
 * loads it; earlier keys have their usual effect. The part brings its style sheet.
 */
async function waitForReading(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .querySelector('natter-chat')
      ?.shadowRoot?.adoptedStyleSheets.some(({ cssRules }) =>
        [...cssRules].some(({ cssText }) => cssText.includes('.message, .system')),
      ),
  );
}

/** Opens the gallery with a closed widget and the focus on the launcher. */
async function reachLauncher(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await gallery.show(page, state, { open: 'false' });
  await page.locator('#states a').last().focus();
  await press(page, 'Tab');
  await expect.poll(() => focused(page)).toContain('Open chat');
}

// The steps of docs/accessibility.md, "A walk by keyboard", under the same numbers.
test('the whole chat can be used with the keyboard', async ({ page }) => {
  await test.step('1. Enter on the launcher opens the chat with the focus in the composer', async () => {
    await reachLauncher(page, 'conversation');
    await press(page, 'Enter');
    await expect.poll(() => focused(page)).toBe('textarea Message');
  });

  await test.step('2. Enter sends, and the focus stays', async () => {
    await page.keyboard.type('Do I have to book?');
    await press(page, 'Enter');
    await expect(page.locator('.bubble').last()).toHaveText('Do I have to book?');
    await expect.poll(() => focused(page)).toBe('textarea Message');
  });

  await test.step('3. Shift+Tab leads to the latest message', async () => {
    await press(page, 'Shift+Tab');
    await expect.poll(() => focused(page)).toMatch(/^button \d/);
    await waitForReading(page);
    await press(page, 'Shift+Tab');
    await expect.poll(() => focused(page)).toMatch(/^article You said: Do I have to book\? \d/);
  });

  await test.step('4. Up and Down move between messages, and announce speaker, text and time', async () => {
    await press(page, 'ArrowUp', 'ArrowUp', 'ArrowUp');
    await expect
      .poll(() => focused(page))
      .toMatch(/^article Ada says: Yes\. Dogs travel free.* keep a place\. \d/);
    await press(page, 'ArrowDown');
    await expect.poll(() => focused(page)).toContain('Great, thanks!');
    await press(page, 'ArrowUp');
  });

  await test.step('5. Tab goes through the links of that message, then past all others', async () => {
    const stops: string[] = [];
    for (let stop = 0; stop < 6; stop += 1) {
      await press(page, 'Tab');
      stops.push(await focused(page));
    }
    expect(stops).toEqual([
      'a your booking (opens in a new tab)',
      'a Travelling with pets (opens in a new tab)',
      'a Deck plan, MS Kittiwake (opens in a new tab)',
      expect.stringMatching(/^button \d/),
      'button Copy message',
      'textarea Message',
    ]);
  });

  await test.step('6. Home and End go to the first and the last message', async () => {
    await press(page, 'Shift+Tab', 'Home');
    await expect.poll(() => focused(page)).toMatch(/^article Ada says: Hello, I’m Ada\./);
    await press(page, 'End');
    await expect.poll(() => focused(page)).toContain('Do I have to book?');
  });

  await test.step('7. Shift+Tab leads out, to the transcript, the close button and the menu', async () => {
    const stops: string[] = [];
    for (let stop = 0; stop < 3; stop += 1) {
      await press(page, 'Shift+Tab');
      stops.push(await focused(page));
    }
    expect(stops).toEqual(['log Conversation', 'button Close chat', 'button More']);
  });

  await test.step('8. Enter opens the menu, arrows move in it, Escape closes it', async () => {
    await press(page, 'Enter');
    await expect.poll(() => focused(page)).toMatch(/^menuitem/);
    const first = await focused(page);
    await press(page, 'ArrowDown');
    await expect.poll(() => focused(page)).not.toBe(first);
    expect(await focused(page)).toMatch(/^menuitem/);
    await press(page, 'Home');
    await expect.poll(() => focused(page)).toBe(first);
    await press(page, 'Escape');
    await expect(page.locator('[role=menu]')).toHaveCount(0);
    await expect.poll(() => focused(page)).toBe('button More');
  });

  await test.step('9. Escape closes the chat and returns the focus to the launcher', async () => {
    await press(page, 'Escape');
    await expect(page.locator('.frame')).toHaveAttribute('data-open', 'false');
    await expect.poll(() => focused(page)).toContain('Open chat');
  });
});

test('10. the button after the composer stops a streaming answer', async ({ page }) => {
  await reachLauncher(page, 'stopping');
  await press(page, 'Enter', 'Tab');
  await expect.poll(() => focused(page)).toBe('button Stop the answer');
  await press(page, 'Enter');
  await expect.poll(() => focused(page)).toBe('textarea Message');
});

test('suggestions are between the messages and the composer, and a chosen one moves the focus to the composer', async ({
  page,
}) => {
  await reachLauncher(page, 'greeting');
  await press(page, 'Enter', 'Shift+Tab');
  await expect.poll(() => focused(page)).toBe('button Change a booking');
  await press(page, 'Enter');
  await expect(page.locator('.bubble')).toHaveText('Change a booking');
  await expect.poll(() => focused(page)).toBe('textarea Message');
});

test('a chat that the page opens leaves the focus where it was', async ({ page }) => {
  await gallery.show(page, 'conversation');
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('body');
  await expect.poll(() => focused(page)).toBe('nothing');
});

test('a message higher than the view is scrolled through before the next one is reached', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 600 });
  await gallery.show(page, 'markdown');
  await page.locator('.viewport').focus();
  await waitForReading(page);
  await press(page, 'Home');
  await expect.poll(() => focused(page)).toContain('Show me everything');
  await press(page, 'ArrowDown');
  await expect.poll(() => focused(page)).toContain('Refunds in short');
  const view = page.locator('.viewport');
  const before = await view.evaluate((element) => element.scrollTop);
  await press(page, 'ArrowDown');
  await expect.poll(() => view.evaluate((element) => element.scrollTop)).toBeGreaterThan(before);
  await expect.poll(() => focused(page)).toContain('Refunds in short');
});

test('on a small screen the focus never goes below the chat, and returns to the launcher', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 680 });
  await reachLauncher(page, 'conversation');
  await press(page, 'Enter');
  await expect.poll(() => focused(page)).toBe('textarea Message');
  // Only the one in the header, because elements below the panel are hidden.
  await expect(page.getByRole('button', { name: 'Close chat' })).toHaveCount(1);
  await press(page, 'Escape');
  await expect.poll(() => focused(page)).toMatch(/^button Open chat/);
});

test('dictation is switched on and off with the keyboard, and ends with the message', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await gallery.show(page, 'dictation');
  const microphone = page.locator('.tool[aria-pressed]');
  await page.locator('.field').focus();
  for (let tabs = 0; tabs < 4 && !(await focused(page)).includes('Dictate'); tabs += 1)
    await press(page, 'Tab');
  await expect(microphone).toBeFocused();
  await press(page, 'Enter');
  await expect(microphone).toHaveAttribute('aria-pressed', 'false');
  await press(page, 'Space');
  await expect(microphone).toHaveAttribute('aria-pressed', 'true');
  await press(page, 'Tab');
  expect(await focused(page)).toBe('button Send message');
  await press(page, 'Enter');
  await expect(page.locator('.visitor .bubble').last()).toHaveText('Can I bring my dog on the');
  await expect(microphone).toHaveAttribute('aria-pressed', 'false');
});
