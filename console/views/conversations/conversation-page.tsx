import type { ConversationDetail } from '@natter/sdk';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { callConsole } from '../../call-platform.ts';
import { hrefOf, useSearch } from '../../location.ts';
import { queryClient, useInfiniteQuery, useQuery } from '../../query.ts';
import { hasDesk, isAdmin } from '../../session.ts';
import {
  Badge,
  Button,
  ButtonLink,
  Card,
  ConfirmDialog,
  DescriptionList,
  ErrorState,
  formatSeconds,
  nameOfChannel,
  nameOfLanguage,
  Page,
  QueryView,
  showToast,
  Time,
} from '../../ui/index.ts';
import { TechnicalDetails } from '../../ui/technical-details.tsx';
import { readTranscript } from '../desk/read-transcript.ts';
import type { PeoplePart } from './conversation-types.ts';
import { readFeedback } from './feedback.ts';
import { LifeCard } from './life-card.tsx';
import { listVariables } from './list-variables.ts';
import { mergeStory } from './merge-story.ts';
import { Story, type TurnStates } from './story.tsx';

interface Answer {
  readonly conversation: ConversationDetail;
  readonly states: TurnStates;
  readonly session: { readonly id: string; readonly state: Readonly<Record<string, unknown>> } | null;
  /** The number of the turn after which it continues; null at its end. */
  readonly next_after: number | null;
}

/** One conversation with everything that is on record about it. */
export function ConversationPage({ id }: { id: string }): VNode {
  const [search] = useSearch();
  const { route } = useLocation();
  const [isErasing, setErasing] = useState(false);
  const project = search.get('project');
  const suffix = project === null ? '' : `?project=${encodeURIComponent(project)}`;
  const path = `/conversations/${encodeURIComponent(id)}`;
  const query = useInfiniteQuery<Answer, number>({
    queryKey: ['conversation', id, project],
    queryFn: ({ pageParam, signal }) => {
      const parameters = new URLSearchParams(suffix);
      if (pageParam > 0) parameters.set('after', String(pageParam));
      const asked = parameters.size === 0 ? '' : `?${parameters}`;
      return callConsole<Answer>('GET', path + asked, { signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ next_after }) => next_after,
  });
  const isHandedOff = query.data?.pages[0]?.conversation.handoff === true;
  const people = useQuery({
    queryKey: ['conversation-people', id, project],
    queryFn: ({ signal }) => callConsole<PeoplePart>('GET', `${path}/people${suffix}`, { signal }),
    enabled: isHandedOff,
  });
  const erase = async (): Promise<void> => {
    await callConsole('POST', `${path}/erase${suffix}`, { body: {} });
    await queryClient.invalidateQueries({ queryKey: ['conversations'] });
    showToast('Conversation erased.');
    route(hrefOf('/conversations'), true);
  };
  return (
    <Page
      title="Conversation"
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
        {({ pages }) => {
          const [first] = pages;
          if (first === undefined) return null;
          const { conversation, session } = first;
          return (
            <div class="conversation-page">
              <div class="conversation-main">
                <Card title="Transcript">
                  <Story
                    story={mergeStory(
                      pages.flatMap((page) => page.conversation.turns ?? []),
                      readTranscript(people.data?.entries ?? []),
                      people.data?.notes ?? [],
                      query.hasNextPage,
                    )}
                    feedback={readFeedback(conversation.metrics)}
                    states={Object.assign({}, ...pages.map(({ states }) => states))}
                  />
                  {people.error !== null && (
                    <ErrorState error={people.error} onRetry={() => void people.refetch()} />
                  )}
                  {people.data?.is_cut === true && (
                    <p class="quiet">Only part of the conversation with your team is shown here.</p>
                  )}
                  <Survey metrics={conversation.metrics} />
                  {query.hasNextPage && (
                    <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                      More turns
                    </Button>
                  )}
                </Card>
                <LifeCard path={path} suffix={suffix} />
              </div>
              <div class="conversation-side">
                <About conversation={conversation} requests={people.data?.requests ?? []} />
                <TechnicalDetails>
                  <DescriptionList
                    items={[
                      ['Conversation', <code key="id">{id}</code>],
                      ['Session', session !== null && <code key="session">{session.id}</code>],
                      ['Environment', conversation.clientEnv],
                      ['Reason of the hand-off', conversation.handoffReason],
                      ...(session === null ? [] : listVariables(session.state)),
                    ]}
                  />
                </TechnicalDetails>
              </div>
            </div>
          );
        }}
      </QueryView>
      {isErasing && (
        <ConfirmDialog
          title="Erase this conversation?"
          confirmLabel="Erase permanently"
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

/** The visitor's answers to the survey. */
function Survey({ metrics = {} }: { metrics: ConversationDetail['metrics'] }): VNode | null {
  const score = metrics['CSAT_SCORE'];
  const comment = metrics['CSAT_COMMENT'];
  if (score === undefined) return null;
  return (
    <div class="turn-survey">
      <small>Survey</small>
      <p>
        <Badge tone={Number(score) >= 4 ? 'good' : 'neutral'}>{score} of 5</Badge>
      </p>
      {comment !== undefined && <p dir="auto">{comment}</p>}
    </div>
  );
}

function About({
  conversation,
  requests,
}: {
  conversation: ConversationDetail;
  requests: PeoplePart['requests'];
}): VNode {
  const { startedAt, finishedAt, totalDuration, metrics = {}, audioUrl } = conversation;
  const score = metrics['CSAT_SCORE'];
  return (
    <Card title="About">
      <DescriptionList
        items={[
          ['Began', startedAt && <Time at={startedAt} />],
          ['Ended', finishedAt ? <Time key="ended" at={finishedAt} /> : 'still open'],
          ['Duration', totalDuration === undefined ? '' : formatSeconds(totalDuration)],
          ['Channel', nameOfChannel(conversation.channel ?? '')],
          ['Language', nameOfLanguage(conversation.language ?? '')],
          ['Variant', conversation.variantId],
          ['Hand-off', conversation.handoff ? 'yes' : 'no'],
          ['Survey', score === undefined ? '' : `${score} of 5`],
          ['Summary', conversation.shortSummary],
          [
            'People',
            requests.length > 0 && (
              <ul key="people" class="conversation-people">
                {requests.map(({ id, queue_name: queue, person_name: name }) => (
                  <li key={id}>
                    {hasDesk.value ? (
                      <a href={`${hrefOf('/desk')}#request=${encodeURIComponent(id)}`}>{name ?? queue}</a>
                    ) : (
                      (name ?? queue)
                    )}
                    {name !== null && <small> {queue}</small>}
                  </li>
                ))}
              </ul>
            ),
          ],
          [
            'Tags',
            [...new Set([...(conversation.tags ?? []), ...requests.flatMap(({ tags }) => tags)])].join(', '),
          ],
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
