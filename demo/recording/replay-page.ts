import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { fieldOf, readSteps } from './read-steps.ts';
import type { Recording } from './recording.ts';

/** What the visitor does, by the type of the event that says so. */
const DEEDS: Readonly<Record<string, string>> = {
  EVENT_TYPE_REQUEST_AGENT_JOIN: 'Opens the chat',
  EVENT_TYPE_USER_END_SESSION: 'Ends the chat',
  EVENT_TYPE_CSAT_RESPONSE: 'Answers the survey',
  EVENT_TYPE_X_FEEDBACK: 'Rates an answer',
  EVENT_TYPE_X_CANCEL_HANDOFF: 'Cancels the wait for a person',
  EVENT_TYPE_X_STOP_RESPONSE: 'Stops the answer',
};

/** What the visitor of a recording does, in order, as one sentence each. */
function describeVisitor(recording: Recording): readonly string[] {
  return readSteps(recording).flatMap((step) => {
    if (step.kind !== 'wait') return [];
    const text = fieldOf(step.sent['payload'], 'text');
    return [typeof text === 'string' ? `Writes: ${text}` : (DEEDS[step.type] ?? step.type)];
  });
}

/** The page with the widget, and what its visitor has to do for the recording to go on. */
export function renderReplayPage(recording: Recording): HtmlEscapedString | Promise<HtmlEscapedString> {
  const seconds = Math.round((recording.lines.at(-1)?.atMs ?? 0) / 1000);
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Replay: ${recording.title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/replay.css" />
  </head>
  <body>
    <main>
      <p class="kind">Replay</p>
      <h1>${recording.title}</h1>
      <p>Recorded ${recording.recordedAt.slice(0, 10)}, ${seconds} seconds, ${recording.lines.length} frames.</p>
      <h2>What the visitor does</h2>
      <ol>
        ${describeVisitor(recording).map((deed) => html`<li>${deed}</li>`)}
      </ol>
      <p>The replay waits for each of these; other words than those recorded do as well.</p>
    </main>
    <script src="/natter.js" defer data-agent-name="Ada" data-features="feedback contact"></script>
  </body>
</html>`;
}
