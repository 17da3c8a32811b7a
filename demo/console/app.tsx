import type { VNode } from 'preact';
import { Conversation } from './conversation.tsx';
import {
  announcement,
  inbox,
  isAtRest,
  isConnected,
  listen,
  me,
  problem,
  selectedId,
  setPresence,
  signOut,
} from './desk-model.ts';
import { InboxList } from './inbox-list.tsx';
import { SidePanel } from './side-panel.tsx';
import { SignIn } from './sign-in.tsx';

/** The desk, or its door. */
export function App(): VNode {
  const person = me.value;
  if (person === undefined) return <p class="quiet center">{problem.value ?? 'Loading …'}</p>;
  if (person === null) return <SignIn />;
  const isAvailable = person.presence === 'available';
  return (
    <div class="desk" data-shows={selectedId.value === null ? 'list' : 'conversation'}>
      <header class="bar">
        <h1>Desk</h1>
        <button
          type="button"
          class="presence"
          role="switch"
          aria-checked={isAvailable}
          onClick={() => void setPresence(isAvailable ? 'away' : 'available')}
        >
          <span class="dot" data-presence={person.presence} />
          {isAvailable ? 'Available' : 'Away'}
        </button>
        <span class="who">{person.name}</span>
        <button type="button" class="plain" onClick={() => void signOut()}>
          Sign out
        </button>
      </header>
      {!isConnected.value && (
        <p class="banner" role="status">
          The connection is lost; the desk comes back by itself.
        </p>
      )}
      {isAtRest.value && (
        <p class="banner" role="alert">
          The desk is open in more than five windows, so this one shows nothing new.
          <button type="button" class="plain" onClick={listen}>
            Go on here
          </button>
        </p>
      )}
      {problem.value !== null && (
        <p class="banner" role="alert">
          {problem.value}
          <button type="button" class="plain" onClick={() => (problem.value = null)}>
            Dismiss
          </button>
        </p>
      )}
      <p class="unseen" aria-live="polite">
        {announcement.value}
      </p>
      {inbox.value === null ? (
        <p class="quiet center">Loading …</p>
      ) : (
        <div class="columns">
          <InboxList inbox={inbox.value} />
          <Conversation />
          {selectedId.value !== null && <SidePanel />}
        </div>
      )}
    </div>
  );
}
