import { type Signal, useSignal } from '@preact/signals';
import { effect } from '@preact/signals-core';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Survey } from '../../../client/index.ts';
import { listenEverywhere } from '../../dom/listen-everywhere.ts';
import { usePanel } from '../../panel/model/panel-model.ts';

/** The platform waits 60 s for an answer (TBD-3). */
const HELD_MS = 45_000;

/** An answer to the survey that is not sent yet. */
interface HeldAnswer {
  /** `null` before the visitor has chosen. */
  readonly score: Signal<number | null>;
  readonly comment: Signal<string>;
  choose(score: number): void;
  send(): void;
}

/**
 * Holds the score while the visitor may write a comment, because a survey accepts one answer. Sends it with the
 * comment, when the visitor turns to something outside `section`, closes the panel or leaves the page, and in any case
 * before the platform stops waiting. If the platform accepts no comment, sends it at once.
 */
export function useHeldAnswer(survey: Survey, section: RefObject<HTMLElement | null>): HeldAnswer {
  const { chat, isOpen } = usePanel();
  const score = useSignal<number | null>(null);
  const comment = useSignal('');
  const isLate = useSignal(!survey.canComment);
  const send = (): void => {
    if (score.peek() !== null) chat.answerSurvey(score.peek(), comment.peek());
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: signals and the model are the same at each call
  useLayoutEffect(() => {
    const onElsewhere = (event: Event) => {
      if (section.current && !event.composedPath().includes(section.current)) send();
    };
    const timer = setTimeout(() => {
      isLate.value = true;
      send();
    }, HELD_MS);
    const controller = new AbortController();
    const { signal } = controller;
    if (section.current) listenEverywhere(section.current, ['pointerdown', 'focusin'], onElsewhere, signal);
    addEventListener('pagehide', send, { signal });
    const stop = effect(() => {
      if (!isOpen.value) send();
    });
    return () => {
      clearTimeout(timer);
      controller.abort();
      stop();
    };
  }, []);
  return {
    score,
    comment,
    choose(value) {
      score.value = value;
      if (isLate.peek()) send();
    },
    send,
  };
}
