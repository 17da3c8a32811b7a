import type { VNode } from 'preact';
import { lastDone, markContact } from './desk-model.ts';
import type { ContactRequest } from './desk-types.ts';

/** The contact requests to answer by email, oldest first. Renders nothing if there are none. */
export function MessagesLeft({ requests }: { requests: readonly ContactRequest[] }): VNode | null {
  const done = lastDone.value;
  if (requests.length === 0 && done === null) return null;
  return (
    <section aria-label="Messages left">
      <h2>Messages left</h2>
      {requests.length === 0 && <p class="quiet">All messages are done.</p>}
      <ul>
        {requests.map((request) => (
          <li key={request.id} class="left">
            <strong>{request.name || request.email}</strong>
            <small class="quiet">
              {new Date(request.created_at).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' })} ·{' '}
              {request.project}
            </small>
            <p>{request.text}</p>
            <a href={`mailto:${encodeURIComponent(request.email).replace('%40', '@')}`}>{request.email}</a>
            <button
              type="button"
              aria-label={`Done: ${request.name || request.email}`}
              onClick={() => void markContact(request, true)}
            >
              Done
            </button>
          </li>
        ))}
      </ul>
      {done !== null && (
        <p class="undo">
          <span class="grow">Done: {done.name || done.email}</span>
          <button type="button" onClick={() => void markContact(done, false)}>
            Undo
          </button>
        </p>
      )}
    </section>
  );
}
