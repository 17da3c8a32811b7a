import type { TracedFrame } from '../../recording/recorder.ts';

/** A message from the page in the frame. */
export type PageMessage =
  | { readonly bench: 'ready'; readonly hasWidget: boolean }
  /** A page that replays a recording asks for it. */
  | { readonly bench: 'waiting' }
  | { readonly bench: 'frame'; readonly frame: TracedFrame }
  | { readonly bench: 'event'; readonly type: string; readonly atMs: number; readonly detail: string };

type Answer =
  | { readonly bench: 'result'; readonly id: number; readonly text: string | null }
  | { readonly bench: 'failure'; readonly id: number; readonly message: string };

interface OpenCall {
  readonly resolve: (text: string | null) => void;
  readonly reject: (error: Error) => void;
}

/** The widget in the frame: speaks with `demo/bench/bridge.ts` by messages, because a sandboxed page has no origin. */
export class WidgetLink {
  readonly #calls = new Map<number, OpenCall>();
  readonly #onMessage: (message: PageMessage) => void;
  #frame: HTMLIFrameElement | null = null;
  #lastId = 0;

  constructor(onMessage: (message: PageMessage) => void) {
    this.#onMessage = onMessage;
  }

  /** Listens to the page in this frame; null: to none. */
  attach(frame: HTMLIFrameElement | null): void {
    this.#frame = frame;
  }

  /** Calls a command of the widget, or one of the bridge's own. Resolves with the text of a report. */
  call(name: string, ...values: readonly unknown[]): Promise<string | null> {
    const target = this.#frame?.contentWindow;
    if (!target) return Promise.reject(new Error('The frame has no page yet.'));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      target.postMessage({ bench: 'call', id, name, values }, '*');
    });
  }

  /** Gives the page the recording that it has asked for. */
  giveRecording(text: string, speed: number): void {
    this.#frame?.contentWindow?.postMessage({ bench: 'recording', text, speed }, '*');
  }

  /** Listens until the returned function is called. */
  listen(): () => void {
    const onMessage = ({ source, data }: MessageEvent<PageMessage | Answer | null>): void => {
      if (source === null || source !== this.#frame?.contentWindow || !data?.bench) return;
      if (data.bench === 'result') this.#take(data.id)?.resolve(data.text);
      else if (data.bench === 'failure') this.#take(data.id)?.reject(new Error(data.message));
      else {
        // The previous page does not answer any more.
        if (data.bench === 'ready') this.#rejectAll('The page was loaded again.');
        this.#onMessage(data);
      }
    };
    addEventListener('message', onMessage);
    return () => {
      removeEventListener('message', onMessage);
      this.#rejectAll('The test bench was closed.');
    };
  }

  #take(id: number): OpenCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  #rejectAll(reason: string): void {
    for (const id of [...this.#calls.keys()]) this.#take(id)?.reject(new Error(reason));
  }
}
