import { type ComponentChild, type ComponentChildren, h, type VNode } from 'preact';
import { directionOf, directionTextOf } from '../../dom/text-direction.ts';
import { NEW_TAB, toTelHref } from '../../links/safe-href.ts';
import { listKey } from '../../list-key.ts';
import type { Strings } from '../../locales/catalogue.ts';
import type { RichElement, RichNode } from '../../markdown/rich-node.ts';
import type { SavedConversation, SavedEntry, SavedMessage } from './saved-conversation.ts';
import { speakerLabelOf } from './speaker-label.ts';

/** How entries are written. */
interface Formats extends Pick<SavedConversation, 'markdown' | 'textDirection'> {
  readonly day: Intl.DateTimeFormat;
  readonly clock: Intl.DateTimeFormat;
  readonly exact: Intl.DateTimeFormat;
}

/** Renders the conversation as a page for print and HTML export. Uses plain elements only. */
export function renderPage(conversation: SavedConversation, strings: Strings): VNode {
  const { title, language, entries, savedAtMs, markdown, textDirection } = conversation;
  const formats: Formats = {
    markdown,
    textDirection,
    day: new Intl.DateTimeFormat(language, { dateStyle: 'full' }),
    clock: new Intl.DateTimeFormat(language, { timeStyle: 'short' }),
    exact: new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' }),
  };
  const first = entries[0]?.atMs ?? savedAtMs;
  const last = entries.at(-1)?.atMs ?? savedAtMs;
  const span = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <main>
      <header>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <p>
          {span.formatRange(first, last)} · {formatZone(language, last)}
        </p>
      </header>
      {entries.map((entry, index) => {
        const day = formats.day.format(entry.atMs);
        const previous = entries[index - 1];
        return [
          (!previous || formats.day.format(previous.atMs) !== day) && <h2>{day}</h2>,
          renderEntry(entry, strings, formats),
        ];
      })}
    </main>
  );
}

/** Returns the time zone of all times on the page: its name and its IANA identifier. */
function formatZone(language: string, atMs: number): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const parts = new Intl.DateTimeFormat(language, { timeZoneName: 'long' }).formatToParts(atMs);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value;
  return name ? `${name} (${timeZone})` : timeZone;
}

function renderEntry(entry: SavedEntry, strings: Strings, formats: Formats): VNode {
  const { clock, exact } = formats;
  const time = (
    <time dateTime={new Date(entry.atMs).toISOString()} title={exact.format(entry.atMs)}>
      {clock.format(entry.atMs)}
    </time>
  );
  if (entry.kind === 'notice') {
    return (
      <p class="notice">
        <span dir="auto">{entry.text}</span> {time}
      </p>
    );
  }
  const role = speakerLabelOf(entry, strings);
  return (
    <article class={entry.from}>
      <h3>
        <bdi>{entry.name}</bdi>
        {role && <span class="role"> {role}</span>} {time}
      </h3>
      <div class="text">{renderText(entry, formats)}</div>
      {entry.isStopped && <p class="notice">{strings.answerStopped}</p>}
      {renderLinks(entry)}
      {!entry.isSent && <p class="notice">{strings.notSent}</p>}
    </article>
  );
}

function renderText(
  { from, text, isStopped }: SavedMessage,
  { markdown, textDirection }: Formats,
): ComponentChildren {
  if (from === 'visitor' || !markdown)
    return (
      <p class="plain" dir={directionOf(text, textDirection)}>
        {text}
      </p>
    );
  // Each block has its text's direction; elements inside inherit it.
  return markdown
    .createMarkdownStream()(text, isStopped === true)
    .map((block) => renderElement(block, directionOf(directionTextOf(block), textDirection)));
}

function renderRich(node: RichNode): ComponentChild {
  return typeof node === 'string' ? node : renderElement(node, undefined);
}

function renderElement(element: RichElement, dir: 'ltr' | 'rtl' | undefined): VNode {
  const { tag, children, href, start, align, isDone } = element;
  // Headings inside an answer are one level below the heading with the speaker's name.
  const type = { h3: 'h4', h4: 'h5' }[tag as string] ?? tag;
  const isNamed = href && children[0] !== href;
  const attributes = {
    href,
    start,
    dir: tag === 'code' || tag === 'pre' ? 'ltr' : dir,
    class: align ? `align-${align}` : isNamed ? 'named' : isDone === undefined ? undefined : 'task',
    ...(href && NEW_TAB),
  };
  const box = isDone === undefined ? null : isDone ? '☑ ' : '☐ ';
  return h<object>(type, attributes, [box, children.map(renderRich)]);
}

function renderLinks({ links, calls }: SavedMessage): ComponentChild {
  const all = [
    ...links,
    ...calls.flatMap(({ title, phoneNumber }) => {
      const url = toTelHref(phoneNumber);
      return url ? [{ title: `${title} ${phoneNumber}`.trim(), url }] : [];
    }),
  ];
  return (
    all.length > 0 && (
      <ul class="links">
        {all.map(({ title, url }, index) => (
          <li key={listKey(index)}>
            <a class={title === url ? undefined : 'named'} href={url} {...NEW_TAB}>
              <bdi>{title}</bdi>
            </a>
          </li>
        ))}
      </ul>
    )
  );
}
