import type { ConversationDetail } from '@natter/sdk';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { callConsole } from '../../call-platform.ts';
import { hrefOf, useSearch } from '../../location.ts';
import { queryClient, useQuery } from '../../query.ts';
import { isAdmin } from '../../session.ts';
import {
  Button,
  ButtonLink,
  Card,
  ConfirmDialog,
  Facts,
  formatSeconds,
  nameOfChannel,
  Page,
  QueryView,
  showToast,
  Time,
} from '../../ui/index.ts';
import { readFeedback } from './feedback.ts';
import { LifeCard } from './life-card.tsx';
import { toFacts } from './to-facts.ts';
import { type TurnStates, Turns } from './turns.tsx';

interface Answer {
  readonly conversation: ConversationDetail;
  readonly states: TurnStates;
  readonly session: { readonly id: string; readonly state: Readonly<Record<string, unknown>> } | null;
}

/** One conversation with everything that is on record about it. */
export function ConversationPage({ id }: { id: string }): VNode {
  const [search] = useSearch();
  const { route } = useLocation();
  const [isErasing, setErasing] = useState(false);
  const project = search.get('project');
  const suffix = project === null ? '' : `?project=${encodeURIComponent(project)}`;
  const path = `/conversations/${encodeURIComponent(id)}`;
  const query = useQuery<Answer>({
    queryKey: ['conversation', id, project],
    queryFn: ({ signal }) => callConsole<Answer>('GET', path + suffix, { signal }),
  });
  const erase = async (): Promise<void> => {
    await callConsole('POST', `${path}/erase${suffix}`, { body: {} });
    await queryClient.invalidateQueries({ queryKey: ['conversations'] });
    showToast('The conversation is erased.');
    route(hrefOf('/conversations'), true);
  };
  return (
    <Page
      title="Conversation"
      summary={id}
      actions={
        <>
          <ButtonLink icon="back" href={hrefOf('/conversations')}>
            All conversations
          </ButtonLink>
          {isAdmin.value && (
            <Button kind="danger" icon="trash" onClick={() => setErasing(true)}>
              Erase
            </Button>
          )}
        </>
      }
    >
      <QueryView query={query}>
        {({ conversation, states, session }) => (
          <div class="conversation-page">
            <div class="conversation-main">
              <Card title="Transcript">
                <Turns
                  turns={conversation.turns ?? []}
                  feedback={readFeedback(conversation.metrics)}
                  states={states}
                />
              </Card>
              <LifeCard path={path} suffix={suffix} />
            </div>
            <div class="conversation-side">
              <About conversation={conversation} />
              {session !== null && (
                <Card title="State">
                  <Facts facts={toFacts(session.state)} />
                </Card>
              )}
            </div>
          </div>
        )}
      </QueryView>
      {isErasing && (
        <ConfirmDialog
          title="Erase this conversation?"
          confirmLabel="Erase for good"
          onConfirm={erase}
          onClose={() => setErasing(false)}
        >
          <p>
            Its turns, its session with all events, its audio and its place in searches are removed. This
            cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

function About({ conversation }: { conversation: ConversationDetail }): VNode {
  const { startedAt, finishedAt, totalDuration, metrics = {}, audioUrl } = conversation;
  const score = metrics['CSAT_SCORE'];
  return (
    <Card title="About">
      <Facts
        facts={[
          ['Began', startedAt && <Time at={startedAt} />],
          ['Ended', finishedAt ? <Time key="ended" at={finishedAt} /> : 'still open'],
          ['Duration', totalDuration === undefined ? '' : formatSeconds(totalDuration)],
          ['Channel', nameOfChannel(conversation.channel ?? '')],
          ['Language', conversation.language],
          ['Variant', conversation.variantId],
          ['Environment', conversation.clientEnv],
          [
            'Hand-off',
            conversation.handoff
              ? [conversation.handoffDestination, conversation.handoffReason].filter(Boolean).join(': ') ||
                'yes'
              : 'no',
          ],
          [
            'Survey',
            score === undefined ? '' : [score, metrics['CSAT_COMMENT']].flat().filter(Boolean).join(': '),
          ],
          ['Summary', conversation.shortSummary],
          ['Tags', conversation.tags?.join(', ')],
        ]}
      />
      {audioUrl !== undefined && <Recording url={audioUrl} />}
    </Card>
  );
}

/** The page's policy lets it play audio of the platform alone; a recording elsewhere is a link. */
function Recording({ url }: { url: string }): VNode {
  if (!URL.canParse(url) || new URL(url).origin !== location.origin)
    return (
      <a href={url} target="_blank" rel="noreferrer">
        Recording
      </a>
    );
  // biome-ignore lint/a11y/useMediaCaption: the transcript stands beside it
  return <audio controls preload="none" src={url} aria-label="Recording" />;
}
