import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { describeVisitor } from './describe-visitor.ts';
import type { Recording } from './recording.ts';

/** The page with the widget, and the visitor's next step in the recording. */
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
      <h2>Visitor steps</h2>
      <ol>
        ${describeVisitor(recording).map((deed) => html`<li>${deed}</li>`)}
      </ol>
      <p>The replay waits for each of these steps. You may write other texts than the recorded ones.</p>
    </main>
    <script src="/natter.js" defer data-agent-name="Ada" data-features="feedback contact"></script>
  </body>
</html>`;
}
