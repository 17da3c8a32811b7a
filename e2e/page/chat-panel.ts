import { type Frame, type Locator, type Page, expect as playwrightExpect } from '@playwright/test';
import { PATIENCE } from '../patience.ts';

// As in playwright.config.ts, because programs outside the runner use this file too.
const expect = playwrightExpect.configure({ timeout: 10_000 * PATIENCE });

/** One finished line of the transcript. */
export interface Line {
  readonly author: 'user' | 'agent';
  readonly text: string;
}

/** The widget as a visitor uses it: by names and roles, never by its inner structure. */
export class ChatPanel {
  readonly page: Page | Frame;
  readonly launcher: Locator;
  readonly dialog: Locator;
  readonly composer: Locator;
  readonly transcript: Locator;

  constructor(page: Page | Frame) {
    this.page = page;
    this.launcher = page.getByRole('button', { name: /^(open )?chat/i });
    this.dialog = page.getByRole('dialog');
    this.composer = this.dialog.getByRole('textbox');
    this.transcript = this.dialog.getByRole('log');
  }

  /** Opens the panel with its launcher. A panel that an earlier page of the tab left open opens automatically. */
  async open(): Promise<void> {
    if (!(await this.#wasLeftOpen())) await this.launcher.click();
    await expect(this.dialog).toBeVisible();
  }

  #wasLeftOpen(): Promise<boolean> {
    return this.page.evaluate(() => {
      try {
        return Object.values(sessionStorage).some((value) => value.startsWith('open '));
      } catch {
        // The page forbids storage, so nothing is stored.
        return false;
      }
    });
  }

  /** Waits for a complete message of the agent that matches `pattern`. */
  async expectAnswer(pattern: RegExp): Promise<void> {
    const answer = this.messages('agent').filter({ hasText: pattern });
    await expect(answer).toHaveCount(1);
    await this.expectQuiet();
  }

  /**
   * Waits until the agent has answered, nothing streams and no one types. A chat that is still opening does not count.
   */
  async expectQuiet(): Promise<void> {
    await expect(this.messages('agent').first()).toBeVisible();
    // Both in one check, because typing ends when the stream begins.
    await expect(this.dialog.locator('[data-streaming="true"], .typing')).toHaveCount(0);
  }

  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  /** Sends a question when nothing else is pending, and waits for one more complete message of the agent. */
  async ask(question: string): Promise<void> {
    await this.expectQuiet();
    const count = await this.messages('agent').count();
    await this.say(question);
    await expect(this.messages('agent')).toHaveCount(count + 1);
    await this.expectQuiet();
  }

  /** Waits until the transcript equals these lines. */
  async expectLines(lines: readonly Line[]): Promise<void> {
    await expect.poll(() => this.readLines()).toEqual(lines);
  }

  messages(author: 'user' | 'agent'): Locator {
    return this.dialog.locator(`[part~="${author === 'user' ? 'visitor' : 'agent'}-message"]`);
  }

  /** Returns the whole transcript, in the order on the page. */
  async readLines(): Promise<readonly Line[]> {
    return this.dialog.locator('[part~="message"]').evaluateAll((elements) =>
      elements.map((element) => ({
        author: element.matches('[part~="visitor-message"]') ? ('user' as const) : ('agent' as const),
        text: (element.querySelector('.rich, .bubble')?.textContent ?? '').trim(),
      })),
    );
  }
}
