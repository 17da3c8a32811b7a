// A contact centre of your own behind a hand-off provider of the kind `http`, whose desk is this terminal:
// DESK_SECRET=… DESK_KEY=… HANDOFFS_URL=http://127.0.0.1:8080/v1/kittiwake/web/handoffs node contact-centre.ts
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@natter/sdk';

const {
  DESK_SECRET: secret = '',
  DESK_KEY: key = '',
  HANDOFFS_URL: handoffsUrl = '',
  PORT = '8091',
} = process.env;

/** An event from the platform for a desk. */
interface DeskEvent {
  readonly type: 'handoff.requested' | 'message.created' | 'typing.changed' | 'handoff.closed';
  readonly handoff_id: string;
  readonly event_id: string;
  readonly reason?: string;
  readonly text?: string;
  readonly history?: readonly { readonly author: string; readonly text: string }[];
}

const agent = { id: 'grace', name: 'Grace' };
/** Ids of the waiting visitors, first the one that Grace talks to. */
const waiting: string[] = [];
/** A delivery is repeated if its response was lost. A contact centre with a database stores these ids there. */
const seen = new Set<string>();

async function send(handoffId: string, event: object): Promise<void> {
  const answer = await fetch(`${handoffsUrl}/${handoffId}/events`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ agent, ...event }),
  });
  if (!answer.ok) console.error(`The platform answered ${answer.status}: ${await answer.text()}`);
}

/** Joins the conversation of the visitor who has waited longest. */
async function joinNext(): Promise<void> {
  const [handoffId] = waiting;
  if (handoffId === undefined) return;
  await send(handoffId, { type: 'joined' });
  console.log('You have joined. Write; /end ends the conversation, /back returns it to the bot.');
}

async function handle(event: DeskEvent): Promise<void> {
  const { type, handoff_id: handoffId } = event;
  if (type === 'handoff.requested') {
    console.log(`A visitor asks for you: ${event.reason}`);
    for (const line of event.history ?? []) console.log(`  ${line.author}: ${line.text}`);
    const position = waiting.push(handoffId);
    await send(handoffId, { type: 'accepted', queue_name: 'Terminal' });
    if (position === 1) await joinNext();
    else await send(handoffId, { type: 'queue', position_in_queue: position - 1 });
  } else if (type === 'message.created') {
    console.log(`visitor: ${event.text}`);
  } else if (type === 'handoff.closed') {
    console.log(`The visitor has gone: ${event.reason}`);
    await leave(handoffId);
  }
}

/** Removes a visitor from the list, and joins the next one if it was the first. */
async function leave(handoffId: string): Promise<void> {
  const position = waiting.indexOf(handoffId);
  if (position < 0) return;
  waiting.splice(position, 1);
  if (position === 0) await joinNext();
}

const server = createServer(async (request, response) => {
  const body = await text(request);
  const { isValid } = await verifyWebhook({ body, headers: request.headers, secret });
  response.writeHead(isValid ? 204 : 401).end();
  if (!isValid) return;
  const event = JSON.parse(body) as DeskEvent;
  if (seen.has(event.event_id)) return;
  seen.add(event.event_id);
  await handle(event);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log('Waiting for visitors.'));

createInterface({ input: process.stdin }).on('line', async (line) => {
  const [handoffId] = waiting;
  if (handoffId === undefined) return console.log('Nobody is there.');
  const next = { '/end': 'end', '/back': 'agent' }[line.trim()];
  if (next === undefined) return await send(handoffId, { type: 'message', text: line });
  await send(handoffId, { type: 'left', next });
  await leave(handoffId);
});
