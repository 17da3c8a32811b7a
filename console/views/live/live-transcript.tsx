import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { callDesk } from '../../call-platform.ts';
import { hrefOf } from '../../location.ts';
import { hasDesk, me } from '../../session.ts';
import { Button, ButtonLink, EmptyState, Time, tryTo, useFollowedEnd } from '../../ui/index.ts';
import { LinkedText } from '../../ui/markdown/linked-text.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { Attachments } from '../desk/attachments.tsx';
import type { Entry } from '../desk/desk-types.ts';
import { readTranscript } from '../desk/read-transcript.ts';
import type { LiveConversation } from './live-types.ts';

/** The messages of the shown conversation, and how to take it over. */
export function LiveTranscript({
  id,
  conversation,
  entries,
  typing,
  back,
}: {
  id: string | null;
  /** Null: it is over, or the filters leave it out. */
  conversation: LiveConversation | null;
  entries: readonly Entry[];
  /** The typing person's name; empty: none. */
  typing: string;
  back: string;
}): VNode {
  const lines = useMemo(() => readTranscript(entries), [entries]);
  const length = lines.at(-1)?.text.length ?? 0;
  const end = useFollowedEnd(`${lines.length} ${length} ${typing}`, id);
  if (id === null)
    return (
      <section class="live-conversation" aria-label="Conversation">
        <EmptyState title="Choose a conversation" icon="live" />
      </section>
    );
  return (
    <section class="live-conversation" aria-label="Conversation">
      <div class="live-bar">
        <ButtonLink icon="back" kind="plain" href={back}>
          All
        </ButtonLink>
        <span class="grow" />
        <ButtonLink href={hrefOf(`/conversations/${encodeURIComponent(id)}`)}>View record</ButtonLink>
        {conversation !== null && <JumpIn conversation={conversation} />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <div {...end} class="live-lines" role="log" aria-label="Transcript" tabIndex={0}>
        {lines.map(({ key, author, name, text, attachments, at }) => (
          <article key={key} data-author={author}>
            {name !== '' && (
              <header>
                {name} <Time at={at} format={{ timeStyle: 'medium' }} />
              </header>
            )}
            {text !== '' &&
              (author === 'agent' || author === 'person' ? (
                <Markdown text={text} />
              ) : (
                <LinkedText text={text} />
              ))}
            <Attachments attachments={attachments} />
          </article>
        ))}
        {typing !== '' && <p class="quiet">{typing}</p>}
      </div>
    </section>
  );
}

/** Takes the conversation over at the desk; it can be once it was handed off there. */
function JumpIn({ conversation: { request } }: { conversation: LiveConversation }): VNode | null {
  const { route } = useLocation();
  if (!hasDesk.value) return null;
  if (request === null) return <small>You can take over once the agent has asked for your team.</small>;
  const open = (): void => {
    route(`${hrefOf('/desk')}#request=${encodeURIComponent(request.id)}`);
  };
  if (request.status === 'accepted' && request.person_id === me.value?.id)
    return <Button onClick={open}>Open in desk</Button>;
  const take = async (): Promise<void> => {
    await callDesk('POST', `/requests/${encodeURIComponent(request.id)}/take`, {});
    open();
  };
  return (
    <Button kind="main" onClick={() => void tryTo(take)}>
      {request.status === 'accepted' ? `Take over from ${request.person_name}` : 'Jump in'}
    </Button>
  );
}
