import { effect, type ReadonlySignal, signal } from '@preact/signals-core';
import type { PanelModel } from '../../panel/model/panel-model.ts';

/** One list per utterance so far: possible transcripts, the likeliest first. */
type Results = Iterable<ArrayLike<{ readonly transcript: string }>>;

/** The part of the browser's speech recognition that is used here. */
interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: { readonly results: Results }) => void) | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  abort(): void;
}

/** Why dictation ended without the visitor's action. */
export type DictationFault = 'denied' | 'unheard' | 'failed';

export interface Dictation {
  readonly isOn: ReadonlySignal<boolean>;
  /** Adds the spoken words to the text in the composer, also while they may still change. */
  start(): void;
  stop(): void;
}

const FAULTS: Readonly<Record<string, DictationFault>> = {
  'not-allowed': 'denied',
  'service-not-allowed': 'denied',
  'audio-capture': 'denied',
  'no-speech': 'unheard',
};

/** Returns the constructor of the browser's speech recognition; `null` if it has none. */
export function findRecognition(): (new () => Recognition) | null {
  const found: unknown =
    Reflect.get(globalThis, 'SpeechRecognition') ?? Reflect.get(globalThis, 'webkitSpeechRecognition');
  // This part of the interface is the same in all browsers.
  return typeof found === 'function' ? (found as new () => Recognition) : null;
}

/** Returns the text with the spoken words after it. */
function appendSpokenText(text: string, results: Results): string {
  const spoken = [...results].map((result) => result[0]?.transcript ?? '').join('');
  const gap = text === '' || /\s$/.test(text) ? '' : ' ';
  return text + gap + spoken.trimStart();
}

/**
 * Creates the dictation of a panel. It ends when the message is sent or the text is changed in another way, when the
 * panel closes, and with the panel's composer.
 */
export function createDictation(
  { chat, isOpen, locale }: PanelModel,
  Recogniser: new () => Recognition,
  onFault: (fault: DictationFault) => void,
): Dictation & { readonly destroy: () => void } {
  const isOn = signal(false);
  let running: Recognition | null = null;
  /** The text that dictation last put into the field. */
  let written = '';

  const stop = (): void => {
    const ended = running;
    running = null;
    isOn.value = false;
    ended?.abort();
  };
  const stopWatching = effect(() => {
    const isOwn = chat.unsent.value === written;
    const isShown = isOpen.value;
    if (running && !(isOwn && isShown)) stop();
  });

  return {
    isOn,
    start() {
      const recognition = new Recogniser();
      const before = chat.unsent.peek();
      recognition.lang = locale.peek();
      recognition.continuous = true;
      recognition.interimResults = true;
      recognition.onresult = ({ results }) => {
        if (running !== recognition) return;
        written = appendSpokenText(before, results);
        chat.setUnsent(written);
      };
      recognition.onerror = ({ error }) => {
        if (running === recognition && error !== 'aborted') onFault(FAULTS[error] ?? 'failed');
      };
      recognition.onend = () => {
        if (running === recognition) stop();
      };
      written = before;
      running = recognition;
      isOn.value = true;
      try {
        recognition.start();
      } catch {
        // A page's policy forbids the microphone.
        onFault('failed');
        stop();
      }
    },
    stop,
    destroy() {
      stopWatching();
      stop();
    },
  };
}
