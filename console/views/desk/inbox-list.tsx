import type { ComponentChildren, VNode } from 'preact';
import { me } from '../../session.ts';
import { nameOfLanguage, shortFormat } from '../../ui/index.ts';
import { accept, draftIds, inbox, isOffer, onRequest, select, selectedId, take } from './desk-model.ts';
import type { DeskRequest, Inbox } from './desk-types.ts';
import { MessagesLeft } from './messages-left.tsx';
import { Presence } from './presence.tsx';

/** Offers, the person's conversations, waiting requests, and present people. */
export function InboxList({ shown }: { shown: Inbox }): VNode {
  const { requests, recent, people, queues } = shown;
  const offers = requests.filter(isOffer);
  const mine = requests.filter(isMine);
  const others = requests.filter((request) => !offers.includes(request) && !mine.includes(request));
  const waiting = others.filter(({ status }) => status !== 'accepted');
  const elsewhere = others.filter(({ status }) => status === 'accepted');
  return (
    <nav class="list" aria-label="Conversations">
      {me.value?.presence === 'away' && (
        <p class="quiet">
          You’re away and get no new requests. Switch to <strong>Available</strong> to receive them.
        </p>
      )}
      {offers.map((request) => (
        <section key={request.id} class="offer" aria-label="Offer">
          <h2>New chat: {request.queue_name}</h2>
          {questionOf(request) !== '' && <p dir="auto">{questionOf(request)}</p>}
          <p class="quiet">
            <Presence request={request} /> · {summarise(request)}
          </p>
          <button
            type="button"
            class="main"
            aria-description={titleOf(request)}
            onClick={() => void accept(request.id)}
          >
            Accept
          </button>
          <button
            type="button"
            aria-description={titleOf(request)}
            onClick={() => void onRequest('decline', {}, request.id)}
          >
            Decline
          </button>
        </section>
      ))}
      <Group title="Mine" empty="You have no conversations.">
        {mine.map((request) => (
          <Row key={request.id} request={request} />
        ))}
      </Group>
      <Group title="Waiting" empty="No one is waiting.">
        {waiting.map((request) => (
          <Row key={request.id} request={request}>
            <button type="button" aria-description={titleOf(request)} onClick={() => void take(request.id)}>
              Take
            </button>
          </Row>
        ))}
      </Group>
      {elsewhere.length > 0 && (
        <Group title="With others">
          {elsewhere.map((request) => (
            <Row key={request.id} request={request}>
              <button type="button" aria-description={titleOf(request)} onClick={() => void take(request.id)}>
                Take over
              </button>
            </Row>
          ))}
        </Group>
      )}
      <MessagesLeft requests={shown.contact_requests} />
      {recent.length > 0 && (
        <Group title="Recent">
          {recent.map((request) => (
            <Row key={request.id} request={request} />
          ))}
        </Group>
      )}
      {me.value?.role !== 'agent' && (
        <>
          <Group title="People">
            {people.map(({ id: key, name, presence, load, capacity }) => (
              <li key={key} class="person">
                <span class="dot" data-presence={presence} />
                <span class="grow">{name}</span>
                <span class="quiet">
                  {presence}, {load} of {capacity}
                </span>
              </li>
            ))}
          </Group>
          <Group title="Queues">
            {queues.map(({ id: key, name, is_open: isOpen, waiting: count }) => (
              <li key={key} class="person">
                <span class="grow">{name}</span>
                <span class="quiet">{isOpen ? `${count} waiting` : 'closed'}</span>
              </li>
            ))}
          </Group>
        </>
      )}
    </nav>
  );
}

function Group({
  title,
  empty,
  children,
}: {
  title: string;
  empty?: string;
  children: ComponentChildren[] | ComponentChildren;
}): VNode {
  const isEmpty = Array.isArray(children) && children.length === 0;
  return (
    <section>
      <h2>{title}</h2>
      {isEmpty ? <p class="quiet">{empty}</p> : <ul>{children}</ul>}
    </section>
  );
}

function Row({ request, children }: { request: DeskRequest; children?: ComponentChildren }): VNode {
  const { id } = request;
  const unread = isMine(request) ? request.unread : 0;
  return (
    <li class="row">
      <button type="button" class="open" aria-current={selectedId.value === id} onClick={() => select(id)}>
        <span class="grow">
          <strong dir="auto">{titleOf(request)}</strong>
          <small>
            {draftIds.value.has(id) && <span class="draft">Draft · </span>}
            <Presence request={request} /> {request.visitor !== null && '· '}
            {summarise(request, questionOf(request) && request.queue_name)}
          </small>
        </span>
        {unread > 0 && <span class="count">{unread} unanswered</span>}
      </button>
      {children}
    </li>
  );
}

const isMine = ({ status, person_id: id }: DeskRequest): boolean =>
  status === 'accepted' && id === me.value?.id;

const questionOf = ({ conversation_id: id }: DeskRequest): string => inbox.value?.questions[id] ?? '';

/** The visitor's question, or the queue's name before there is one. */
const titleOf = (request: DeskRequest): string => questionOf(request) || request.queue_name;

/** The time is first, because a row is cut at its end. */
function summarise(request: DeskRequest, queue = ''): string {
  const { person_name: name, status, language, requested_at: at, tags } = request;
  const time = new Date(at).toLocaleString([], shortFormat(at, Date.now()));
  return [
    time,
    queue,
    language && nameOfLanguage(language),
    status === 'accepted' && !isMine(request) ? name : null,
    ...tags,
  ]
    .filter(Boolean)
    .join(' · ');
}
