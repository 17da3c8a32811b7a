import type { Attack } from '../../attack.ts';
import { encodeEvent } from '../../peers/frames.ts';
import { ask, outcomeOf } from '../../peers/hostile-http.ts';
import { converse, startSession } from '../../peers/hostile-session.ts';
import { closeOutcome } from '../../peers/hostile-web-socket.ts';

const SIZE = 120_000;
const fill = (part: string): string => part.repeat(Math.floor(SIZE / Buffer.byteLength(part)));

/** Text that readers of Markdown, splitters of words and matchers of phrases are slow with. */
const TEXTS: readonly string[] = [
  fill('['),
  fill('![a]('),
  fill('*a **b '),
  fill('> '),
  fill('`'),
  fill('_'),
  fill('<a href="'),
  fill('- \n '),
  fill('a '),
  fill('pay my '),
  fill('é'),
  fill('👩‍👩‍👧'),
  fill('ferry Tarrow dog booking '),
  `${fill(' ')}x`,
  fill('\\'),
];

/** Messages full of Markdown and of the built-in agent's keywords. */
export const markdown: Attack = {
  name: 'markdown',
  summary: 'sends messages of 120 kB of nested Markdown and of phrases that the agent looks for',
  allowed: ['open', 'close 1008', 'handshake 429', /^preview HTTP (?:200|400|413|429)$/, 'dropped'],
  required: ['open'],
  async run(context) {
    const { monitoringKey, attackerProject } = context.stack;
    const session = await startSession(context);
    await context.repeat(3, { small: TEXTS.length, full: 600 }, async (index) => {
      const text = TEXTS[index % TEXTS.length] ?? '';
      if (index % 5 === 4) {
        const preview = await ask(context, {
          target: 'platform',
          path: `/v1/agents/${attackerProject}/generate-audio`,
          headers: { 'X-Api-Key': monitoringKey, 'Content-Type': 'application/json' },
          body: JSON.stringify({ text, language: 'en' }),
        });
        context.count(`preview ${outcomeOf(preview)}`);
        return;
      }
      const socket = await converse(context, session);
      if (socket === null) return context.count('handshake 429');
      const seen = socket.frames;
      await socket.write(encodeEvent('USER_MESSAGE', { text }));
      await socket.socket.wait(() => socket.frames > seen || socket.isOver, 2_000);
      context.count(closeOutcome(socket));
      await socket.leave();
    });
  },
};
