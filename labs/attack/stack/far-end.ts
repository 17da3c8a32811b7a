import { createServer, type Server, type ServerResponse } from 'node:http';
import { createTone } from '../../../server-platform/test/api/voice/tone.ts';

/** Responses that the stack's far end delays. */
interface HeldAnswers {
  readonly speech: number;
  readonly translations: number;
}

const TONE_MS = 50;

/**
 * A server that the platform of the stack calls: it speaks, and translates by repeating. What holds the word `hang` gets no
 * answer until a request posts `/release`, which answers with the number of {@link HeldAnswers}.
 */
export function createFarEnd(): Server {
  const held = { speech: [] as (() => void)[], translations: [] as (() => void)[] };
  return createServer(async (request, response) => {
    const parts: Buffer[] = [];
    // Callers may go away in the middle.
    for await (const part of request.on('error', () => {})) parts.push(part);
    const body = Buffer.concat(parts).toString('utf8');
    if (request.url === '/release') {
      const counts: HeldAnswers = { speech: held.speech.length, translations: held.translations.length };
      for (const answer of [...held.speech.splice(0), ...held.translations.splice(0)]) answer();
      response.end(JSON.stringify(counts));
      return;
    }
    const isTranslation = request.url?.endsWith('/chat/completions') === true;
    const answer = (): void =>
      isTranslation ? translate(body, response) : void response.end(createTone(TONE_MS));
    if (!body.includes('hang')) answer();
    else (isTranslation ? held.translations : held.speech).push(answer);
  });
}

function translate(body: string, response: ServerResponse): void {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
  const message = { role: 'assistant', content: messages.at(-1)?.content };
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ choices: [{ message }] }));
}
