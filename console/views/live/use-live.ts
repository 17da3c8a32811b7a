import { useEffect, useState } from 'preact/hooks';
import { CallError, callConsole } from '../../call-platform.ts';
import { endSession } from '../../session.ts';
import type { Entry } from '../desk/desk-types.ts';
import type { LiveList } from './live-types.ts';

/** State of a live page, from the events received so far. */
export interface Live {
  /** Null: nothing yet. */
  readonly list: LiveList | null;
  readonly entries: readonly Entry[];
  /** The typing person's name; empty: none. */
  readonly typing: string;
  /** `resting`: the person has opened too many pages, and this one was closed. */
  readonly status: 'connected' | 'lost' | 'resting';
  /** Opens the stream again. */
  readonly goOn: () => void;
}

/** Who types: nothing of the log says so. */
interface Typing {
  readonly author: 'visitor' | 'person';
  readonly name: string;
  readonly is_typing: boolean;
}

const RETRY_MS = 2_000;

/** Follows the open conversations that a query asks for, and the log of the one that it names, while the view is there. */
export function useLive(query: string): Live {
  const [list, setList] = useState<LiveList | null>(null);
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [typing, setTyping] = useState('');
  const [status, setStatus] = useState<Live['status']>('connected');
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round opens it again
  useEffect(() => {
    setEntries([]);
    setTyping('');
    setStatus('connected');
    const source = new EventSource(`/console/api/live?${query}`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    source.onopen = () => setStatus('connected');
    source.onerror = () => {
      setStatus('lost');
      // The platform has rejected it, so the browser does not reconnect.
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => void askWhy().then(() => setRound((before) => before + 1)), RETRY_MS);
    };
    source.addEventListener('closed', (event) => {
      if (JSON.parse(event.data).reason !== 'too_many_streams') return;
      source.close();
      setStatus('resting');
    });
    source.addEventListener('list', (event) => setList(JSON.parse(event.data)));
    source.addEventListener('entry', (event) => {
      const entry: Entry = JSON.parse(event.data);
      // The typing event expires, because the end of typing may be lost.
      setTyping('');
      setEntries((before) =>
        entry.sequence <= (before.at(-1)?.sequence ?? 0) ? before : [...before, entry],
      );
    });
    source.addEventListener('typing', (event) => {
      const { author, name, is_typing }: Typing = JSON.parse(event.data);
      setTyping(is_typing ? `${author === 'visitor' ? 'The visitor' : name} is typing …` : '');
    });
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [query, round]);
  return { list, entries, typing, status, goOn: () => setRound((before) => before + 1) };
}

/** An event source hides the reason for a rejection: a sign-in that is over ends the session. */
async function askWhy(): Promise<void> {
  try {
    await callConsole('GET', '/me');
  } catch (error) {
    if (error instanceof CallError && error.status === 401) endSession();
  }
}
