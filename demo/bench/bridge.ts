/**
 * Runs in every page that the test bench shows, before the page's own scripts: reports to the bench frames and events
 * of the widget, and carries out the bench's calls. A classic script without imports, because pages that tamper
 * with the language come after it.
 */
(() => {
  type Command = (...values: readonly unknown[]) => unknown;
  interface Widget extends Readonly<Record<string, unknown>> {
    on(event: string, handler: (detail: unknown) => void): void;
  }
  interface Call {
    readonly bench: 'call';
    readonly id: number;
    readonly name: string;
    readonly values: readonly unknown[];
  }

  const EVENTS = ['ready', 'open', 'close', 'send', 'message', 'unread', 'end', 'error'].concat([
    'connection',
    'session',
    'context',
  ]);
  /** Sheets come with parts of the widget that are loaded late. */
  const MEDIA_CHECK_MS = 300;
  const NO_WIDGET = 'The page has no widget. Reload to get it back.';
  const bench = window.parent;
  if (bench === window) return;
  const post = (message: object): void => bench.postMessage(message, '*');
  const nativeMatchMedia = window.matchMedia.bind(window);

  /** The widget, also in a page with an element of that name. */
  function findWidget(): Widget | null {
    const widget: unknown = Object.hasOwn(window, 'Natter') ? Reflect.get(window, 'Natter') : null;
    return typeof widget === 'object' ? (widget as Widget | null) : null;
  }

  // Media features that are taken as true, such as `(prefers-reduced-motion: reduce)`.
  let assumed: readonly string[] = [];
  const original = new Map<CSSMediaRule, string>();
  let mediaTimer: ReturnType<typeof setInterval> | undefined;

  const assume = (query: string): string => assumed.reduce((text, one) => text.replace(one, 'all'), query);

  function changeRules(rules: CSSRuleList): void {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule) {
        const query = original.get(rule) ?? rule.media.mediaText;
        original.set(rule, query);
        const wanted = assume(query);
        if (rule.media.mediaText !== wanted) rule.media.mediaText = wanted;
      }
      if (rule instanceof CSSGroupingRule) changeRules(rule.cssRules);
    }
  }

  function changeSheets(): void {
    const shadow = document.documentElement.querySelector('natter-chat')?.shadowRoot;
    for (const sheet of [...(shadow?.adoptedStyleSheets ?? []), ...(shadow?.styleSheets ?? [])])
      changeRules(sheet.cssRules);
  }

  const NativeSocket = window.WebSocket;
  const nativeFetch = window.fetch.bind(window);
  /** The widget's latest socket. */
  let socket: WebSocket | null = null;
  /** Sockets of the same session that block further ones. */
  let fillers: readonly WebSocket[] = [];
  window.WebSocket = new Proxy(NativeSocket, {
    construct: (target, [url, protocols]: [string | URL, string | string[] | undefined]) => {
      const made = new target(url, protocols);
      // The development server names a protocol; the widget names none.
      if (protocols === undefined) socket = made;
      return made;
    },
  });
  const requireSocket = (): WebSocket => {
    if (socket?.readyState === NativeSocket.OPEN) return socket;
    throw new Error('The widget has no open socket. Open the chat and try again.');
  };
  const note = (text: string): void =>
    post({ bench: 'frame', frame: { direction: 'local', atMs: Date.now(), text } });

  /** The response to set-up calls to the token proxy; null passes them through. */
  let setupFault: { readonly status: number; readonly code: string } | null = null;
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    if (setupFault === null || !/\/(?:session|resume)$/.test(pathname)) return await nativeFetch(input, init);
    const { status, code } = setupFault;
    const retryable = status !== 401;
    const body = { code, message: 'Simulated by the test bench.', retryable, correlation_id: 'test-bench' };
    note(`set-up answered by the test bench: ${status} ${code}`);
    return status === 429
      ? Response.json({ ...body, retry_after_seconds: 10 }, { status, headers: { 'Retry-After': '10' } })
      : Response.json(body, { status });
  };
  const SETUP_CODES: Readonly<Record<string, string>> = {
    401: 'SESSION_REFUSED',
    429: 'RATE_LIMITED',
    500: 'INTERNAL',
  };
  const MAX_SOCKETS = 10;
  const openFiller = (url: string): Promise<WebSocket> =>
    new Promise((resolve) => {
      const filler = new NativeSocket(url);
      filler.addEventListener('open', () => resolve(filler));
      filler.addEventListener('close', () => resolve(filler));
    });

  const own: Readonly<Record<string, Command>> = {
    /** Sends any text on the widget's socket. */
    sendFrame(text) {
      const value = String(text);
      requireSocket().send(value);
      note(`sent by hand: ${value.length > 500 ? `${value.length} characters` : value}`);
    },
    /** Gives the widget a text as if the platform had sent it. */
    receiveFrame(text) {
      requireSocket().dispatchEvent(new MessageEvent('message', { data: String(text) }));
    },
    /** Answers the set-up from now on: 401, 429 or 500; any other value ends that. */
    failSetup(status) {
      const code = SETUP_CODES[String(status)];
      setupFault = code === undefined ? null : { status: Number(status), code };
    },
    /** Opens every socket that the session may have, so that the widget's next one is the eleventh. */
    async fillSockets() {
      const { url } = requireSocket();
      const others = Array.from({ length: MAX_SOCKETS - 1 }, () => openFiller(url));
      fillers = [...fillers, ...(await Promise.all(others))];
      const own = requireSocket();
      const isClosed = new Promise((resolve) => own.addEventListener('close', resolve));
      own.close(4_002);
      await isClosed;
      fillers = [...fillers, await openFiller(url)];
      const count = fillers.filter(({ readyState }) => readyState === NativeSocket.OPEN).length;
      note(`the test bench holds ${count} sockets of this session`);
    },
    freeSockets() {
      for (const filler of fillers) filler.close();
      fillers = [];
    },
    setDirection(direction) {
      document.documentElement.dir = String(direction);
    },
    setScheme(scheme) {
      document.documentElement.style.colorScheme = String(scheme);
    },
    setAssumedMedia(features) {
      assumed = features as readonly string[];
      window.matchMedia = (query) => nativeMatchMedia(assume(query));
      clearInterval(mediaTimer);
      mediaTimer = assumed.length === 0 ? undefined : setInterval(changeSheets, MEDIA_CHECK_MS);
      changeSheets();
    },
    setLook(address) {
      document.getElementById('bench-look')?.remove();
      if (typeof address !== 'string') return;
      const link = document.createElement('link');
      link.id = 'bench-look';
      link.rel = 'stylesheet';
      link.href = address;
      document.head.append(link);
    },
    /** Like a new tab of a returning visitor who has dismissed nothing. */
    forgetProactive() {
      sessionStorage.removeItem('natter-proactive');
      localStorage.removeItem('natter-proactive-dismissed');
      localStorage.setItem('natter-proactive-visits', '1');
    },
  };

  async function carryOut({ id, name, values }: Call): Promise<void> {
    try {
      const widget = findWidget();
      const command = (Object.hasOwn(own, name) ? own[name] : widget?.[name]) as Command | undefined;
      if (widget === null && !Object.hasOwn(own, name)) throw new Error(NO_WIDGET);
      if (command === undefined) throw new Error(`The widget has no command "${name}".`);
      const value = await Reflect.apply(command, widget, values);
      // Only the report of `doctor` is of use to the bench.
      const text: unknown = Object(value).text;
      post({ bench: 'result', id, text: typeof text === 'string' ? text : null });
    } catch (error) {
      post({ bench: 'failure', id, message: error instanceof Error ? error.message : String(error) });
    }
  }

  addEventListener('message', ({ source, data }: MessageEvent<Call | null>) => {
    if (source === bench && data?.bench === 'call') void carryOut(data);
  });
  const announce = (): void => {
    const widget = findWidget();
    widget?.on('frame', (frame) => post({ bench: 'frame', frame }));
    for (const type of EVENTS)
      widget?.on(type, (detail) => {
        // Details may hold functions, which cannot be sent.
        post({ bench: 'event', type, atMs: Date.now(), detail: JSON.stringify(detail) ?? '' });
      });
    post({ bench: 'ready', hasWidget: widget !== null });
  };
  // A page that replays a recording says when it has its widget; elsewhere the script has run by the page's load event.
  const isLate = document.documentElement.hasAttribute('data-late');
  addEventListener(isLate ? 'bench-widget' : 'load', announce);
})();
