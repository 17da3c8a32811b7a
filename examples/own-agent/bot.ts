// A bot of your own behind an agent of the kind `webhook`, streaming its answers: BOT_SECRET=… node bot.ts
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyWebhook } from '@natter/sdk';

/** The fields of a turn that this bot reads. */
interface Turn {
  readonly kind: 'greeting' | 'message' | 'event';
  readonly text: string;
  readonly state: { readonly _asked?: boolean };
}

type Action = { readonly type: string } & Readonly<Record<string, unknown>>;

const say = (words: string): Action => ({ type: 'text', text: words });

async function* answer({ kind, text: message, state }: Turn): AsyncGenerator<Action> {
  if (kind === 'greeting') {
    yield say('Hello, I am Bo, an automated assistant.');
    yield { type: 'suggestions', suggestions: [{ message_text: 'Where is my parcel?' }] };
  } else if (/person|human|someone/i.test(message)) {
    yield say('I will get you a colleague.');
    yield { type: 'handoff', why: 'asked for a person' };
  } else if (/\b(?:bye|goodbye)\b/i.test(message)) {
    yield say('Goodbye!');
    yield { type: 'end' };
  } else if (/parcel/i.test(message)) {
    yield { type: 'intent', name: 'parcel' };
    // This state is passed back with the next turn.
    yield { type: 'state', set: { _asked: true } };
    yield say('What is the number of your parcel?');
  } else if (state._asked === true && /\d{4}/.test(message)) {
    yield { type: 'state', set: { _asked: null } };
    yield say('One moment … ');
    // A real bot asks its own systems here, while the visitor reads the beginning.
    await pause(50);
    yield say('Your parcel is on its way and arrives tomorrow.');
  } else {
    yield say('I only know about parcels. Shall I get you a colleague?');
  }
}

const secret = process.env.BOT_SECRET ?? '';

const server = createServer(async (request, response) => {
  const body = await text(request);
  const { isValid } = await verifyWebhook({ body, headers: request.headers, secret });
  if (!isValid) return void response.writeHead(401).end();
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  for await (const action of answer(JSON.parse(body) as Turn)) {
    if (response.destroyed) return;
    response.write(`${JSON.stringify(action)}\n`);
  }
  response.end();
});
server.listen(Number(process.env.PORT ?? 8090), '127.0.0.1');
