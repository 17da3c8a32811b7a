import { openChatPage } from './pages/chat-page.ts';

/**
 * How many chunks per second the widget puts on the screen, and how many long tasks (over 50 ms) that takes:
 * the server sends an answer of CHUNKS chunks as fast as the socket takes them. Measured against a page that
 * only appends each chunk's text to one element, in the same browser and run. Argument: CHUNKS.
 */
const CHUNKS = Number(process.argv[2] ?? 4_000);
const TIMEOUT_MS = 120_000;

interface Figures {
  readonly chunksPerSecond: number;
  readonly longTasks: number;
  readonly longestMs: number;
}

const chat = await openChatPage();

async function measure(path: string): Promise<Figures> {
  const page = await chat.browser.newPage();
  await page.goto(chat.origin + path);
  await page.getByRole('button', { name: /chat/i }).first().click();
  await page.getByText('Ada').first().waitFor();
  await page.evaluate(() => {
    const tasks: number[] = [];
    Reflect.set(window, 'longTasks', tasks);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask' });
  });
  const startedAt = performance.now();
  chat.stream(CHUNKS);
  await page.waitForFunction(
    () => {
      const root = document.querySelector('natter-chat')?.shadowRoot ?? document;
      return root.querySelector('[part~=agent-message][data-streaming=false]') !== null;
    },
    undefined,
    { timeout: TIMEOUT_MS, polling: 'raf' },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const tasks = await page.evaluate(() => Reflect.get(window, 'longTasks') as number[]);
  await page.close();
  return { chunksPerSecond: CHUNKS / seconds, longTasks: tasks.length, longestMs: Math.max(0, ...tasks) };
}

try {
  const widget = await measure('/widget');
  const bare = await measure('/bare');
  const row = (name: string, { chunksPerSecond, longTasks, longestMs }: Figures): void =>
    console.log(
      name.padEnd(22),
      `${Math.round(chunksPerSecond)} chunks/s`.padStart(18),
      `${longTasks} long tasks`.padStart(16),
      `longest ${Math.round(longestMs)} ms`.padStart(18),
    );
  console.log(`${CHUNKS} chunks of one answer, sent as fast as the socket takes them`);
  row('widget', widget);
  row('bare text appended', bare);
  console.log(`ratio to bare ${(widget.chunksPerSecond / bare.chunksPerSecond).toFixed(3)}`);
} finally {
  await chat.close();
}
