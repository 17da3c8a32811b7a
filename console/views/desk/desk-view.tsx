import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { deskWaiting, me } from '../../session.ts';
import { LoadingState } from '../../ui/index.ts';
import { Conversation } from './conversation.tsx';
import './desk.css';
import './presence.css';
import {
  inbox,
  isAtRest,
  isConnected,
  listen,
  problem,
  select,
  selectedId,
  setPresence,
  startDesk,
} from './desk-model.ts';
import { InboxList } from './inbox-list.tsx';
import { SidePanel } from './side-panel.tsx';

/** Where people of the account take conversations over and answer. */
export function DeskView(): VNode {
  useEffect(() => {
    const wanted = new URLSearchParams(location.hash.slice(1)).get('request');
    if (wanted !== null && wanted !== selectedId.value) select(wanted);
    else startDesk();
  }, []);
  const waiting = deskWaiting.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a signal of another module
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) Desk – Natter` : 'Desk – Natter';
  }, [waiting]);
  const isAvailable = me.value?.presence === 'available';
  return (
    <div class="desk" data-shows={selectedId.value === null ? 'list' : 'conversation'}>
      <header class="bar">
        <h1 class="grow">Desk</h1>
        <button
          type="button"
          class="presence"
          role="switch"
          aria-checked={isAvailable}
          onClick={() => void setPresence(isAvailable ? 'away' : 'available')}
        >
          <span class="track" />
          Available
        </button>
      </header>
      {!isConnected.value && (
        <p class="banner" role="status">
          Connection lost. The desk reconnects automatically.
        </p>
      )}
      {isAtRest.value && (
        <p class="banner" role="alert">
          The desk is open in more than five windows, so this one is paused.
          <button type="button" class="plain" onClick={listen}>
            Continue here
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
      {inbox.value === null ? (
        <LoadingState />
      ) : (
        <div class="columns">
          <InboxList shown={inbox.value} />
          <Conversation />
          {selectedId.value !== null && <SidePanel />}
        </div>
      )}
    </div>
  );
}
