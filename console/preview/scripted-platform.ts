const PATH = '/console/preview-proxy';
const SOCKET = '/console/preview-socket';
const DAY_SECONDS = 86_400;

/** Where the widget finds the scripted platform. */
export const SCRIPTED_ENDPOINT: string = location.origin + PATH;

const GREETING = 'Hello! I am a scripted agent: I answer so that you see how answers look.';
const ANSWER = `This is what an answer looks like:

- **bold**, *italic*, \`code\`
- a [link](https://example.com)

| Day | Opens |
|---|---|
| Monday | 09:00 |
| Saturday | 10:00 |`;
const SUGGESTIONS = ['When are you open?', 'Show me an answer', 'Can I speak to a person?'];

type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

/** A socket that never leaves the page: it greets, and answers every message with the same text. */
class ScriptedSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;
  readonly url: string;
  readonly protocol = '';
  readonly extensions = '';
  readonly bufferedAmount = 0;
  binaryType: BinaryType = 'blob';
  readyState = 0;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;

  constructor(url: string | URL) {
    super();
    this.url = String(url);
    setTimeout(() => {
      if (this.readyState !== 0) return;
      this.readyState = 1;
      this.#emit(new Event('open'));
      this.#open();
    }, 50);
  }

  send(text: string): void {
    const frame: Frame = JSON.parse(text);
    if (frame.type === 'EVENT_TYPE_HEARTBEAT') this.#tell({ type: frame.type, payload: {} });
    if (frame.type === 'EVENT_TYPE_REQUEST_AGENT_JOIN') this.#join(frame);
    if (frame.type === 'EVENT_TYPE_USER_MESSAGE') this.#answer(frame);
    if (frame.type === 'EVENT_TYPE_USER_END_SESSION') {
      this.#record({ type: 'EVENT_TYPE_SESSION_END', payload: {} });
      this.close();
    }
  }

  close(code = 1000): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    setTimeout(() => this.#emit(new CloseEvent('close', { code, wasClean: true })));
  }

  #open(): void {
    if (log.length === 0)
      record({
        type: 'EVENT_TYPE_SESSION_START',
        payload: {
          capabilities: { streaming: true, max_message_size_bytes: 131_072, heartbeat_interval_seconds: 30 },
        },
      });
    this.#tell({
      type: 'EVENT_TYPE_EVENT_BATCH',
      payload: { events: log, has_more: false, last_sequence: log.length },
    });
  }

  #join(frame: Frame): void {
    this.#record(frame);
    this.#record({ type: 'EVENT_TYPE_AGENT_JOINED', payload: { agent_name: 'Assistant' } });
    this.#say(GREETING, SUGGESTIONS);
  }

  #answer(frame: Frame): void {
    const payload = { ...(frame['payload'] as object), message_id: crypto.randomUUID() };
    this.#record({ ...frame, payload });
    this.#tell({ type: 'EVENT_TYPE_AGENT_THINKING', payload: {} });
    setTimeout(() => this.#say(ANSWER, SUGGESTIONS.slice(0, 1)), 600);
  }

  /** Sends a text in pieces, as an agent does. */
  #say(text: string, suggestions: readonly string[]): void {
    const pieces = text.match(/\S+\s*/g) ?? [];
    const messageId = crypto.randomUUID();
    pieces.forEach((piece, index) => {
      const isLast = index === pieces.length - 1;
      this.#record({
        type: 'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
        payload: {
          message_id: messageId,
          text: piece,
          attachments: [],
          response_suggestions: isLast ? suggestions.map((message_text) => ({ message_text })) : [],
          chunk_index: index + 1,
          is_complete: isLast,
          chat_call_actions: [],
          end_conversation: false,
        },
      });
    });
  }

  #record(frame: Frame): void {
    this.#tell(record(frame));
  }

  #tell(frame: Frame): void {
    const data = JSON.stringify({ id: crypto.randomUUID(), timestamp: new Date().toISOString(), ...frame });
    if (this.readyState === 1) this.#emit(new MessageEvent('message', { data }));
  }

  #emit(event: Event): void {
    this.dispatchEvent(event);
    if (event instanceof MessageEvent) this.onmessage?.(event);
    else if (event instanceof CloseEvent) this.onclose?.(event);
    else this.onopen?.(event);
  }
}

const log: Frame[] = [];

function record(frame: Frame): Frame {
  const recorded = {
    ...frame,
    id: crypto.randomUUID(),
    sequence: log.length + 1,
    timestamp: new Date().toISOString(),
  };
  log.push(recorded);
  return recorded;
}

const grant = (): Response => {
  log.length = 0;
  return Response.json({
    session_id: crypto.randomUUID(),
    access_token: 'none',
    expires_at: new Date(Date.now() + DAY_SECONDS * 1_000).toISOString(),
    expires_in_seconds: DAY_SECONDS,
    websocket_url: location.origin.replace(/^http/, 'ws') + SOCKET,
    resume_by: 'ticket',
    resume_ticket: crypto.randomUUID(),
    offers: ['feedback', 'contact', 'files'],
  });
};

/** Replaces the network by the scripted platform, for the addresses that lead to it. */
export function startScriptedPlatform(): void {
  const { fetch: outside, WebSocket: OutsideSocket } = globalThis;
  globalThis.fetch = async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, location.href);
    if (!address.pathname.startsWith(PATH)) return await outside(input, init);
    if (address.pathname.endsWith('/session')) return grant();
    // Every page of the preview begins a new conversation.
    if (address.pathname.endsWith('/resume'))
      return Response.json({ code: 'RESUME_TICKET_INVALID', message: '', retryable: false }, { status: 410 });
    return Response.json({ status: 'accepted' });
  };
  const choose = (url: string | URL, protocols?: string | string[]): object =>
    new URL(url, location.href).pathname === SOCKET
      ? new ScriptedSocket(url)
      : new OutsideSocket(url, protocols);
  globalThis.WebSocket = new Proxy(OutsideSocket, {
    construct: (_, [url, protocols]) => choose(url, protocols),
  });
}
