import { computed, signal } from '@preact/signals';
import { CallError, callDesk } from '../../call-platform.ts';
import { announcement, deskWaiting, endSession, type Me, me, onSignedOut } from '../../session.ts';
import { showToast } from '../../ui/index.ts';
import type {
  ContactRequest,
  DeskRequest,
  Details,
  Entry,
  Inbox,
  Replies,
  Reply,
  TransferTarget,
} from './desk-types.ts';
import { type Draft, type Drafts, hasContent, keepDrafts, NO_DRAFT } from './drafts.ts';
import { listUnsent } from './list-unsent.ts';
import { clearOutbox, enqueue, outbox, RETRY_MS } from './outbox.ts';
import { readTranscript } from './read-transcript.ts';

// As the platform takes them.
const MAX_FILE_BYTES = 5_242_880;

export const inbox = signal<Inbox | null>(null);
export const selectedId = signal<string | null>(null);
export const details = signal<Details | null>(null);
export const replies = signal<readonly Reply[]>([]);
export const isTyping = signal(false);
export const isConnected = signal(true);
/** Whether the platform has closed this desk because the person has opened too many. */
export const isAtRest = signal(false);
/** The last error, until the next success. */
export const problem = signal<string | null>(null);
/** The visitor's message that was marked as done last, so that this can be undone. */
export const lastDone = signal<ContactRequest | null>(null);
/** Where the conversation has gone that was shown last; null: it is shown, or none was. */
export const gone = signal<Gone | null>(null);
const entries = signal<readonly Entry[]>([]);
const drafts = signal<Drafts>({});

export const lines = computed(() => readTranscript(entries.value));
export const unsent = computed(() =>
  listUnsent(outbox.value, entries.value, selectedId.value, me.value?.id ?? null),
);
/** The request that is shown: while it is open from the inbox, then as it was. */
export const selected = computed<DeskRequest | null>(() => {
  const id = selectedId.value;
  const known = inbox.value;
  if (id === null || known === null) return null;
  const inInbox = [...known.requests, ...known.recent].find((request) => request.id === id);
  return inInbox ?? (details.value?.request.id === id ? details.value.request : null);
});
export const isMine = computed(
  () => selected.value?.status === 'accepted' && selected.value.person_id === me.value?.id,
);

/** The draft of the conversation that is shown. */
export const draft = computed<Draft>(() => drafts.value[selectedId.value ?? ''] ?? NO_DRAFT);

/** The requests with a draft, except for the one that is shown. */
export const draftIds = computed<ReadonlySet<string>>(
  () =>
    new Set(
      Object.entries(drafts.value).flatMap(([id, each]) =>
        hasContent(each) && id !== selectedId.value ? [id] : [],
      ),
    ),
);

/** Where a conversation is now that was open here. */
export interface Gone {
  readonly title: string;
  readonly next: string;
}

let stream: EventSource | null = null;
/** The conversation that the person passes on: the list may lack it before the platform's answer has come. */
let passedId: string | null = null;

/** Shows the desk as it changes, from now until the person signs out: while it is open, the person is there. */
export function startDesk(): void {
  if (stream === null) listen();
}

/** Shows a conversation; null: none. */
export function select(id: string | null, where: Gone | null = null): void {
  gone.value = where;
  if (where !== null) announcement.value = where.title;
  // Its transcript stays where the person reads; who has just taken it may see more beside it.
  if (id !== null && id === selectedId.value) {
    void loadDetails();
    return;
  }
  selectedId.value = id;
  history.replaceState(null, '', id === null ? '#' : `#request=${id}`);
  details.value = null;
  // Discard them, because they name the visitor.
  replies.value = [];
  entries.value = [];
  isTyping.value = false;
  listen();
  void loadDetails();
}

/** Runs an action for the request that is shown, or for another one. */
export async function onRequest(name: string, body: object = {}, id = selectedId.value): Promise<boolean> {
  return await act(() => callDesk('POST', `/requests/${id}/${name}`, body));
}

/** Passes the conversation that is shown on: it is closed here, and the page says where it went. */
export async function transfer(target: TransferTarget, note: string): Promise<void> {
  const queue = selected.value?.queue_name ?? '';
  const id = selectedId.value;
  passedId = id;
  const field = target.kind === 'person' ? 'person_id' : 'queue_id';
  const isPassed = await onRequest('transfer', { [field]: target.id, ...(note !== '' && { note }) });
  passedId = null;
  if (!isPassed || selectedId.value !== id) return;
  const next =
    target.kind === 'person'
      ? `Offered to ${target.name}. Without an answer it returns to the queue ${queue}.`
      : 'Offered to the next available agent in the queue.';
  select(null, { title: `You transferred the conversation to ${target.name}`, next });
}

/** Returns the open conversation to the automated agent, with a summary for it. */
export async function returnToAgent(summary: string): Promise<void> {
  await onRequest('return', summary === '' ? {} : { summary });
}

export async function setPresence(presence: Me['presence']): Promise<void> {
  await act(() => callDesk('POST', '/presence', { presence }));
}

/** Marks a visitor's message as done or open. */
export async function markContact(request: ContactRequest, done: boolean): Promise<void> {
  const isMarked = await act(() => callDesk('PUT', `/contact-requests/${request.id}/done`, { done }));
  if (!isMarked) return;
  lastDone.value = done ? request : null;
  announcement.value = `The message from ${request.email} is ${done ? 'done' : 'open again'}`;
}

export async function accept(id: string): Promise<void> {
  if (await onRequest('accept', {}, id)) select(id);
}

export async function take(id: string): Promise<void> {
  if (await onRequest('take', {}, id)) select(id);
}

/** Changes the draft of a conversation, by default the one that is shown. */
export function writeDraft(fields: Partial<Draft>, id = selectedId.value): void {
  if (id !== null) drafts.value = { ...drafts.value, [id]: { ...(drafts.value[id] ?? NO_DRAFT), ...fields } };
}

/** Adds the draft as a private note; the draft stays when the platform does not store it. */
export async function addNote(): Promise<void> {
  const id = selectedId.value;
  if (await onRequest('notes', { text: draft.value.note.trim() })) {
    writeDraft({ note: '', kind: 'reply' }, id);
    announcement.value = 'Note added';
  }
  await loadDetails();
}

export async function setTags(tags: readonly string[]): Promise<void> {
  if (await act(() => callDesk('PUT', `/requests/${selectedId.value}/tags`, { tags })))
    showToast(tags.length === 0 ? 'Tags removed' : `Tags saved: ${tags.join(', ')}`);
  await loadDetails();
}

/** Sends the draft as a reply, and then each of its files. */
export function send(): void {
  const requestId = selectedId.value;
  const { reply: text, files } = draft.value;
  if (requestId === null) return;
  if (text.trim() === '' && files.length === 0) return;
  writeDraft({ reply: '', files: [] });
  enqueue(requestId, text, files, entries.value.at(-1)?.sequence ?? 0);
}

/** Adds files to the draft of the conversation that is shown, but for those that are too large. */
export function addFiles(files: Iterable<File>): void {
  const given = [...files];
  const tooLarge = given.filter(({ size }) => size > MAX_FILE_BYTES);
  writeDraft({ files: [...draft.value.files, ...given.filter((file) => !tooLarge.includes(file))] });
  if (tooLarge.length > 0) problem.value = `${tooLarge[0]?.name} is larger than 5 MB.`;
}

async function act(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    problem.value = null;
    return true;
  } catch (error) {
    problem.value = error instanceof Error ? error.message : String(error);
    if (error instanceof CallError && error.status === 401) endSession();
    return false;
  }
}

onSignedOut(() => {
  stream?.close();
  stream = null;
  inbox.value = null;
  selectedId.value = null;
  clearOutbox();
  drafts.value = {};
  lastDone.value = null;
  gone.value = null;
});

async function loadDetails(): Promise<void> {
  const id = selectedId.value;
  if (id === null) return;
  await act(async () => {
    const [loaded, canned] = await Promise.all([
      callDesk<Details>('GET', `/requests/${id}`),
      callDesk<Replies>('GET', `/replies?request_id=${id}`),
    ]);
    if (selectedId.value !== id) return;
    details.value = loaded;
    replies.value = canned.replies;
  });
}

/** Opens the stream; it reconnects automatically, with its place in the log. */
export function listen(): void {
  stream?.close();
  isAtRest.value = false;
  const id = selectedId.value;
  const last = entries.value.at(-1)?.sequence ?? 0;
  const opened = new EventSource(`/desk/api/stream${id === null ? '' : `?request_id=${id}&after=${last}`}`);
  stream = opened;
  opened.onopen = () => {
    isConnected.value = true;
  };
  opened.onerror = () => {
    isConnected.value = false;
    if (opened.readyState === EventSource.CLOSED && stream === opened) fail(null, () => void comeBack(id));
  };
  opened.addEventListener('closed', (event) => {
    if (JSON.parse(event.data).reason !== 'too_many_streams') return;
    opened.close();
    isAtRest.value = true;
  });
  opened.addEventListener('inbox', (event) => takeInbox(JSON.parse(event.data)));
  opened.addEventListener('typing', (event) => {
    isTyping.value = JSON.parse(event.data).is_typing;
  });
  opened.addEventListener('entry', (event) => takeEntry(JSON.parse(event.data)));
}

/** The platform refused the stream: the sign-in is over, or the conversation belongs to another person by now. */
async function comeBack(id: string | null): Promise<void> {
  try {
    await callDesk('GET', '/me');
  } catch (error) {
    if (error instanceof CallError && error.status === 401) endSession();
    else fail(error, () => void comeBack(id));
    return;
  }
  if (id !== null && selectedId.value === id) {
    const isOpen = await callDesk('GET', `/requests/${id}`).then(
      () => true,
      () => false,
    );
    if (!isOpen) {
      select(null);
      return;
    }
  }
  listen();
}

function fail(error: unknown, again: () => void): void {
  if (error instanceof Error) problem.value = error.message;
  setTimeout(again, RETRY_MS);
}

function takeInbox(next: Inbox): void {
  const shown = [...next.requests, ...next.recent].find(({ id }) => id === selectedId.value);
  const isListed = shown !== undefined;
  // With a message the page says where the visitor is now.
  const hasWritten = shown !== undefined && shown.unread > (selected.value?.unread ?? 0);
  const isTaken = isMine.value && !isListed && selectedId.value !== passedId;
  const known = new Set(inbox.value?.requests.filter(isOffer).map(({ id }) => id));
  const offer = next.requests.find((request) => isOffer(request) && !known.has(request.id));
  if (offer !== undefined) announcement.value = `New offer from the queue ${offer.queue_name}`;
  inbox.value = next;
  if (hasWritten) void loadDetails();
  if (isTaken)
    select(null, {
      title: 'Another agent has this conversation now',
      next: 'A supervisor took it over, or your desk was disconnected for too long.',
    });
  drafts.value = keepDrafts(drafts.value, next, { personId: next.me.id, shownId: selectedId.value });
  if (me.value) me.value = { ...me.value, ...next.me };
  deskWaiting.value = next.requests.filter((request) => isOffer(request) || request.unread > 0).length;
}

/** Whether a request is offered to the person who is signed in. */
export function isOffer({ status, person_id: personId }: DeskRequest): boolean {
  return status === 'offered' && personId === me.value?.id;
}

function takeEntry(entry: Entry): void {
  if (entry.sequence <= (entries.value.at(-1)?.sequence ?? 0)) return;
  entries.value = [...entries.value, entry];
  // The answer of the survey comes before the end.
  if (entry.type === 'SESSION_END') void loadDetails();
  if (entry.type !== 'USER_MESSAGE') return;
  isTyping.value = false;
  announcement.value = `Visitor: ${String(entry.payload['text'])}`;
}
